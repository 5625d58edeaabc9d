import { LERC_WASM } from './compiled/lerc.ts'
import { Kernel } from './kernel.ts'

/** The function of wasm/lerc.ts; all numbers are places in its memory. */
interface LercKernels {
  /** 0 where all pixels hold something, 1 where the mask says which do, negative where it could not be decoded. */
  decodeBlob(source: number, sourceEnd: number, target: number, mask: number): number
}

export const lercKernels = new Kernel<LercKernels>(LERC_WASM)

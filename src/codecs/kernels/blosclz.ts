import { malformed } from '../../errors.ts'
import { type ByteKernels, damageAt, type Regions } from './wasm/bytes.ts'

/** Decodes one BloscLZ stream in the memory of the kernels; returns the bytes written. */
export function blosclzWithin(kernels: ByteKernels, { source, sourceEnd, target, targetEnd }: Regions): number {
  const written = kernels.blosclz(source, sourceEnd, target, targetEnd)
  if (written >= 0) return written
  throw malformed('a BloscLZ stream runs past its end, or refers to before its beginning', {
    offset: damageAt(written),
  })
}

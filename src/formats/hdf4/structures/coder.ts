// The parameters of coders, as hcomp.c of the HDF library writes them behind the header of compressed elements.
import type { Cursor } from '../../../bytes/cursor.ts'
import { unsupported } from '../../../errors.ts'

/** How the bytes of an element are compressed. */
export type Coder =
  | { readonly kind: 'none' }
  | { readonly kind: 'run-length' }
  | { readonly kind: 'nbit'; readonly parameters: NbitParameters }
  | { readonly kind: 'skipping-huffman'; readonly skip: number }
  | { readonly kind: 'deflate' }
  | { readonly kind: 'szip'; readonly parameters: SzipParameters }
  | { readonly kind: 'jpeg' }

interface NbitParameters {
  /** The number type whose elements these are. */
  readonly numberType: number
  readonly signExtended: boolean
  readonly filledWithOnes: boolean
  /** The highest bit that is stored, counted from the lowest of the element. */
  readonly highest: number
  readonly count: number
}

interface SzipParameters {
  readonly pixels: number
  readonly pixelsPerScanline: number
  readonly mask: number
  readonly bitsPerPixel: number
  readonly pixelsPerBlock: number
}

const STANDARD_MODEL = 0

/** Reads model and coder with their parameters. */
export function parseCoder(cursor: Cursor): Coder {
  const model = cursor.u16()
  if (model !== STANDARD_MODEL) throw unsupported('HDF4 compression model', `compression model ${model} is not known`)
  const coder = cursor.u16()
  switch (coder) {
    case 0:
      return { kind: 'none' }
    case 1:
      return { kind: 'run-length' }
    case 2:
      return { kind: 'nbit', parameters: parseNbit(cursor) }
    case 3:
      return { kind: 'skipping-huffman', skip: cursor.u32() }
    case 4:
      return { kind: 'deflate' }
    case 5:
      return { kind: 'szip', parameters: parseSzip(cursor) }
    case 7:
      return { kind: 'jpeg' }
  }
  throw unsupported('HDF4 compression', `compression ${coder} is not known`)
}

function parseNbit(cursor: Cursor): NbitParameters {
  const numberType = cursor.i32()
  const signExtended = cursor.u16() !== 0
  const filledWithOnes = cursor.u16() !== 0
  return { numberType, signExtended, filledWithOnes, highest: cursor.i32(), count: cursor.i32() }
}

function parseSzip(cursor: Cursor): SzipParameters {
  const pixels = cursor.u32()
  const pixelsPerScanline = cursor.u32()
  const mask = cursor.u32()
  return { pixels, pixelsPerScanline, mask, bitsPerPixel: cursor.u8(), pixelsPerBlock: cursor.u8() }
}

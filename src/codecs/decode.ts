import type { Encoding } from '../model/encoding.ts'
import type { ChunkLayout, Elements } from './codec.ts'
import { type DecodeOptions, decode, encode, peel } from './pipeline.ts'
import { prepareEncoding } from './prepare.ts'

/** Undoes the encoding of one chunk; where there are more of them it is prepared once (`prepare.ts`). */
export function decodeChunk(
  stored: Uint8Array,
  encoding: Encoding,
  layout: ChunkLayout,
  options: DecodeOptions,
): Elements | Promise<Elements> {
  return decode(prepareEncoding(encoding, layout), stored, options)
}

/** Undoes byte codecs alone, outermost first; `limit` bounds the result, the steps before it have some room more. */
export function decodeBytes(stored: Uint8Array, codecs: Encoding, limit: number): Uint8Array {
  const layout: ChunkLayout = { shape: [limit], dataType: { kind: 'uint', bits: 8 } }
  return peel(prepareEncoding([{ name: 'bytes', configuration: {} }, ...codecs], layout), stored, 0, limit)
}

/** The other direction, for the codecs that this server advertises. */
export function encodeElements(elements: Elements, target: Encoding, layout: ChunkLayout): Uint8Array {
  return encode(prepareEncoding(target, layout), elements)
}

import type { Encoding } from '../model/encoding.ts'
import type { ChunkLayout, Elements } from './codec.ts'
import { type DecodeOptions, decode, encode } from './pipeline.ts'
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

/** The other direction, for the codecs that this server advertises. */
export function encodeElements(elements: Elements, target: Encoding, layout: ChunkLayout): Uint8Array {
  return encode(prepareEncoding(target, layout), elements)
}

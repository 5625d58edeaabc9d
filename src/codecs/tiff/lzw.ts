// TIFF 6.0 section 13; the older kind, with the bits of a byte the other way round, is libtiff's LZWDecodeCompat.
import { malformed } from '../../errors.ts'
import type { ByteCodec, DecodeContext } from '../codec.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { encodeLzw } from '../kernels/lzw-encoder.ts'

const CLEAR = 256
const END = 257
const FIRST_FREE = 258
const MOST_CODES = 4096

/** LZW as TIFF uses it, of both kinds. */
export const imagecodecsLzw: ByteCodec = {
  kind: 'bytes',
  name: 'imagecodecs_lzw',
  reach: 'native',
  writes: true,
  prepare: () => ({ decode: decodeLzw, encode: encodeLzw }),
}

/**
 * The content of an LZW stream, at most `limit` bytes, or as far as it is needed. An end without an end code is how some
 * writers stop.
 */
function decodeLzw(bytes: Uint8Array, { limit, enough = Number.POSITIVE_INFINITY }: DecodeContext): Uint8Array {
  const isOld = bytes[0] === 0 && ((bytes[1] ?? 0) & 1) === 1
  // A string of the table is a piece of the output: it was written when its code was made.
  const starts = new Uint32Array(MOST_CODES + 1)
  // The new kind widens its codes one code early.
  const early = isOld ? 0 : 1
  let output = chunkMemory.take(Math.min(limit, 4 * bytes.length + 4096))
  let length = 0
  let free = FIRST_FREE - 1
  let width = 9
  let bits = 0
  let word = 0
  for (let at = 0; length < enough; ) {
    for (; bits < width; bits += 8) {
      if (at >= bytes.length) return output.subarray(0, length)
      const byte = bytes[at++] ?? 0
      word = isOld ? word | (byte << bits) : (word << 8) | byte
    }
    bits -= width
    const code = (isOld ? word : word >> bits) & ((1 << width) - 1)
    word = isOld ? word >> width : word & ((1 << bits) - 1)
    if (code === END) return output.subarray(0, length)
    if (code === CLEAR) {
      free = FIRST_FREE - 1
      width = 9
      continue
    }
    // Each code but the first makes a string of the one before it and the byte that is written next.
    if (free < MOST_CODES) {
      starts[++free] = length
      if (free + early >= 1 << width && width < 12) width++
    }
    if (code < CLEAR) {
      if (length >= output.length) output = grown(output, 1, limit)
      output[length++] = code
      continue
    }
    if (code >= free) throw malformed(`an LZW stream has the code ${code}, which is not in its table`)
    let from = starts[code] ?? 0
    const end = length + (starts[code + 1] ?? 0) - from + 1
    if (end > output.length) output = grown(output, end - output.length, limit)
    // Byte by byte: a string may reach into what is being written.
    while (length < end) output[length++] = output[from++] ?? 0
  }
  return output.subarray(0, length)
}

function grown(output: Uint8Array<ArrayBuffer>, more: number, limit: number): Uint8Array<ArrayBuffer> {
  const needed = output.length + more
  if (needed > limit) throw malformed(`a compressed chunk holds more than the ${limit} bytes expected`)
  const next = chunkMemory.take(Math.min(limit, Math.max(needed, output.length * 2)))
  next.set(output)
  return next
}

/** Each byte with its bits in the other order. */
export function reversedBits(bytes: Uint8Array): Uint8Array {
  const table = new Uint8Array(256)
  for (let value = 1; value < 256; value++) table[value] = ((table[value >> 1] ?? 0) >> 1) | ((value & 1) << 7)
  const reversed = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at++) reversed[at] = table[bytes[at] ?? 0] ?? 0
  return reversed
}

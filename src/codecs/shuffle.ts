import type { JsonObject } from '../json/json.ts'
import type { ByteCodec } from './codec.ts'
import { integerMember } from './configuration.ts'

/** HDF5's shuffle filter under its numcodecs name; bytes after the last whole item stay where they are. */
export const shuffleCodec: ByteCodec = {
  kind: 'bytes',
  name: 'numcodecs.shuffle',
  reach: 'native',
  check: (configuration) => {
    shuffleSize(configuration)
  },
  decode: (bytes, configuration) => unshuffle(bytes, shuffleSize(configuration)),
  encode: (bytes, configuration) => shuffle(bytes, shuffleSize(configuration)),
}

/** The item size of a shuffle, 4 unless it says otherwise. */
export function shuffleSize(configuration: JsonObject): number {
  return integerMember(configuration, 'elementsize', { least: 1, most: 2 ** 31, fallback: 4 })
}

/** From first bytes, second bytes, ... back to items. */
export function unshuffle(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= 1) return bytes
  const count = Math.floor(bytes.length / size)
  const result = new Uint8Array(bytes.length)
  for (let byte = 0; byte < size; byte++) {
    const from = byte * count
    for (let item = 0, to = byte; item < count; item++, to += size) result[to] = bytes[from + item] ?? 0
  }
  result.set(bytes.subarray(count * size), count * size)
  return result
}

/** From items to all first bytes, then all second bytes, ... */
export function shuffle(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= 1) return bytes
  const count = Math.floor(bytes.length / size)
  const result = new Uint8Array(bytes.length)
  for (let byte = 0; byte < size; byte++) {
    const to = byte * count
    for (let item = 0, from = byte; item < count; item++, from += size) result[to + item] = bytes[from] ?? 0
  }
  result.set(bytes.subarray(count * size), count * size)
  return result
}

/** Blosc's bitshuffle: for each byte of an item, for each bit of it, that bit of all items. Needs a multiple of 8 items. */
export function bitUnshuffle(bytes: Uint8Array, size: number): Uint8Array {
  const count = Math.floor(bytes.length / size)
  if (count % 8 !== 0) return bytes
  const eighth = count / 8
  const result = new Uint8Array(bytes.length)
  for (let byte = 0; byte < size; byte++) {
    const planes = byte * 8 * eighth
    for (let group = 0; group < eighth; group++) {
      for (let bit = 0; bit < 8; bit++) {
        const plane = bytes[planes + bit * eighth + group] ?? 0
        if (plane === 0) continue
        for (let item = 0; item < 8; item++) {
          const at = (group * 8 + item) * size + byte
          result[at] = (result[at] ?? 0) | (((plane >> item) & 1) << bit)
        }
      }
    }
  }
  result.set(bytes.subarray(count * size), count * size)
  return result
}

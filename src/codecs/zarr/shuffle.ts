import type { JsonObject } from '../../json/json.ts'
import type { ByteCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { shuffle, unshuffle } from '../kernels/shuffle.ts'

/** HDF5's shuffle filter under its numcodecs name; bytes after the last whole item stay where they are. */
export const shuffleCodec: ByteCodec = {
  kind: 'bytes',
  name: 'numcodecs.shuffle',
  reach: 'native',
  writes: true,
  prepare: (configuration) => {
    const size = shuffleSize(configuration)
    return { decode: (bytes) => unshuffle(bytes, size), encode: (bytes) => shuffle(bytes, size) }
  },
}

/** The item size of a shuffle, 4 unless it says otherwise. */
export function shuffleSize(configuration: JsonObject): number {
  return integerMember(configuration, 'elementsize', { least: 1, most: 2 ** 31, fallback: 4 })
}

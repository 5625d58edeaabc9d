import type { JsonObject } from '../json/json.ts'

/**
 * One step of how chunks are stored, spelled as the codec of a Zarr v3 document. Names with a Zarr spelling are that
 * spelling (`bytes`, `blosc`, `numcodecs.zlib`, ...); those that only this server decodes begin with `vz.`. The list of
 * names is `codecs/registry.ts`.
 */
export interface StoredCodec {
  readonly name: string
  readonly configuration: JsonObject
}

/** How a chunk is stored, from the array outward: array codecs, one that makes bytes of the array, byte codecs. */
export type Encoding = readonly StoredCodec[]

/** How numbers lie in the file when nothing else is done to them. */
export function rawEncoding(endian: 'little' | 'big'): Encoding {
  return [{ name: 'bytes', configuration: { endian } }]
}

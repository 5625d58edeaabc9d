// Icechunk's specification, "Metadata files", format 1, which all its readers know.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { crockford } from '../../../bytes/crockford.ts'

const MAGIC = Buffer.from('ICE🧊CHUNK')
const WRITER = 'virtual-zarr'.padEnd(24)
const FORMAT = 1
const ZSTD = 1
const TYPES = { snapshots: 1, manifests: 2 } as const

export const FILE_ID_BYTES = 12
export const NODE_ID_BYTES = 8

/** An id that is made of what it names: the same store makes the same files. */
export function idOf(content: Uint8Array | string, length: number): Uint8Array {
  return createHash('sha256').update(content).digest().subarray(0, length)
}

/** An id as the name of its file. */
export const idText = crockford

/** The content of a metadata file, compressed behind its header. */
export async function metadataFile(folder: keyof typeof TYPES, content: Uint8Array): Promise<Uint8Array> {
  const header = Buffer.concat([MAGIC, Buffer.from(WRITER), Buffer.of(FORMAT, TYPES[folder], ZSTD)])
  return Buffer.concat([header, await promisify(zstdCompress)(content)])
}

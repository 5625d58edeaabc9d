// Icechunk's specification, "Metadata files", format 1, which all its readers know.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'

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

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** An id in Crockford's Base 32, as the name of its file. */
export function idText(id: Uint8Array): string {
  const bits = [...id].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return [...bits.matchAll(/.{1,5}/g)].map(([five]) => DIGITS[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '').join('')
}

/** The content of a metadata file, compressed behind its header. */
export async function metadataFile(folder: keyof typeof TYPES, content: Uint8Array): Promise<Uint8Array> {
  const header = Buffer.concat([MAGIC, Buffer.from(WRITER), Buffer.of(FORMAT, TYPES[folder], ZSTD)])
  return Buffer.concat([header, await promisify(zstdCompress)(content)])
}

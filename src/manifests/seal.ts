import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'

/** The form of entries: raised when `encode.ts` or this file writes something else. What stands in them is the revision's matter. */
const MAGIC = Buffer.from('VZMF\x01')
const NAME_BYTES = 32
const LENGTH_BYTES = 8
const CHECK_BYTES = 32
const CHECKED = MAGIC.length + NAME_BYTES + LENGTH_BYTES
const HEADER = CHECKED + CHECK_BYTES
/** Of one entry when it is unpacked. */
export const MOST_ENTRY_BYTES = 268_435_456
/** Such content takes long enough for others to notice. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** The name of a value: whoever knows it can't tell the source's URL. Revision and source are in it, so that nobody takes one for another. */
export function nameOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Packs what is written under a name; every byte of it is under the checksum. */
export async function sealed(name: string, content: Uint8Array): Promise<Uint8Array> {
  const packed = await promisify(zstdCompress)(content, LEVEL)
  const bytes = Buffer.alloc(HEADER + packed.length)
  MAGIC.copy(bytes)
  bytes.write(name, MAGIC.length, NAME_BYTES, 'hex')
  bytes.writeBigUInt64LE(BigInt(content.length), CHECKED - LENGTH_BYTES)
  packed.copy(bytes, HEADER)
  checksum(bytes).copy(bytes, CHECKED)
  return bytes
}

/** What was packed under this name; undefined for anything else: damaged, cut off, of another version or name. */
export async function unsealed(name: string, given: Uint8Array): Promise<Uint8Array | undefined> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
  if (bytes.length < HEADER || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  if (bytes.toString('hex', MAGIC.length, MAGIC.length + NAME_BYTES) !== name) return undefined
  if (!checksum(bytes).equals(bytes.subarray(CHECKED, HEADER))) return undefined
  const length = Number(bytes.readBigUInt64LE(CHECKED - LENGTH_BYTES))
  if (length > MOST_ENTRY_BYTES) return undefined
  try {
    const content = await promisify(zstdDecompress)(bytes.subarray(HEADER), { maxOutputLength: Math.max(length, 1) })
    return content.length === length ? content : undefined
  } catch {
    // Whatever it is, it is not what was packed here.
    return undefined
  }
}

function checksum(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes.subarray(0, CHECKED)).update(bytes.subarray(HEADER)).digest()
}

// PKWARE APPNOTE 6.3.10: an archive of stored members, written as it goes; zip64 where 32 bits don't do.
import { crc32 } from 'node:zlib'

/** Names are UTF-8 (general purpose bit 11). */
const FLAGS = 0x0800
const VERSION = 20
const ZIP64_VERSION = 45
/** 1980-01-01, so that the same files make the same archive. */
const DATE = 0x0021
/** Where these stand, the zip64 records have the number. */
const IN_ZIP64 = 0xffffffff
const IN_ZIP64_SHORT = 0xffff

/**
 * An archive of these files, piece by piece. No member is compressed, since Parquet is; its checksum and its length, which is
 * less than 4 GiB, stand before it, so that the archive can be read while it arrives.
 */
export async function* storedZip(files: AsyncIterable<readonly [string, Uint8Array]>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const [name, bytes] of files) {
    const path = Buffer.from(name)
    const about = { crc: crc32(bytes), length: bytes.length, name: path }
    directory.push(directoryEntry(about, offset))
    const header = localHeader(about)
    yield header
    yield bytes
    offset += header.length + bytes.length
  }
  const entries = Buffer.concat(directory)
  yield entries
  yield endOf({ members: directory.length, length: entries.length, offset })
}

interface Member {
  readonly crc: number
  readonly length: number
  readonly name: Buffer
}

/** Section 4.3.7. */
function localHeader({ crc, length, name }: Member): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DATE, 12)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(length, 18)
  header.writeUInt32LE(length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

/** Section 4.3.12. */
function directoryEntry({ crc, length, name }: Member, offset: number): Buffer {
  const extra = offset < IN_ZIP64 ? Buffer.alloc(0) : zip64Offset(offset)
  const version = extra.length === 0 ? VERSION : ZIP64_VERSION
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(version, 4)
  entry.writeUInt16LE(version, 6)
  entry.writeUInt16LE(FLAGS, 8)
  entry.writeUInt16LE(DATE, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(length, 20)
  entry.writeUInt32LE(length, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt16LE(extra.length, 30)
  entry.writeUInt32LE(Math.min(offset, IN_ZIP64), 42)
  return Buffer.concat([entry, name, extra])
}

/** Section 4.5.3, of which only the offset is needed. */
function zip64Offset(offset: number): Buffer {
  const field = Buffer.alloc(12)
  field.writeUInt16LE(0x0001, 0)
  field.writeUInt16LE(8, 2)
  field.writeBigUInt64LE(BigInt(offset), 4)
  return field
}

interface Directory {
  readonly members: number
  readonly length: number
  readonly offset: number
}

function endOf(directory: Directory): Buffer {
  const { members, length, offset } = directory
  const isSmall = members < IN_ZIP64_SHORT && length < IN_ZIP64 && offset < IN_ZIP64
  return isSmall ? endRecord(directory) : Buffer.concat([zip64End(directory), endRecord(directory)])
}

/** The zip64 end record and the locator that leads to it (sections 4.3.14 and 4.3.15). */
function zip64End({ members, length, offset }: Directory): Buffer {
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(ZIP64_VERSION, 12)
  record.writeUInt16LE(ZIP64_VERSION, 14)
  record.writeBigUInt64LE(BigInt(members), 24)
  record.writeBigUInt64LE(BigInt(members), 32)
  record.writeBigUInt64LE(BigInt(length), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(offset + length), 64)
  record.writeUInt32LE(1, 72)
  return record
}

/** Section 4.3.16. */
function endRecord({ members, length, offset }: Directory): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(Math.min(members, IN_ZIP64_SHORT), 8)
  record.writeUInt16LE(Math.min(members, IN_ZIP64_SHORT), 10)
  record.writeUInt32LE(Math.min(length, IN_ZIP64), 12)
  record.writeUInt32LE(Math.min(offset, IN_ZIP64), 16)
  return record
}

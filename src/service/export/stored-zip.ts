// PKWARE APPNOTE 6.3.10: an archive of stored members, written as it goes.
import { crc32 } from 'node:zlib'

/** Names are UTF-8 (general purpose bit 11). */
const FLAGS = 0x0800
const VERSION = 20
/** 1980-01-01, so that the same files make the same archive. */
const DATE = 0x0021
const MOST_BYTES = 0xffffffff
const MOST_MEMBERS = 0xffff

/** An archive of these files, piece by piece: no member is compressed, since Parquet is. */
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
    if (offset > MOST_BYTES || directory.length > MOST_MEMBERS) {
      throw new RangeError(
        'an archive of more than 4 GiB or 65,535 members needs the command line, which writes a folder',
      )
    }
  }
  const entries = Buffer.concat(directory)
  yield entries
  yield endRecord(directory.length, entries.length, offset)
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
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(VERSION, 4)
  entry.writeUInt16LE(VERSION, 6)
  entry.writeUInt16LE(FLAGS, 8)
  entry.writeUInt16LE(DATE, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(length, 20)
  entry.writeUInt32LE(length, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(offset, 42)
  return Buffer.concat([entry, name])
}

/** Section 4.3.16. */
function endRecord(members: number, length: number, offset: number): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(members, 8)
  record.writeUInt16LE(members, 10)
  record.writeUInt32LE(length, 12)
  record.writeUInt32LE(offset, 16)
  return record
}

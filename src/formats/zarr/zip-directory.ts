// PKWARE APPNOTE 6.3.10: end of central directory (4.3.16), its zip64 forms (4.3.14, 4.3.15), central directory (4.3.12).
import { Cursor } from '../../bytes/cursor.ts'
import { type ErrorContext, malformed, overLimit, unsupported } from '../../errors.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import { decodeMemberName } from './zip-names.ts'

const END_SIGNATURE = 0x06054b50
const END_SIZE = 22
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50
const ZIP64_LOCATOR_SIZE = 20
const ZIP64_END_SIGNATURE = 0x06064b50
const ZIP64_END_SIZE = 56
const MEMBER_SIGNATURE = 0x02014b50
const MEMBER_SIZE = 46
const ZIP64_EXTRA = 0x0001
const MAX_U16 = 0xffff
const MAX_U32 = 0xffffffff
/** The end record, the longest comment that may follow it, and the zip64 records before it. */
const TAIL_LENGTH = END_SIZE + MAX_U16 + ZIP64_LOCATOR_SIZE + ZIP64_END_SIZE
/** About a million members; it is held while a store is opened, then dropped. */
const MAX_DIRECTORY_BYTES = 128 * 2 ** 20

/** The central directory of an archive, as bytes: members are read off it as often as they are needed. */
export interface ZipDirectory {
  readonly bytes: Uint8Array
  readonly count: number
  /** Position of the directory in the file: members end before it. */
  readonly offset: number
  /** What to add to a member's position: the length of whatever was put before the archive. */
  readonly shift: number
  readonly place: ErrorContext
}

/** One member, as the directory describes it. */
export interface ZipMember {
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc: number
  /** Bytes in the archive, and of the content. */
  readonly storedSize: number
  readonly size: number
  /** Position in the file of the member's local header. */
  readonly headerOffset: number
}

interface EndRecord {
  readonly count: number
  readonly size: number
  readonly offset: number
  /** Position in the file of the record that follows the directory. */
  readonly position: number
}

/** Finds and reads the central directory: one read for most archives, and one more where it is long. */
export async function readZipDirectory(source: Source, options: ReadOptions): Promise<ZipDirectory> {
  const place: ErrorContext = { url: source.url, format: 'zarr' }
  const start = Math.max(0, source.size - TAIL_LENGTH)
  const tail = await source.read({ offset: start, length: source.size - start }, options)
  const end = await readEndRecord(source, tail, start, options)
  if (end.size > MAX_DIRECTORY_BYTES) {
    throw overLimit(`a zip directory of ${end.size} bytes, at most ${MAX_DIRECTORY_BYTES} are read`, place)
  }
  const offset = end.position - end.size
  const shift = offset - end.offset
  if (offset < 0 || shift < 0 || end.count > end.size / MEMBER_SIZE) {
    throw malformed(`a zip directory of ${end.count} members and ${end.size} bytes at ${end.offset}`, place)
  }
  const bytes =
    offset >= start
      ? tail.slice(offset - start, end.position - start)
      : await source.read({ offset, length: end.size }, options)
  return { bytes, count: end.count, offset, shift, place }
}

async function readEndRecord(
  source: Source,
  tail: Uint8Array,
  start: number,
  options: ReadOptions,
): Promise<EndRecord> {
  const at = findEnd(tail)
  const place: ErrorContext = { url: source.url, format: 'zarr', offset: start }
  if (at === undefined) throw malformed('a zip archive without an end of central directory', place)
  const cursor = new Cursor(tail.subarray(at), 'little', { url: source.url, format: 'zarr', base: start + at })
  cursor.skip(4)
  const disks = [cursor.u16(), cursor.u16()]
  const [, count, size, offset] = [cursor.u16(), cursor.u16(), cursor.u32(), cursor.u32()]
  const position = start + at
  const zip64 = await readZip64End(source, tail, start, at, options)
  if (zip64 !== undefined) return zip64
  if (disks.some((disk) => disk !== 0)) throw splitArchive(place)
  return { count, size, offset, position }
}

/** The last record whose comment ends where the file ends. */
function findEnd(tail: Uint8Array): number | undefined {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  for (let at = tail.length - END_SIZE; at >= 0; at--) {
    if (view.getUint32(at, true) === END_SIGNATURE && at + END_SIZE + view.getUint16(at + 20, true) === tail.length) {
      return at
    }
  }
  return undefined
}

/** The zip64 record, where a locator for it stands before the end record. */
async function readZip64End(
  source: Source,
  tail: Uint8Array,
  start: number,
  at: number,
  options: ReadOptions,
): Promise<EndRecord | undefined> {
  if (at < ZIP64_LOCATOR_SIZE) return undefined
  const origin = { url: source.url, format: 'zarr' }
  const locatorAt = at - ZIP64_LOCATOR_SIZE
  const locator = new Cursor(tail.subarray(locatorAt, at), 'little', { ...origin, base: start + locatorAt })
  if (locator.u32() !== ZIP64_LOCATOR_SIGNATURE) return undefined
  locator.skip(4)
  const named = locator.u64()
  // Right before the locator, unless the record was extended; then where the locator says.
  const usual = start + locatorAt - ZIP64_END_SIZE
  for (const position of usual === named ? [usual] : [usual, named]) {
    if (position < 0 || position + ZIP64_END_SIZE > source.size) continue
    const bytes = await source.read({ offset: position, length: ZIP64_END_SIZE }, options)
    const record = new Cursor(bytes, 'little', { ...origin, base: position })
    if (record.u32() !== ZIP64_END_SIGNATURE) continue
    record.skip(12)
    if (record.u32() !== 0 || record.u32() !== 0) throw splitArchive({ ...origin, offset: position })
    record.skip(8)
    return { count: record.u64(), size: record.u64(), offset: record.u64(), position }
  }
  throw malformed('a zip64 locator that names no zip64 end record', { ...origin, offset: named })
}

function splitArchive(place: ErrorContext): Error {
  return unsupported('zip in several parts', 'a zip archive in several parts is not served', place)
}

/** All members in the order of the directory; of a name that comes twice, the last one counts. */
export function* membersOf(directory: ZipDirectory): Generator<ZipMember> {
  const { bytes, count, place } = directory
  const cursor = new Cursor(bytes, 'little', { url: place.url ?? '', format: 'zarr', base: directory.offset })
  for (let index = 0; index < count; index++) yield parseMember(cursor, directory)
}

function parseMember(cursor: Cursor, directory: ZipDirectory): ZipMember {
  const at = cursor.offset
  if (cursor.u32() !== MEMBER_SIGNATURE) throw cursor.fail('no member of the zip directory is here', at)
  cursor.skip(4)
  const flags = cursor.u16()
  const method = cursor.u16()
  cursor.skip(4)
  const crc = cursor.u32()
  let storedSize = cursor.u32()
  let size = cursor.u32()
  const [nameLength, extraLength, commentLength] = [cursor.u16(), cursor.u16(), cursor.u16()]
  cursor.skip(8)
  let headerOffset = cursor.u32()
  const name = decodeMemberName(cursor.take(nameLength), (flags & 0x800) !== 0)
  const zip64 = zip64Extra(cursor, extraLength)
  cursor.skip(commentLength)
  // APPNOTE 4.5.3: only what did not fit is in the extra field, in this order.
  if (size === MAX_U32 && zip64 !== undefined) size = zip64.u64()
  if (storedSize === MAX_U32 && zip64 !== undefined) storedSize = zip64.u64()
  if (headerOffset === MAX_U32 && zip64 !== undefined) headerOffset = zip64.u64()
  headerOffset += directory.shift
  if (headerOffset + storedSize > directory.offset) throw cursor.fail(`a zip member outside the archive`, at)
  return { name, method, isEncrypted: (flags & 0x2041) !== 0, crc, storedSize, size, headerOffset }
}

/** A cursor on the zip64 extra field; the other fields are passed over. */
function zip64Extra(cursor: Cursor, length: number): Cursor | undefined {
  const end = cursor.position + length
  let found: Cursor | undefined
  while (end - cursor.position >= 4) {
    const [id, size] = [cursor.u16(), cursor.u16()]
    if (size > end - cursor.position) break
    const field = cursor.take(size)
    if (id === ZIP64_EXTRA) found = new Cursor(field, 'little', { format: 'zarr', base: cursor.offset - size })
  }
  cursor.seek(end)
  return found
}

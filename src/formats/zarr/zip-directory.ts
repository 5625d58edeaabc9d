// PKWARE APPNOTE 6.3.10: end of central directory (4.3.16), its zip64 forms (4.3.14, 4.3.15), central directory (4.3.12).

import { Cursor } from '../../bytes/cursor.ts'
import { anyText, latin1Text } from '../../bytes/text.ts'
import { type ErrorContext, malformed, overLimit, unsupported } from '../../errors.ts'
import type { ReadOptions, Source } from '../../source/source.ts'

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
const MOST_DIRECTORY_BYTES = 128 * 2 ** 20

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
  if (end.size > MOST_DIRECTORY_BYTES) {
    throw overLimit(`a zip directory of ${end.size} bytes, at most ${MOST_DIRECTORY_BYTES} are read`, place)
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

/**
 * The members in the order of the directory; of a name that comes twice, the last one counts. `isWanted` is asked about
 * the last byte of a name before anything is made of it: there may be a million chunks beside a few documents.
 */
export function* membersOf(directory: ZipDirectory, isWanted: (lastByte: number) => boolean): Generator<ZipMember> {
  const { bytes, count } = directory
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + MEMBER_SIZE > bytes.length || view.getUint32(at, true) !== MEMBER_SIGNATURE) {
      throw badMember(`no member ${index} of ${count} is here`, at, directory)
    }
    const nameEnd = at + MEMBER_SIZE + view.getUint16(at + 28, true)
    const end = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (end > bytes.length) throw badMember(`member ${index} of ${count} reaches beyond the directory`, at, directory)
    if (isWanted(bytes[nameEnd - 1] ?? 0)) yield parseMember(view, at, nameEnd, directory)
    at = end
  }
}

function parseMember(view: DataView, at: number, nameEnd: number, directory: ZipDirectory): ZipMember {
  const flags = view.getUint16(at + 8, true)
  const sizes = memberSizes(view, at, nameEnd)
  const headerOffset = sizes.headerOffset + directory.shift
  if (headerOffset + sizes.storedSize > directory.offset || !Number.isSafeInteger(sizes.size))
    throw badMember('a member outside the archive', at, directory)
  return {
    name: decodeMemberName(directory.bytes.subarray(at + MEMBER_SIZE, nameEnd), (flags & 0x800) !== 0),
    method: view.getUint16(at + 10, true),
    isEncrypted: (flags & 0x2041) !== 0,
    crc: view.getUint32(at + 16, true),
    storedSize: sizes.storedSize,
    size: sizes.size,
    headerOffset,
  }
}

/** APPNOTE 4.5.3: only what did not fit into 32 bits is in the extra field, in this order. */
function memberSizes(view: DataView, at: number, nameEnd: number) {
  let storedSize = view.getUint32(at + 20, true)
  let size = view.getUint32(at + 24, true)
  let headerOffset = view.getUint32(at + 42, true)
  const missing = [size, storedSize, headerOffset].filter((value) => value === MAX_U32).length
  const field = missing === 0 ? undefined : zip64Field(view, nameEnd, view.getUint16(at + 30, true), missing)
  if (field === undefined) return { storedSize, size, headerOffset }
  let next = 0
  if (size === MAX_U32) size = Number(field.getBigUint64(8 * next++, true))
  if (storedSize === MAX_U32) storedSize = Number(field.getBigUint64(8 * next++, true))
  if (headerOffset === MAX_U32) headerOffset = Number(field.getBigUint64(8 * next++, true))
  return { storedSize, size, headerOffset }
}

/** The zip64 extra field, where it holds that many values. */
function zip64Field(view: DataView, start: number, length: number, values: number): DataView | undefined {
  const end = start + length
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    const size = view.getUint16(at + 2, true)
    if (view.getUint16(at, true) !== ZIP64_EXTRA || size < values * 8 || at + 4 + size > end) continue
    return new DataView(view.buffer, view.byteOffset + at + 4, size)
  }
  return undefined
}

function badMember(message: string, at: number, directory: ZipDirectory): Error {
  return malformed(`zip directory: ${message}`, { ...directory.place, offset: directory.offset + at })
}

// PKWARE APPNOTE 6.3.10, appendix D: names are IBM code page 437 unless flag bit 11 says UTF-8.

/** Code page 437 from 0x80; below that it is ASCII. */
const UPPER_HALF =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** The name of a member. */
function decodeMemberName(bytes: Uint8Array, isUtf8: boolean): string {
  if (isUtf8) return anyText(bytes)
  const text = latin1Text(bytes)
  // Nearly all names of Zarr stores are ASCII, which both agree on.
  return text.replace(/[\u0080-\u00ff]/g, (character) => UPPER_HALF[character.charCodeAt(0) - 0x80] ?? character)
}

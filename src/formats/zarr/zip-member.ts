// PKWARE APPNOTE 6.3.10: local file header (4.3.7) and the two methods that Zarr stores are written with (4.4.5).
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { Cursor } from '../../bytes/cursor.ts'
import { malformed, overLimit, unsupported } from '../../errors.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import { MOST_DOCUMENT_BYTES } from '../zarr-documents/node-documents.ts'
import type { ZipDirectory, ZipMember } from './zip-directory.ts'

export const STORED = 0
const DEFLATED = 8
const HEADER_SIGNATURE = 0x04034b50
const HEADER_SIZE = 30
/** Room for the extra field of a local header, so that most members take one read. */
const USUAL_EXTRA = 64

const inflate = promisify(inflateRaw)

/** Why a member can't be read, in words; undefined when it can. */
export function refusalOf(member: ZipMember): string | undefined {
  if (member.isEncrypted) return 'zip encryption'
  return member.method === STORED || member.method === DEFLATED ? undefined : `zip method ${member.method}`
}

/** The whole content of a member that holds metadata, checked against its length and checksum. */
export async function readMember(
  source: Source,
  directory: ZipDirectory,
  member: ZipMember,
  options: ReadOptions,
): Promise<Uint8Array> {
  const place = { url: source.url, format: 'zarr', path: member.name, offset: member.headerOffset }
  const refusal = refusalOf(member)
  if (refusal !== undefined) throw unsupported(refusal, `${refusal} is not served`, place)
  if (member.size > MOST_DOCUMENT_BYTES || member.storedSize > MOST_DOCUMENT_BYTES) {
    throw overLimit(`a metadata document of ${member.size} bytes, at most ${MOST_DOCUMENT_BYTES} are read`, place)
  }
  const stored = await readStored(source, directory, member, options)
  const content = member.method === STORED ? stored : await inflated(stored, member, place)
  if (content.length !== member.size || crc32(content) !== member.crc) {
    throw malformed(`${content.length} bytes that are not the ${member.size} of the zip directory`, place)
  }
  return content
}

async function readStored(
  source: Source,
  directory: ZipDirectory,
  member: ZipMember,
  options: ReadOptions,
): Promise<Uint8Array> {
  const { headerOffset, storedSize } = member
  const guess = HEADER_SIZE + Buffer.byteLength(member.name) + USUAL_EXTRA + storedSize
  const length = Math.min(guess, directory.offset - headerOffset)
  const bytes = await source.read({ offset: headerOffset, length }, options)
  const start = contentStart(bytes, source.url, headerOffset)
  if (start + storedSize <= length) return bytes.subarray(start, start + storedSize)
  return source.read(contentRange(headerOffset, start, storedSize, directory.offset, source.url), options)
}

/** Where a member's content lies in the file; one small read, which its local header needs. */
export async function locateContent(
  source: Source,
  headerOffset: number,
  storedSize: number,
  directoryOffset: number,
  options: ReadOptions,
): Promise<number> {
  const length = Math.min(HEADER_SIZE, directoryOffset - headerOffset)
  const bytes = await source.read({ offset: headerOffset, length }, options)
  const start = contentStart(bytes, source.url, headerOffset)
  return contentRange(headerOffset, start, storedSize, directoryOffset, source.url).offset
}

function contentStart(bytes: Uint8Array, url: string, base: number): number {
  const cursor = new Cursor(bytes, 'little', { url, format: 'zarr', base })
  if (cursor.u32() !== HEADER_SIGNATURE) throw cursor.fail('no local header of a zip member is here', base)
  cursor.skip(22)
  const nameLength = cursor.u16()
  return HEADER_SIZE + nameLength + cursor.u16()
}

function contentRange(headerOffset: number, start: number, length: number, limit: number, url: string) {
  const offset = headerOffset + start
  if (offset + length <= limit) return { offset, length }
  throw malformed(`a zip member of ${length} bytes reaches into the directory at ${limit}`, {
    url,
    format: 'zarr',
    offset,
  })
}

/** No more is inflated than the directory announces, which is bounded before. */
async function inflated(stored: Uint8Array, member: ZipMember, place: object): Promise<Uint8Array> {
  try {
    return await inflate(stored, { maxOutputLength: Math.max(1, member.size) })
  } catch (cause) {
    throw malformed(`a deflated zip member that does not inflate to ${member.size} bytes`, place, cause)
  }
}

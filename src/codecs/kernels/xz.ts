import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'
import type { DecodeContext } from '../codec.ts'
import { crc64 } from './crc64.ts'
import { decodeLzma2 } from './lzma2.ts'
import { Output } from './output.ts'

export const FILTER_DELTA = 3
export const FILTER_LZMA2 = 0x21

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]
/** Length of each kind of check (xz file format, section 2.1.1.2). */
const CHECK_LENGTHS = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]

interface BlockHeader {
  /** Distances of the delta filters, first one first. */
  readonly deltas: readonly number[]
  readonly length: number | undefined
}

/**
 * The content of an .xz file, at most `limit` bytes (xz file format 1.2.0), or the blocks that hold as much as is needed;
 * checks are verified.
 */
export function decodeXz(
  bytes: Uint8Array,
  { limit, enough = Number.POSITIVE_INFINITY }: Pick<DecodeContext, 'limit' | 'enough'>,
): Uint8Array {
  const output = new Output(limit)
  const cursor = new Cursor(bytes, 'little')
  do readStream(cursor, output, enough)
  while (output.length < enough && skipPadding(cursor))
  return output.done()
}

/** Whether bytes begin as an .xz file does. */
export function isXz(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte)
}

/** Undoes the delta filter, in place. */
export function undelta(bytes: Uint8Array, distance: number): void {
  for (let at = distance; at < bytes.length; at++) bytes[at] = ((bytes[at] ?? 0) + (bytes[at - distance] ?? 0)) & 255
}

function readStream(cursor: Cursor, output: Output, enough: number): void {
  if (!isXz(cursor.take(6))) throw cursor.fail('an xz stream does not begin with its magic bytes')
  const flags = cursor.take(2)
  const check = flags[1] ?? 0
  if (flags[0] !== 0 || check > 15) throw cursor.fail(`xz stream flags ${flags.join(' ')} are not defined`)
  if (cursor.u32() !== crc32(flags)) throw cursor.fail('the checksum of an xz stream header does not match')
  while (readBlock(cursor, check, output)) if (output.length >= enough) return
  skipIndex(cursor)
  cursor.skip(12)
}

/** False where the index begins. */
function readBlock(cursor: Cursor, check: number, output: Output): boolean {
  const headerAt = cursor.position
  const size = cursor.u8()
  if (size === 0) return false
  cursor.seek(headerAt)
  const header = readBlockHeader(cursor, cursor.take(size * 4), cursor.u32())
  const start = output.length
  const bodyAt = cursor.position
  const end = decodeLzma2(cursor.bytes, bodyAt, output)
  cursor.seek(end)
  cursor.skip((4 - ((end - bodyAt) % 4)) % 4)
  if (header.length !== undefined && header.length !== output.length - start) {
    throw cursor.fail(`an xz block holds ${output.length - start} bytes, its header says ${header.length}`)
  }
  const content = output.bytes.subarray(start, output.length)
  for (const distance of header.deltas.toReversed()) undelta(content, distance)
  verify(cursor, check, content)
  return true
}

function readBlockHeader(outer: Cursor, bytes: Uint8Array, checksum: number): BlockHeader {
  if (crc32(bytes) !== checksum) throw outer.fail('the checksum of an xz block header does not match')
  const cursor = new Cursor(bytes, 'little')
  cursor.skip(1)
  const flags = cursor.u8()
  if ((flags & 0x3c) !== 0) throw outer.fail(`xz block flags ${flags} are not defined`)
  if (flags & 0x40) variableInteger(cursor)
  const length = flags & 0x80 ? variableInteger(cursor) : undefined
  const deltas: number[] = []
  const count = (flags & 3) + 1
  for (let filter = 0; filter < count; filter++) {
    const id = variableInteger(cursor)
    const properties = cursor.take(variableInteger(cursor))
    const isLast = filter === count - 1
    if (id === FILTER_DELTA && !isLast) deltas.push((properties[0] ?? 0) + 1)
    else if (id !== FILTER_LZMA2 || !isLast) throw unsupported(`xz filter ${id}`, `xz filter ${id} is not decoded`)
  }
  return { deltas, length }
}

function verify(cursor: Cursor, check: number, content: Uint8Array): void {
  const stored = cursor.take(CHECK_LENGTHS[check] ?? 0)
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
  const matches =
    check === 1
      ? view.getUint32(0, true) === crc32(content)
      : check === 4
        ? view.getBigUint64(0, true) === crc64(content)
        : check === 10
          ? createHash('sha256').update(content).digest().equals(stored)
          : true
  if (!matches) throw malformed('the checksum of an xz block does not match: the chunk is damaged')
}

function skipIndex(cursor: Cursor): void {
  const start = cursor.position - 1
  const records = variableInteger(cursor)
  if (records > cursor.remaining) throw cursor.fail(`an xz index says ${records} records`)
  for (let i = 0; i < records * 2; i++) variableInteger(cursor)
  cursor.skip((4 - ((cursor.position - start) % 4)) % 4)
  cursor.skip(4)
}

/** Streams may follow each other, with zeros in between; false at the end. */
function skipPadding(cursor: Cursor): boolean {
  while (cursor.remaining > 0) {
    if (cursor.u8() === 0) continue
    cursor.seek(cursor.position - 1)
    return true
  }
  return false
}

function variableInteger(cursor: Cursor): number {
  let value = 0
  for (let shift = 0; shift < 49; shift += 7) {
    const byte = cursor.u8()
    value += (byte & 127) * 2 ** shift
    if (byte < 128) return value
  }
  throw cursor.fail('a number in an xz header is beyond 2^49')
}

// HDF5 File Format Specification, section IV.A "Disk Format: Level 2A - Data Object Headers".
import { malformed } from '../../../errors.ts'
import type { FileCursor } from './file-cursor.ts'
import { cursorAt, cursorOver, type Hdf5File, readAt, readUpTo, verifyChecksum } from './hdf5-file.ts'

/** One message of an object header; a shared one still has the pointer as its body. */
export interface HeaderMessage {
  readonly type: number
  readonly flags: number
  readonly bytes: Uint8Array
  /** Position of the body in the file, for errors. */
  readonly offset: number
}

/** Where a message's body is elsewhere: `shared-message.ts` fetches it. */
export const SHARED = 0x02

interface HeaderBlock {
  readonly address: number
  readonly length: number
}

interface HeaderFormat {
  readonly version: 1 | 2
  /** Version 2: each message carries its creation order. */
  readonly isOrdered: boolean
}

const CONTINUATION = 0x10
const NIL = 0
/** One read brings most headers whole. */
const FIRST_READ = 512
/** A header that is longer than this is not one: libraries keep attributes elsewhere long before. */
const MOST_HEADER_BYTES = 16_777_216
const MOST_BLOCKS = 4096
const MOST_MESSAGES = 65_536

/** All messages of an object header, those of its continuation blocks included. */
export async function readObjectHeader(
  file: Hdf5File,
  address: number,
  signal?: AbortSignal | undefined,
): Promise<readonly HeaderMessage[]> {
  const head = await readUpTo(file, address, FIRST_READ, signal)
  const isNew = head[0] === 0x4f && head[1] === 0x48
  const messages: HeaderMessage[] = []
  const first = isNew ? parsePrefix2(file, head, address) : parsePrefix1(file, head, address)
  const seen = new Set<number>([address])
  const pending: HeaderBlock[] = [first.block]
  let total = 0
  for (let block = pending.shift(); block !== undefined; block = pending.shift()) {
    total += block.length
    file.budget.spend(block.length)
    if (total > MOST_HEADER_BYTES)
      throw malformed(`an object header of more than ${MOST_HEADER_BYTES} bytes`, { offset: address })
    const bytes = await blockBytes(file, block, { bytes: head, address }, signal)
    if (isNew) verifyChecksum(bytes, 'an object header', file.base + block.address)
    const cursor = cursorAt(file, bytes, block.address)
    cursor.skip(block === first.block ? first.prefix : isNew ? 4 : 0)
    if (isNew && block !== first.block) cursorAt(file, bytes, block.address).signature('OCHK')
    const found = parseMessages(cursor, bytes.length - (isNew ? 4 : 0), first.format)
    for (const message of found) {
      if (message.type === NIL) continue
      if (messages.length >= MOST_MESSAGES) throw malformed(`more than ${MOST_MESSAGES} messages`, { offset: address })
      if (message.type !== CONTINUATION) messages.push(message)
      else pending.push(continuationOf(file, message, seen))
    }
  }
  return messages
}

async function blockBytes(
  file: Hdf5File,
  block: HeaderBlock,
  head: { readonly bytes: Uint8Array; readonly address: number },
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const at = block.address - head.address
  if (at >= 0 && at + block.length <= head.bytes.length) return head.bytes.subarray(at, at + block.length)
  return await readAt(file, block.address, block.length, signal)
}

interface FirstBlock {
  readonly block: HeaderBlock
  /** Bytes before the first message. */
  readonly prefix: number
  readonly format: HeaderFormat
}

function parsePrefix1(file: Hdf5File, head: Uint8Array, address: number): FirstBlock {
  const cursor = cursorAt(file, head, address)
  cursor.oneOf('object header version', [1])
  cursor.skip(7)
  const length = cursor.u32()
  return { block: { address, length: length + 16 }, prefix: 16, format: { version: 1, isOrdered: false } }
}

function parsePrefix2(file: Hdf5File, head: Uint8Array, address: number): FirstBlock {
  const cursor = cursorAt(file, head, address)
  cursor.signature('OHDR')
  cursor.oneOf('object header version', [2])
  const flags = cursor.u8()
  if ((flags & 0x20) !== 0) cursor.skip(16)
  if ((flags & 0x10) !== 0) cursor.skip(4)
  const length = cursor.uint(1 << (flags & 3))
  const prefix = cursor.position
  const format: HeaderFormat = { version: 2, isOrdered: (flags & 0x04) !== 0 }
  return { block: { address, length: prefix + length + 4 }, prefix, format }
}

function parseMessages(cursor: FileCursor, end: number, format: HeaderFormat): HeaderMessage[] {
  const messages: HeaderMessage[] = []
  const prefix = format.version === 1 ? 8 : format.isOrdered ? 6 : 4
  // Less than a message's prefix at the end is a gap.
  while (end - cursor.position >= prefix) {
    const type = format.version === 1 ? cursor.u16() : cursor.u8()
    const length = cursor.u16()
    const flags = cursor.u8()
    cursor.skip(prefix - (format.version === 1 ? 5 : 4))
    if (length > end - cursor.position) {
      throw cursor.fail(`a message of ${length} bytes in a header that has ${end - cursor.position} left`)
    }
    messages.push({ type, flags, offset: cursor.offset, bytes: cursor.take(length) })
  }
  return messages
}

function continuationOf(file: Hdf5File, message: HeaderMessage, seen: Set<number>): HeaderBlock {
  const cursor = cursorOver(file, message)
  const address = cursor.definedAddress('a continuation block')
  const length = cursor.length()
  if (seen.has(address) || seen.size > MOST_BLOCKS) {
    throw malformed('an object header continues where it has been', { offset: file.base + address })
  }
  seen.add(address)
  return { address, length }
}

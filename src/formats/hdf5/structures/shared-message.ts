// HDF5 File Format Specification, sections IV.A.1.c "Shared Message" and III.G "Shared Object Header Message Table".
import { malformed } from '../../../errors.ts'
import { type FractalHeap, openFractalHeap, readHeapObject } from './fractal-heap.ts'
import { cursorAt, cursorOver, type Hdf5File, readAt, verifyChecksum } from './hdf5-file.ts'
import { readObjectHeader, SHARED } from './object-header.ts'

/** A message body, and the flag that says whether it is only a pointer to one. */
export interface Shareable {
  readonly flags: number
  readonly bytes: Uint8Array
  readonly offset: number
}

/** Heaps of shared messages by message type; empty where the file has none. */
export type SharedHeaps = ReadonlyMap<number, FractalHeap>

/** Gives the body of a message, wherever it is. */
export interface MessageReader {
  readonly file: Hdf5File
  readonly heaps: SharedHeaps
  readonly signal: AbortSignal | undefined
}

const TABLE_MESSAGE = 0x0f
/** Message types by their bit in an index of the table. */
const TYPES_OF_BITS = [0x01, 0x03, 0x05, 0x0b, 0x0c]
const MOST_INDEXES = 8

/** The heaps of shared messages that the superblock extension names. */
export async function readSharedHeaps(file: Hdf5File, signal?: AbortSignal | undefined): Promise<SharedHeaps> {
  const heaps = new Map<number, FractalHeap>()
  if (file.extensionAddress === undefined) return heaps
  const extension = await readObjectHeader(file, file.extensionAddress, signal)
  const message = extension.find(({ type }) => type === TABLE_MESSAGE)
  if (message === undefined) return heaps
  const cursor = cursorOver(file, message)
  cursor.oneOf('shared message table version', [0])
  const address = cursor.definedAddress('the table of shared messages')
  const count = cursor.u8()
  if (count > MOST_INDEXES) throw cursor.fail(`${count} indexes of shared messages, expected at most ${MOST_INDEXES}`)
  const length = 4 + count * (14 + 2 * file.offsetSize) + 4
  const bytes = await readAt(file, address, length, signal)
  verifyChecksum(bytes, 'the table of shared messages', file.base + address)
  const table = cursorAt(file, bytes, address)
  table.signature('SMTB')
  for (let i = 0; i < count; i++) {
    table.skip(2)
    const types = table.u16()
    table.skip(10)
    table.address()
    const heap = table.address()
    if (heap === undefined) continue
    const opened = await openFractalHeap(file, heap, signal)
    TYPES_OF_BITS.forEach((type, bit) => {
      if ((types & (1 << bit)) !== 0) heaps.set(type, opened)
    })
  }
  return heaps
}

/** The body itself, at once where it is no pointer. */
export function resolveMessage(
  reader: MessageReader,
  type: number,
  message: Shareable,
): Shareable | Promise<Shareable> {
  return (message.flags & SHARED) === 0 ? message : readShared(reader, type, message)
}

/** A message of another object's header, or in the heap of shared messages. */
async function readShared(reader: MessageReader, type: number, message: Shareable): Promise<Shareable> {
  const { file } = reader
  const cursor = cursorOver(file, message)
  const version = cursor.oneOf('shared message version', [1, 2, 3])
  const place = cursor.u8()
  if (version === 1) cursor.skip(6)
  if (version === 3 && place === 1) {
    const heap = reader.heaps.get(type)
    if (heap === undefined) throw cursor.fail(`a shared message of type ${type}, but the file shares none`)
    const bytes = await readHeapObject(heap, cursor.take(8), reader.signal)
    return { flags: 0, bytes, offset: message.offset }
  }
  const address = cursor.definedAddress('a shared message')
  const found = (await readObjectHeader(file, address, reader.signal)).find((candidate) => candidate.type === type)
  if (found === undefined || (found.flags & SHARED) !== 0) {
    throw malformed(`the object at address ${address} has no message of type ${type} to share`, {
      offset: file.base + address,
    })
  }
  return { flags: 0, bytes: found.bytes, offset: found.offset }
}

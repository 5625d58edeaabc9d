import { isVirtualZarrError, malformed } from '../../../errors.ts'
import { LONG, LONG_UNIT, readEdition1 } from './edition1.ts'
import { readEdition2 } from './edition2.ts'
import type { Field } from './field.ts'
import type { SectionReader } from './reader.ts'

/** What a message begins with. */
export const MAGIC = 'GRIB'
/** What it ends with. */
export const END = '7777'
/** What an archive or a bulletin puts between two messages. */
const MOST_GAP = 1_048_576
const STEP = 16_384
const MOST_STEP = 524_288

/** The fields of a message, and where it ends. */
export interface Message {
  readonly fields: readonly Field[]
  readonly end: number
}

/** A message that is whole; else `malformed-source`. `isSingle`: it is said to hold one field. */
export async function readMessage(reader: SectionReader, offset: number, isSingle = false): Promise<Message> {
  const head = await reader.read(offset, 8)
  if (latin1(head.subarray(0, MAGIC.length)) !== MAGIC) {
    throw malformed(`there is no message at byte ${offset}`, { format: 'grib', offset })
  }
  const edition = head[7]
  if (edition !== 1 && edition !== 2) throw malformed(`GRIB of edition ${edition}`, { format: 'grib', offset })
  const message = edition === 1 ? await readEdition1(reader, offset) : await readEdition2(reader, offset, isSingle)
  const { end } = message
  if (end > reader.size) {
    throw malformed(`it ends at byte ${end} of a file of ${reader.size}`, { format: 'grib', offset })
  }
  if (latin1(await reader.read(end - END.length, END.length)) !== END) {
    throw malformed(`it does not end with ${END} at byte ${end}`, { format: 'grib', offset })
  }
  return { fields: 'field' in message ? [message.field] : message.fields, end }
}

/** Undefined where there is none. */
export async function messageAt(
  reader: SectionReader,
  offset: number,
  isSingle?: boolean,
): Promise<Message | undefined> {
  try {
    return await readMessage(reader, offset, isSingle)
  } catch (error) {
    if (isVirtualZarrError(error, 'malformed-source')) return undefined
    throw error
  }
}

/** Where the next message begins: here, or behind at most so many other bytes. */
export async function nextMessage(
  reader: SectionReader,
  from: number,
  most: number = MOST_GAP,
): Promise<number | undefined> {
  if (latin1(await reader.read(from, MAGIC.length)) === MAGIC) return from
  let step = STEP
  for (let at = from; at < Math.min(reader.size, from + most); ) {
    const bytes = await reader.read(at, step + MAGIC.length - 1)
    const found = latin1(bytes).indexOf(MAGIC)
    if (found >= 0) return at + found
    at += step
    step = Math.min(step * 2, MOST_STEP)
  }
  return undefined
}

/** What of a message is needed to know how long it says it is. */
export const HEAD_BYTES = 16

/** The length that the first bytes of a message declare, to 120 bytes for long ones of edition 1; undefined where bytes are missing. */
export function messageLength(head: Uint8Array): number | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (head.length < HEAD_BYTES) return undefined
  if (head[7] === 2) return Number(view.getBigUint64(8))
  const length = view.getUint32(4) >>> 8
  return (length & LONG) === 0 ? length : (length - LONG) * LONG_UNIT
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

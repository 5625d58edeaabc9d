import { MAGIC, type Message, messageAt, nextMessage } from './message.ts'
import type { SectionReader } from './reader.ts'

const MOST_STRETCHES = 64
/** Messages of one stretch, at least: else the search for its first one does not pay. */
const LEAST_MESSAGES = 8
/** What is taken for a message and is none. */
const MOST_MISTAKES = 64
const MOST_MESSAGES = 20_000

/**
 * Messages of the rest of a file by where they begin, walked to from many places at once: one after the other, each would cost a
 * request's time. What this finds counts only where the walk from the start of the file comes by: bytes of data may look like a message.
 * `longest` is how long messages are so far: no stretch is searched further for its first one.
 */
export async function readAhead(
  reader: SectionReader,
  from: number,
  longest: number,
): Promise<ReadonlyMap<number, Message>> {
  const known = new Map<number, Message>()
  const stretches = Math.min(MOST_STRETCHES, Math.floor((reader.size - from) / (longest * LEAST_MESSAGES)))
  if (stretches < 2) return known
  const length = Math.ceil((reader.size - from) / stretches)
  const starts = Array.from({ length: stretches }, (_, stretch) => from + stretch * length)
  await Promise.all(
    starts.map((start) => walk(reader.apart(), { start, end: start + length, search: longest * 2 }, known)),
  )
  return known
}

interface Stretch {
  readonly start: number
  readonly end: number
  /** How far it is searched for its first message. */
  readonly search: number
}

async function walk(
  reader: SectionReader,
  { start, end, search }: Stretch,
  known: Map<number, Message>,
): Promise<void> {
  let mistakes = 0
  for (let at = await nextMessage(reader, start, search); at !== undefined && at < end; ) {
    const message = await messageAt(reader, at)
    if (message === undefined && ++mistakes > MOST_MISTAKES) return
    if (message !== undefined) known.set(at, message)
    if (known.size > MOST_MESSAGES) return
    const next: number = message?.end ?? at + MAGIC.length
    at = await nextMessage(reader, next, Math.max(0, Math.min(search, end - next)))
  }
}

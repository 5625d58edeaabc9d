import { inParallel } from '../../../in-parallel.ts'
import type { Listing } from './listing.ts'
import { END, type Message, messageAt } from './message.ts'
import type { LoneReads, SectionReader } from './reader.ts'

/** Messages whose headers are in memory at once. */
const BATCH = 4096
/** Guesses that are tried before all others are. */
const FIRST_GUESSES = 16
const AT_ONCE = 1024
/** Of the messages named, those that are none: more, and the index is of another file, or the guess is wrong. */
const MOST_STRAY = 0.1

/**
 * The messages of an index, all of whose headers are read at once; each together with the end of the one before it. As with
 * `readAhead`, what is found counts only where the walk from the start of the file comes by.
 */
export async function readListed(
  reader: SectionReader,
  { messages }: Listing,
  lone: LoneReads,
): Promise<ReadonlyMap<number, Message>> {
  const offsets = [...messages.keys()].filter((offset) => offset >= END.length && offset < reader.size)
  return await readAt(reader, offsets, lone, { firstBatch: BATCH, isSingle: (offset) => messages.get(offset) === 1 })
}

/** The same for messages that are as long as those before them: where the next ones begin is a guess, of which few are tried first. */
export async function readEqual(
  reader: SectionReader,
  from: number,
  length: number,
  lone: LoneReads,
): Promise<ReadonlyMap<number, Message>> {
  const offsets = Array.from({ length: Math.floor((reader.size - from) / length) }, (_, index) => from + index * length)
  return await readAt(reader, offsets, lone, { firstBatch: FIRST_GUESSES, isSingle: () => false })
}

interface Named {
  readonly firstBatch: number
  /** Whether the message is said to hold one field. */
  isSingle(offset: number): boolean
}

async function readAt(
  reader: SectionReader,
  offsets: readonly number[],
  lone: LoneReads,
  { firstBatch, isSingle }: Named,
): Promise<ReadonlyMap<number, Message>> {
  const known = new Map<number, Message>()
  const most = END.length + lone.length
  for (let start = 0, batch = firstBatch; start < offsets.length; start += batch, batch = BATCH) {
    const own = offsets.slice(start, start + batch)
    // The last one ends where the next batch begins, or with the file.
    const places = [...offsets.slice(start, start + batch + 1), reader.size]
    const windows = await inParallel(places, AT_ONCE, (offset) =>
      reader.window(offset - END.length, offset < reader.size ? most : END.length),
    )
    let strays = 0
    await inParallel(own, AT_ONCE, async (offset, place) => {
      const near = windows.slice(place, place + 2)
      const message = await messageAt(reader.alone(lone, near), offset, isSingle(offset))
      if (message === undefined) strays++
      else known.set(offset, message)
    })
    if (strays > own.length * MOST_STRAY) break
  }
  return known
}

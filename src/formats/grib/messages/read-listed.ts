import { inParallel } from '../../../in-parallel.ts'
import type { Listing } from './listing.ts'
import { END, type Message, messageAt } from './message.ts'
import type { LoneReads, SectionReader } from './reader.ts'

/** Messages whose headers are in memory at once. */
const BATCH = 4096
const AT_ONCE = 1024
/** Of the messages listed, those that are none: more, and the index is of another file. */
const MOST_STRAY = 0.1

/**
 * The messages of an index, all of whose headers are read at once; each together with the end of the one before it. As with
 * `readAhead`, what is found counts only where the walk from the start of the file comes by.
 */
export async function readListed(
  reader: SectionReader,
  listing: Listing,
  lone: LoneReads,
): Promise<ReadonlyMap<number, Message>> {
  const known = new Map<number, Message>()
  const offsets = [...listing.messages.keys()].filter((offset) => offset >= END.length && offset < reader.size)
  const most = END.length + lone.length
  for (let start = 0; start < offsets.length; start += BATCH) {
    const own = offsets.slice(start, start + BATCH)
    // The last one ends where the next batch begins, or with the file.
    const places = [...offsets.slice(start, start + BATCH + 1), reader.size]
    const windows = await inParallel(places, AT_ONCE, (offset) =>
      reader.window(offset - END.length, offset < reader.size ? most : END.length),
    )
    let strays = 0
    await inParallel(own, AT_ONCE, async (offset, place) => {
      const near = windows.slice(place, place + 2)
      const message = await messageAt(reader.alone(lone, near), offset, listing.messages.get(offset) === 1)
      if (message === undefined) strays++
      else known.set(offset, message)
    })
    if (strays > own.length * MOST_STRAY) break
  }
  return known
}

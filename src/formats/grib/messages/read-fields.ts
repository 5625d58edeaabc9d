import { latin1Text } from '../../../bytes/text.ts'
import { isVirtualZarrError, malformed, overLimit } from '../../../errors.ts'
import { truncatedSource } from '../../../model/truncated-source.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import { type Field, headerBytesOf } from './field.ts'
import { findListing, type Listing } from './listing.ts'
import { HEAD_BYTES, MAGIC, type Message, messageLength, nextMessage, readMessage } from './message.ts'
import { readAhead } from './read-ahead.ts'
import { readIndexed } from './read-indexed.ts'
import { readEqual, readListed } from './read-listed.ts'
import { type LoneReads, SectionReader } from './reader.ts'

const MOST_FIELDS = 200_000
/** Messages that tell how long those of a file are. */
const SAMPLE = 4
/** A file of which more is broken is refused. */
const MOST_BROKEN = 100
/** Where messages are longer, their headers are read apart. */
const LONG_MESSAGE = 131_072
/** What is worth the two requests for an index. */
const LEAST_LISTED = 2_097_152
/** Headers of other messages may be so much longer than those of the first. */
const HEADER_UNIT = 256
const MOST_HEADER = 16_384
/** A request for each message pays where they are as long as this on average; and so many requests the open may make. */
const LEAST_MEAN = 32_768
const MOST_LISTED = 16_000
/** Where fewer of the messages are where they would be if all were equally long, they are searched for. */
const LEAST_GUESSED = 0.9

/** What a file holds. */
export interface FileContents {
  readonly fields: readonly Field[]
  /** Messages that are not whole, by where they begin: the first ones. */
  readonly broken: ReadonlyMap<number, unknown>
}

/** All fields of a file in its order, by jumps from message to message. */
export async function readFields(source: Source, context: ParseContext): Promise<FileContents> {
  // Asked for while the first message is read.
  const finding = source.size < LEAST_LISTED ? undefined : findListing(source.url, context)
  finding?.catch(() => undefined)
  const walk = new Walk(source, context, finding)
  for (let at = await nextMessage(walk.reader, 0); at !== undefined; ) at = await walk.step(at)
  const { fields, broken } = walk
  walk.compareListing()
  await walk.compareEnd()
  if (fields.length > 0) return { fields, broken }
  throw [...broken.values()][0] ?? malformed('the file holds no GRIB message', { url: source.url, format: 'grib' })
}

/** The way through a file from its first message to its last. */
class Walk {
  readonly fields: Field[] = []
  readonly broken = new Map<number, unknown>()
  reader: SectionReader
  /** The last message that is whole. */
  #last: { readonly number: number; readonly end: number } | undefined
  readonly #context: ParseContext
  readonly #finding: Promise<Listing | undefined> | undefined
  /** Messages that were read before the walk comes by. */
  #known = new Map<number, Message>()
  #listing: Listing | undefined
  readonly #starts: number[] = []
  #longest = 0
  #isAhead = false
  #lone: LoneReads = { length: MOST_HEADER }
  /** An index said what the fields are: there is no more to walk to. */
  #isIndexed = false

  constructor(source: Source, context: ParseContext, finding: Promise<Listing | undefined> | undefined) {
    this.reader = new SectionReader(source, context)
    this.#context = context
    this.#finding = finding
  }

  /** Takes the message at a place; where the next one begins. */
  async step(at: number): Promise<number | undefined> {
    const end = await this.#take(at)
    if (this.fields.length > MOST_FIELDS) throw overLimit(`more than ${MOST_FIELDS} fields`, { format: 'grib' })
    this.#starts.push(at)
    if (this.#starts.length === 1) await this.#prepare(at, end)
    if (this.#isIndexed) return undefined
    if (this.#known.has(end)) return end
    if (this.#starts.length >= SAMPLE && !this.#isAhead) {
      this.#isAhead = true
      for (const [start, message] of await this.#readOn(end)) this.#known.set(start, message)
    }
    return this.#known.has(end) ? end : await nextMessage(this.reader, end)
  }

  /** Messages that are probably behind a place: at equal distances, where all so far were equally long, else found by a search. */
  async #readOn(from: number): Promise<ReadonlyMap<number, Message>> {
    const lengths = this.#starts.map((start, index) => (this.#starts[index + 1] ?? from) - start)
    const [length = 0] = lengths
    const count = Math.floor((this.reader.size - from) / Math.max(length, 1))
    if (length >= LEAST_MEAN && count <= MOST_LISTED && lengths.every((other) => other === length)) {
      const known = await readEqual(this.reader, from, length, this.#lone)
      if (known.size >= count * LEAST_GUESSED) return known
    }
    return await readAhead(this.reader, from, this.#longest)
  }

  async #take(at: number): Promise<number> {
    try {
      const message = this.#known.get(at) ?? (await readMessage(this.reader, at))
      this.#longest = Math.max(this.#longest, message.end - at)
      this.fields.push(...message.fields)
      this.#last = { number: this.#starts.length + 1, end: message.end }
      return message.end
    } catch (error) {
      if (!isVirtualZarrError(error, 'malformed-source')) throw error
      if (this.broken.size >= MOST_BROKEN) throw error
      this.broken.set(at, error)
      return at + MAGIC.length
    }
  }

  /** What the first message tells of how the others are best read. */
  async #prepare(start: number, end: number): Promise<void> {
    const [field] = this.fields
    if (field === undefined) return
    const header = Math.ceil(headerBytesOf(field) / HEADER_UNIT + 1) * HEADER_UNIT
    const lone = { length: Math.min(header, MOST_HEADER) }
    this.#lone = lone
    if (end - start > LONG_MESSAGE) this.reader = this.reader.alone(lone)
    this.#listing = await this.#finding
    if (this.#listing === undefined) return
    const { messages, fields } = this.#listing
    const [first, second] = messages.keys()
    if (first !== start || second !== end || this.reader.size / messages.size < LEAST_MEAN) return
    const indexed = fields === undefined ? undefined : await readIndexed(this.reader, fields, lone)
    if (indexed !== undefined) {
      this.#isIndexed = true
      this.fields.splice(0, this.fields.length, ...indexed)
      this.#starts.splice(0, this.#starts.length, ...messages.keys())
      this.#last = { number: messages.size, end: this.reader.size }
    } else if (messages.size <= MOST_LISTED) {
      this.#known = new Map(await readListed(this.reader, this.#listing, lone))
    }
  }

  /** Tells of a file that ends inside of a message. */
  async compareEnd(): Promise<void> {
    const cut = await this.#cutMessage()
    if (cut === undefined) return
    const { size } = this.reader
    const last =
      this.#last === undefined
        ? 'no message is complete'
        : `the last complete one is message ${this.#last.number}, which ends at byte ${this.#last.end}`
    const end = cut.end === undefined ? '' : ` and would end at byte ${cut.end}`
    const message = `it ends at byte ${size}, inside of a message that begins at byte ${cut.offset}${end}; ${last}`
    this.#context.warn(truncatedSource(message))
  }

  /** The first message behind the last whole one that the file is too short for. */
  async #cutMessage(): Promise<{ readonly offset: number; readonly end?: number } | undefined> {
    const { reader } = this
    const from = this.#last?.end ?? 0
    for (const offset of [...this.broken.keys()].filter((offset) => offset >= from)) {
      const length = messageLength(await reader.read(offset, HEAD_BYTES))
      if (length === undefined) return { offset }
      if (offset + length > reader.size) return { offset, end: offset + length }
    }
    // The file may end within the mark that a message begins with.
    const start = Math.max(from, reader.size - MAGIC.length + 1)
    const tail = latin1Text(await reader.read(start, reader.size - start))
    const at = [...tail].findIndex((_, i) => MAGIC.startsWith(tail.slice(i)))
    return at < 0 || this.fields.length === 0 ? undefined : { offset: start + at }
  }

  /** Tells of an index that is not of this file. */
  compareListing(): void {
    const listing = this.#listing
    if (listing === undefined) return
    const { messages } = listing
    const listed = this.#starts.filter((start) => messages.has(start)).length
    const [strays, missing] = [messages.size - listed, this.#starts.length - listed]
    if (strays === 0 && missing === 0) return
    const message = `the index beside the file does not fit it: ${strays} of ${messages.size} messages are not where it says, ${missing} are not in it; it was not relied on`
    this.#context.warn({ code: 'index-does-not-fit', message })
  }
}

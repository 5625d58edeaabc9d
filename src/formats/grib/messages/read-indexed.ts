import { packingProblem } from '../../../codecs/grib/grib2-field.ts'
import { isVirtualZarrError } from '../../../errors.ts'
import { inParallel } from '../../../in-parallel.ts'
import { turn } from '../../../turns.ts'
import { readEdition2 } from './edition2.ts'
import type { FieldOfEdition2 } from './field.ts'
import type { ListedField } from './listing.ts'
import { MAGIC } from './message.ts'
import { type Header, headerPrediction, isSameHeader, type PredictHeader } from './predict-header.ts'
import type { LoneReads, SectionReader } from './reader.ts'

const EDITION_2 = 2
/** Template of section 5: numbers as they are. */
const IEEE = 4
const READS_AT_ONCE = 1024
/** Messages that are read besides one of each kind, to see whether what is predicted for them is there. */
const MAX_CHECKS = 8
/** Where more of the messages would have to be read, all of them are, as without what the lines say. */
const MAX_PART_READ = 0.7

/** A line with the message that it is about. */
interface Entry extends ListedField {
  readonly end: number
}

/** Lines that differ in their keys alone, by which the headers of all follow from one. */
interface Kind {
  readonly entries: readonly Entry[]
  /** Its message that is read first. */
  readonly sample: Entry
}

/**
 * The fields of a file by what an index beside it says: one message of each kind (a variable on one type of level) is read, and the
 * headers of the others follow from its header and from their lines. Some of them are read to see whether they do. Undefined where
 * the index says too little, or what a message does not confirm: then every header is read. A field's header is compared with what was predicted when its
 * chunk is read, so that a wrong prediction is an error and never a wrong value.
 */
export async function readIndexed(
  reader: SectionReader,
  fields: readonly ListedField[],
  lone: LoneReads,
): Promise<readonly FieldOfEdition2[] | undefined> {
  const entries = fields.map((field, index) => ({ ...field, end: fields[index + 1]?.offset ?? reader.size }))
  const kinds = kindsOf(entries)
  // Lines that say the same, or an index of a longer file.
  if (kinds === undefined || entries.some(({ offset, end }) => offset >= end)) return undefined
  const checks = checksOf(kinds, entries)
  if (kinds.length + checks.length > entries.length * MAX_PART_READ) return undefined
  const messages = new MessageReads(reader, lone)
  if (!(await messages.read([...kinds.map(({ sample }) => sample), ...checks]))) return undefined

  const unpredicted: Entry[] = []
  const headers = new Map<Entry, Header>()
  for (const { entries: own, sample } of kinds) {
    const found = messages.of(sample)
    const predict: PredictHeader | undefined =
      found === undefined || own.length === 1 ? undefined : headerPrediction(found, sample)
    for (const entry of own) {
      const wait = turn()
      if (wait !== undefined) await wait
      const header = predict?.(entry)
      const read = messages.of(entry)
      // One wrong prediction, and no other is believed.
      if (header !== undefined && read !== undefined && !isConfirmed(read, header, found)) return undefined
      if (read !== undefined) continue
      if (header === undefined) unpredicted.push(entry)
      else headers.set(entry, header)
    }
  }
  if (unpredicted.length + messages.count > entries.length * MAX_PART_READ) return undefined
  if (!(await messages.read(unpredicted))) return undefined

  const samples = new Map(kinds.flatMap(({ entries: own, sample }) => own.map((entry) => [entry, sample] as const)))
  const result: FieldOfEdition2[] = []
  for (const entry of entries) {
    const own = messages.of(entry)
    const like = own ?? messages.of(samples.get(entry) ?? entry)
    if (like === undefined) return undefined
    const header = own === undefined ? headers.get(entry) : undefined
    result.push({
      ...like,
      identification: reader.shared(header?.identification ?? like.identification),
      product: reader.shared(header?.product ?? like.product),
      offset: entry.offset,
      parts: [{ offset: entry.offset, length: entry.end - entry.offset }],
      isListed: true,
    })
  }
  return result
}

/** Undefined where two lines say the same: nobody could tell which is which. */
function kindsOf(entries: readonly Entry[]): Kind[] | undefined {
  const byKind = new Map<string, Entry[]>()
  const seen = new Set<string>()
  for (const entry of entries) {
    const { kind, time, step, level, number } = entry
    const said = JSON.stringify([kind, time, step, level, number])
    if (seen.has(said)) return undefined
    seen.add(said)
    const own = byKind.get(kind)
    if (own === undefined) byKind.set(kind, [entry])
    else own.push(entry)
  }
  return [...byKind.values()].map((own, index) => ({ entries: own, sample: spread(own, index) }))
}

/** One of the ends or the middle: samples of several kinds are not all of the first level and the first step. */
function spread(entries: readonly Entry[], index: number): Entry {
  const places = [0, entries.length - 1, Math.floor(entries.length / 2)]
  return entries[places[index % places.length] ?? 0] as Entry
}

const KEYS = ['level', 'step', 'number', 'time'] as const
/** Multiples of it are spread evenly over what lies between two whole numbers. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2

/**
 * Messages with the least and the greatest value of each key, and others from all over the file, taken from the kinds in turn; and the last
 * message, which shows where the file ends.
 */
function checksOf(kinds: readonly Kind[], entries: readonly Entry[]): Entry[] {
  const large = kinds.filter((kind) => kind.entries.length > 1)
  const samples = new Set(kinds.map(({ sample }) => sample))
  const checks = new Set<Entry>(entries.slice(-1))
  const add = (choose: (kind: Kind) => Entry | undefined): void => {
    const kind = large[checks.size % Math.max(large.length, 1)]
    const entry = kind === undefined ? undefined : choose(kind)
    if (entry !== undefined && checks.size < MAX_CHECKS && !samples.has(entry)) checks.add(entry)
  }
  for (const key of KEYS) for (const sign of [1, -1]) add((kind) => extremeOf(kind, key, sign))
  for (let turn = 1; turn <= MAX_CHECKS; turn++) {
    add(({ entries: own }) => own[Math.floor(((turn * GOLDEN_RATIO) % 1) * own.length)])
  }
  return [...checks].filter((entry) => !samples.has(entry))
}

/** The entry with the greatest (1) or least (-1) value of a key; undefined where its kind's sample has it too. */
function extremeOf({ entries, sample }: Kind, key: (typeof KEYS)[number], sign: number): Entry | undefined {
  const signed = (entry: Entry) => (entry[key] ?? 0) * sign
  const extreme = entries.reduce((best, entry) => (signed(entry) > signed(best) ? entry : best), sample)
  return extreme === sample ? undefined : extreme
}

/** The message is what was predicted of it, on the grid of the one that it was predicted by. */
function isConfirmed(read: FieldOfEdition2, header: Header, sample: FieldOfEdition2 | undefined): boolean {
  return (
    isSameHeader(read, header) &&
    read.discipline === sample?.discipline &&
    // Sections that are alike are one object.
    read.grid === sample.grid &&
    read.local === sample.local
  )
}

/** Headers of messages that an index names, read side by side. */
class MessageReads {
  readonly #reader: SectionReader
  readonly #lone: LoneReads
  readonly #messages = new Map<number, FieldOfEdition2>()

  constructor(reader: SectionReader, lone: LoneReads) {
    this.#reader = reader
    this.#lone = lone
  }

  get count(): number {
    return this.#messages.size
  }

  of({ offset }: Entry): FieldOfEdition2 | undefined {
    return this.#messages.get(offset)
  }

  /** False where one of them is no message of one field, as long as the index says, whose values this service decodes. */
  async read(entries: readonly Entry[]): Promise<boolean> {
    let areFound = true
    await inParallel(new Set(entries), READS_AT_ONCE, async (entry) => {
      const field = areFound && !this.#messages.has(entry.offset) ? await this.#read(entry) : undefined
      if (field !== undefined) this.#messages.set(entry.offset, field)
      else if (!this.#messages.has(entry.offset)) areFound = false
    })
    return areFound
  }

  async #read({ offset, end }: Entry): Promise<FieldOfEdition2 | undefined> {
    const window = await this.#reader.window(offset, this.#lone.length)
    const { bytes } = window
    if (Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') !== MAGIC || bytes[7] !== EDITION_2)
      return undefined
    try {
      const message = await readEdition2(this.#reader.alone(this.#lone, [window]), offset, true)
      const [field] = message.fields
      if (message.end !== end || message.fields.length !== 1 || field === undefined) return undefined
      const template = (field.packing[4] ?? 0) * 256 + (field.packing[5] ?? 0)
      // Numbers that pass as they are have a place of their own in each message, which the index doesn't name.
      return template !== IEEE && packingProblem(template) === undefined ? field : undefined
    } catch (error) {
      if (isVirtualZarrError(error, 'malformed-source')) return undefined
      throw error
    }
  }
}

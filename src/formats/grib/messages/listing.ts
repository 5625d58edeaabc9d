// Indexes that archives keep beside their files: `.idx` as wgrib2 prints it (NOAA), `.index` of a JSON object a line (ECMWF). Where
// messages begin is a hint: the messages themselves decide. What a line says of a field is believed where messages of its kind confirm it,
// and checked again when the field's chunk is read.

import { malformed } from '../../../errors.ts'
import type { ParseContext } from '../../format.ts'
import { readSidecar, type SidecarKind } from '../../sidecar.ts'
import { secondsOf } from '../describe/times.ts'

/** What an index says of a file. */
export interface Listing {
  /** Where messages begin, in order, and how many fields are listed of each. */
  readonly messages: ReadonlyMap<number, number>
  /** What the lines say, in the order of the file; undefined where lines are missing, or don't say what a field is. */
  readonly fields: readonly ListedField[] | undefined
}

/** A line of an index: a message of one field. */
export interface ListedField extends ListedKeys {
  readonly offset: number
  /** All else that the line says: fields that differ only in the keys have the same. */
  readonly kind: string
}

/** What an index says in numbers. */
export interface ListedKeys {
  /** The reference time, in seconds since 1970. */
  readonly time: number | undefined
  /** Seconds from the reference time on. */
  readonly step: number | undefined
  /** In the index's unit. */
  readonly level: number | undefined
  /** Of a member of an ensemble. */
  readonly number: number | undefined
}

/** A document for the fields of the largest file. */
const MOST_BYTES = 64 * 1024 * 1024
/** A thousand fields in either form. */
const HEAD_BYTES = 512 * 1024

/** Lines that are read as more than offsets: a file has no more fields than this. */
const MAX_FIELDS_DESCRIBED = 200_000

const IDX_LINE = /^\d+(?:\.\d+)?:(\d+):/
const INDEX_LINE = /^\s*\{.*"_offset"\s*:\s*(\d+)\s*[,}]/
const EXTENSION = /\.gri?b[12]?$/i

/** `1:0:d=2021010100:PRMSL:mean sea level:anl:` */
const IDX = kindOf('index of messages', IDX_LINE, fieldsOfIdx)
/** `{"param": "2t", …, "_offset": 0, "_length": 609046}` */
const INDEX = kindOf('index of messages', INDEX_LINE, fieldsOfIndex)

/** What lies beside a file, if anything does. */
export async function findListing(url: string, context: ParseContext): Promise<Listing | undefined> {
  const { pathname, search } = new URL(url)
  // The same query may be another file's, or a signature that is good for one.
  if (search !== '' || pathname.endsWith('/')) return undefined
  const [idx, index] = await Promise.all([
    readSidecar(IDX, `${url}.idx`, context),
    readSidecar(INDEX, `${url.replace(EXTENSION, '')}.index`, context),
  ])
  return idx ?? index
}

/** What lines say of fields; undefined where they don't say it of all. */
type ReadFields = (lines: readonly string[]) => ListedField[] | undefined

function kindOf(name: string, line: RegExp, readFields: ReadFields): SidecarKind<Listing> {
  return {
    name,
    mostBytes: MOST_BYTES,
    headBytes: HEAD_BYTES,
    accepts: (head) => line.test(Buffer.from(head).toString('latin1').split('\n', 1)[0] ?? ''),
    parse: (text) => listingOf(text, line, readFields),
  }
}

function listingOf(text: string, pattern: RegExp, readFields: ReadFields): Listing {
  const offsets: number[] = []
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  for (const line of lines) {
    const offset = Number(pattern.exec(line)?.[1] ?? Number.NaN)
    if (!Number.isSafeInteger(offset)) throw malformed(`the line ${JSON.stringify(line.slice(0, 80))} names no offset`)
    offsets.push(offset)
  }
  const messages = new Map<number, number>()
  for (const offset of offsets.sort((one, other) => one - other)) messages.set(offset, (messages.get(offset) ?? 0) + 1)
  const isOneEach = messages.size === lines.length && lines.length <= MAX_FIELDS_DESCRIBED
  return { messages, fields: isOneEach ? readFields(lines) : undefined }
}

const DATE = /^d=(\d{4})(\d\d)(\d\d)(\d\d)$/
const LEVEL = /^(-?\d+(?:\.\d+)?) (.+)$/
const FORECAST = /^(\d+) (min|hour|day) fcst$/
const MEMBER = /^ENS=([+-])(\d+)$/
const SECONDS: Readonly<Record<string, number>> = { min: 60, hour: 3600, day: 86_400 }

/** Lines of wgrib2. Their numbers run from 1 on: where one is missing, so is a line. */
function fieldsOfIdx(lines: readonly string[]): ListedField[] | undefined {
  const fields: ListedField[] = []
  for (const line of lines) {
    const [number, offset, date = '', name = '', level = '', forecast = '', ...rest] = line.trimEnd().split(':')
    const said = DATE.exec(date)
    if (number !== String(fields.length + 1) || said === null) return undefined
    const ofLevel = LEVEL.exec(level)
    const ofStep = FORECAST.exec(forecast)
    const members = rest.map((part) => MEMBER.exec(part))
    const [year, month, day, hour] = said.slice(1).map(Number)
    const kind = [
      name,
      ofLevel === null ? level : `# ${ofLevel[2]}`,
      ofStep === null ? forecast : '# fcst',
      ...rest.map((part, index) => (members[index] == null ? part : `ENS=${members[index][1]}#`)),
    ]
    fields.push({
      offset: Number(offset),
      kind: kind.join(':'),
      time: secondsOf(year ?? 0, month ?? 0, day ?? 0, hour ?? 0, 0),
      step: ofStep === null ? undefined : Number(ofStep[1]) * (SECONDS[ofStep[2] ?? ''] ?? Number.NaN),
      level: ofLevel === null ? undefined : Number(ofLevel[1]),
      number: numberOf(members.find((member) => member !== null)?.[2]),
    })
  }
  return inOrder(fields) ? fields : undefined
}

const KEYS_OF_INDEX: ReadonlySet<string> = new Set(['date', 'time', 'step', 'levelist', 'number', '_offset', '_length'])
const WHOLE = /^\d+$/
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** Lines of ECMWF. They say how long messages are: where those leave a gap, a line is missing. */
function fieldsOfIndex(lines: readonly string[]): ListedField[] | undefined {
  const fields: ListedField[] = []
  const ends = new Map<number, number>()
  for (const line of lines) {
    const keys = parsedLine(line)
    if (keys === undefined) return undefined
    const [offset, length] = [Number(keys.get('_offset')), Number(keys.get('_length'))]
    const [date, time, step, level] = ['date', 'time', 'step', 'levelist'].map((key) => keys.get(key))
    const isTime = date !== undefined && /^\d{8}$/.test(date) && time !== undefined && /^\d{4}$/.test(time)
    if (!isTime || !Number.isSafeInteger(length)) return undefined
    const isStep = step !== undefined && WHOLE.test(step)
    const isLevel = level !== undefined && DECIMAL.test(level)
    const other = [...keys].filter(([key]) => !KEYS_OF_INDEX.has(key)).map(([key, value]) => `${key}=${value}`)
    const words = [isStep ? '#' : step, isLevel ? '#' : level]
    const part = (text: string, from: number, to: number) => Number(text.slice(from, to))
    fields.push({
      offset,
      kind: [...other.sort(), ...words].join(),
      time: secondsOf(part(date, 0, 4), part(date, 4, 6), part(date, 6, 8), part(time, 0, 2), part(time, 2, 4)),
      step: isStep ? Number(step) * 3600 : undefined,
      level: isLevel ? Number(level) : undefined,
      number: numberOf(keys.get('number')),
    })
    ends.set(offset, offset + length)
  }
  fields.sort((one, other) => one.offset - other.offset)
  const isWhole = fields.every(
    ({ offset }, index) => index === 0 || ends.get(fields[index - 1]?.offset ?? 0) === offset,
  )
  return isWhole ? fields : undefined
}

function parsedLine(line: string): ReadonlyMap<string, string> | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (typeof value !== 'object' || value === null) return undefined
  return new Map(
    Object.entries(value).map(([key, each]) => [key, typeof each === 'string' ? each : JSON.stringify(each)]),
  )
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && WHOLE.test(text) ? Number(text) : undefined
}

function inOrder(fields: readonly ListedField[]): boolean {
  return fields.every(({ offset }, index) => index === 0 || offset > (fields[index - 1]?.offset ?? 0))
}

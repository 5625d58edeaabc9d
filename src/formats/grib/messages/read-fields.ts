import { isVirtualZarrError, malformed, overLimit } from '../../../errors.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import type { Field } from './field.ts'
import { MAGIC, type Message, nextMessage, readMessage } from './message.ts'
import { readAhead } from './read-ahead.ts'
import { SectionReader } from './reader.ts'

const MOST_FIELDS = 200_000
/** Messages that tell how long those of a file are. */
const SAMPLE = 4
/** A file of which more is broken is refused. */
const MOST_BROKEN = 100

/** What a file holds. */
export interface FileContents {
  readonly fields: readonly Field[]
  /** Messages that are not whole, by where they begin: the first ones. */
  readonly broken: ReadonlyMap<number, unknown>
}

/** All fields of a file in its order, by jumps from message to message. */
export async function readFields(source: Source, context: ParseContext): Promise<FileContents> {
  const reader = new SectionReader(source, context)
  const fields: Field[] = []
  const broken = new Map<number, unknown>()
  let known: ReadonlyMap<number, Message> = new Map()
  let walked = 0
  let longest = 0
  for (let at = await nextMessage(reader, 0); at !== undefined; ) {
    let end = at + MAGIC.length
    try {
      const message = known.get(at) ?? (await readMessage(reader, at))
      end = message.end
      longest = Math.max(longest, end - at)
      fields.push(...message.fields)
    } catch (error) {
      if (!isVirtualZarrError(error, 'malformed-source')) throw error
      if (broken.size >= MOST_BROKEN) throw error
      broken.set(at, error)
    }
    if (fields.length > MOST_FIELDS) throw overLimit(`more than ${MOST_FIELDS} fields`, { format: 'grib' })
    if (++walked === SAMPLE) known = await readAhead(reader, end, longest)
    at = known.has(end) ? end : await nextMessage(reader, end)
  }
  if (fields.length > 0) return { fields, broken }
  throw [...broken.values()][0] ?? malformed('the file holds no GRIB message', { url: source.url, format: 'grib' })
}

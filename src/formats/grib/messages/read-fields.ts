import { isVirtualZarrError, malformed, overLimit } from '../../../errors.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import { readEdition1 } from './edition1.ts'
import { readEdition2 } from './edition2.ts'
import type { Field } from './field.ts'
import { SectionReader } from './reader.ts'

const MAGIC = 'GRIB'
const END = '7777'
/** What an archive or a bulletin puts between two messages. */
const MOST_GAP = 1_048_576
const STEP = 16_384
const MOST_FIELDS = 200_000
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
  for (let at = await nextMessage(reader, 0); at !== undefined; ) {
    let end = at + MAGIC.length
    try {
      const message = await readMessage(reader, at)
      end = message.end
      fields.push(...message.fields)
    } catch (error) {
      if (!isVirtualZarrError(error, 'malformed-source')) throw error
      if (broken.size >= MOST_BROKEN) throw error
      broken.set(at, error)
    }
    if (fields.length > MOST_FIELDS) throw overLimit(`more than ${MOST_FIELDS} fields`, { format: 'grib' })
    at = await nextMessage(reader, end)
  }
  if (fields.length > 0) return { fields, broken }
  throw [...broken.values()][0] ?? malformed('the file holds no GRIB message', { url: source.url, format: 'grib' })
}

async function readMessage(reader: SectionReader, offset: number): Promise<{ fields: readonly Field[]; end: number }> {
  const edition = (await reader.read(offset, 8))[7]
  if (edition !== 1 && edition !== 2) throw malformed(`GRIB of edition ${edition}`, { format: 'grib', offset })
  const message = edition === 1 ? await readEdition1(reader, offset) : await readEdition2(reader, offset)
  const { end } = message
  if (end > reader.size) {
    throw malformed(`it ends at byte ${end} of a file of ${reader.size}`, { format: 'grib', offset })
  }
  if (latin1(await reader.read(end - END.length, END.length)) !== END) {
    throw malformed(`it does not end with ${END} at byte ${end}`, { format: 'grib', offset })
  }
  return { fields: 'field' in message ? [message.field] : message.fields, end }
}

/** Where the next message begins: here, or behind other bytes. */
async function nextMessage(reader: SectionReader, from: number): Promise<number | undefined> {
  if (latin1(await reader.read(from, MAGIC.length)) === MAGIC) return from
  for (let at = from; at < Math.min(reader.size, from + MOST_GAP); at += STEP) {
    const bytes = await reader.read(at, STEP + MAGIC.length - 1)
    const found = latin1(bytes).indexOf(MAGIC)
    if (found >= 0) return at + found
  }
  return undefined
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

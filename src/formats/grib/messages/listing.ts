// Indexes that archives keep beside their files: `.idx` as wgrib2 prints it (NOAA), `.index` of a JSON object a line (ECMWF). Only where
// messages begin is taken from them, and only as a hint: everything else is read from the messages themselves.

import { malformed } from '../../../errors.ts'
import type { ParseContext } from '../../format.ts'
import { readSidecar, type SidecarKind } from '../../sidecar.ts'

/** Where messages begin, in order, and how many fields are listed of each. */
export type Listing = ReadonlyMap<number, number>

/** A document for the fields of the largest file. */
const MOST_BYTES = 64 * 1024 * 1024
/** A thousand fields in either form. */
const HEAD_BYTES = 512 * 1024

const IDX_LINE = /^\d+(?:\.\d+)?:(\d+):/
const INDEX_LINE = /^\s*\{.*"_offset"\s*:\s*(\d+)\s*[,}]/
const EXTENSION = /\.gri?b[12]?$/i

/** `1:0:d=2021010100:PRMSL:mean sea level:anl:` */
const IDX = kindOf('index of messages', IDX_LINE)
/** `{"param": "2t", …, "_offset": 0, "_length": 609046}` */
const INDEX = kindOf('index of messages', INDEX_LINE)

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

function kindOf(name: string, line: RegExp): SidecarKind<Listing> {
  return {
    name,
    mostBytes: MOST_BYTES,
    headBytes: HEAD_BYTES,
    accepts: (head) => line.test(Buffer.from(head).toString('latin1').split('\n', 1)[0] ?? ''),
    parse: (text) => listingOf(text, line),
  }
}

function listingOf(text: string, pattern: RegExp): Listing {
  const offsets: number[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const offset = Number(pattern.exec(line)?.[1] ?? Number.NaN)
    if (!Number.isSafeInteger(offset)) throw malformed(`the line ${JSON.stringify(line.slice(0, 80))} names no offset`)
    offsets.push(offset)
  }
  const fields = new Map<number, number>()
  for (const offset of offsets.sort((one, other) => one - other)) fields.set(offset, (fields.get(offset) ?? 0) + 1)
  return fields
}

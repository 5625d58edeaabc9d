import { endOf } from '../../bytes/byte-range.ts'
import { latin1Text } from '../../bytes/text.ts'
import { type ErrorContext, malformed, overLimit } from '../../errors.ts'
import { encodingGuessed } from '../../model/guessed-text.ts'
import { truncatedSource } from '../../model/truncated-source.ts'
import { MOST_NODES } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import type { Card } from './card.ts'
import { endOfHdu, type Hdu, hduOf } from './hdu.ts'
import { BLOCK_BYTES, type Header, headerOf, parseCards } from './header.ts'
import { HeaderPrefetch } from './header-prefetch.ts'

/** The first read of a header: most fit into this. */
const READ_BYTES = 10 * BLOCK_BYTES
/** Fifty thousand records. */
const MOST_HEADER_BYTES = 4_194_304
/** Records of all headers together: each of them ends up in a document. */
const MOST_CARDS = 500_000
const MOST_HDUS = 10_000
const MOST_NAMED = 20
const XTENSION = 'XTENSION'

/** All HDUs of a file, from header to header: of the data nothing is read. */
export async function readHdus(source: Source, context: ParseContext): Promise<Hdu[]> {
  const prefetch = new HeaderPrefetch(source, context)
  try {
    return await walkHdus(source, prefetch, context)
  } finally {
    prefetch.stop()
  }
}

async function walkHdus(source: Source, prefetch: HeaderPrefetch, context: ParseContext): Promise<Hdu[]> {
  const hdus: Hdu[] = []
  let [cards, columns] = [0, 0]
  let readBytes = READ_BYTES
  for (let offset = 0; offset < source.size; ) {
    const index = hdus.length
    if (index >= MOST_HDUS) throw overLimit(`more than ${MOST_HDUS} HDUs`, { format: 'fits', offset })
    prefetch.prepare(offset, readBytes)
    const start = await source.read({ offset, length: Math.min(readBytes, source.size - offset) }, context)
    if (index > 0 && !isExtension(start, offset, context)) break
    const read = await readHeader(source, start, index, offset, context)
    if (read === undefined) {
      warnOfCutHeader(hdus, source, offset, context)
      return hdus
    }
    const { header, length } = read
    cards += header.cards.length
    if (cards > MOST_CARDS) throw overLimit(`more than ${MOST_CARDS} keyword records`, { format: 'fits', offset })
    columns += Number(header.values.get('TFIELDS') ?? 0)
    // Each becomes an array.
    if (columns > MOST_NODES) throw overLimit(`more than ${MOST_NODES} columns of tables`, { format: 'fits', offset })
    const hdu = hduOf(header, index, offset + length)
    hdus.push(hdu)
    const end = endOfHdu(hdu)
    prefetch.add(end - offset)
    // The next header is probably about as long as this one. A longer read would more often reach into a second page.
    readBytes = Math.min(length + BLOCK_BYTES, READ_BYTES)
    offset = end
  }
  warnOfCutFile(hdus, source, context)
  return hdus
}

/** Section 3.5: behind the last HDU anything may lie ("special records"), which is not for readers of the standard. `start` is what was read there. */
function isExtension(start: Uint8Array, offset: number, context: ParseContext): boolean {
  const bytes = start.subarray(0, BLOCK_BYTES)
  const keyword = latin1Text(bytes.subarray(0, XTENSION.length))
  if (keyword === XTENSION) return true
  // The file may end within the first keyword of a header.
  if (bytes.length < XTENSION.length && XTENSION.startsWith(keyword)) return true
  if (bytes.some((byte) => byte !== 0 && byte !== 0x20)) {
    const message = `what follows the last HDU at byte ${offset} is no extension: it is left out`
    context.warn({ code: 'trailing-bytes', message })
  }
  return false
}

/** Undefined where the file ends within the header of an extension; a file without a first header is refused. `start` is its first bytes. */
async function readHeader(
  source: Source,
  start: Uint8Array,
  index: number,
  offset: number,
  context: ParseContext,
): Promise<{ readonly header: Header; readonly length: number } | undefined> {
  const place: ErrorContext = { url: source.url, format: 'fits', offset }
  const cards: Card[] = []
  const guessed: string[] = []
  const most = Math.min(source.size - offset, MOST_HEADER_BYTES)
  let bytes = start
  for (let length = 0; ; ) {
    const run = parseCards(bytes)
    cards.push(...run.cards)
    guessed.push(...run.guessed)
    if (run.isEnd) {
      if (guessed.length > 0) context.warn(encodingGuessed('text', guessedRecords(guessed, index), undefined, guessed))
      const end = (cards.length + 1) * 80
      return { header: headerOf(cards, place), length: Math.ceil(end / BLOCK_BYTES) * BLOCK_BYTES }
    }
    length += bytes.length
    if (length >= most) break
    bytes = await source.read({ offset: offset + length, length: Math.min(READ_BYTES, most - length) }, context)
  }
  if (most === MOST_HEADER_BYTES) throw overLimit(`a header of more than ${MOST_HEADER_BYTES} bytes`, place)
  if (index > 0) return undefined
  throw malformed('the header has no END: the file is cut off, or is no FITS file', place)
}

function guessedRecords(keywords: readonly string[], index: number): string {
  const named = [...new Set(keywords)].slice(0, MOST_NAMED)
  return `text in the header of HDU ${index} (${named.join(', ')}${keywords.length > named.length ? ', …' : ''})`
}

/** astropy opens such a file, too, without the HDU whose header is cut. */
function warnOfCutHeader(hdus: readonly Hdu[], { size }: Source, offset: number, context: ParseContext): void {
  const message = `it ends at byte ${size}, inside the header of HDU ${hdus.length} that begins at byte ${offset}; ${lastComplete(hdus, size)}`
  context.warn(truncatedSource(message))
}

/** Metadata is served all the same; the chunks that are not in the file fail when they are read. */
function warnOfCutFile(hdus: readonly Hdu[], { size }: Source, context: ParseContext): void {
  const last = hdus.at(-1)
  if (last === undefined || endOf(last.data) <= size) return
  const message = `it has ${size} bytes, and the data of HDU ${last.index} end at byte ${endOf(last.data)}; ${lastComplete(hdus, size)}`
  context.warn(truncatedSource(message))
}

function lastComplete(hdus: readonly Hdu[], size: number): string {
  const last = hdus.findLast(({ data }) => endOf(data) <= size)
  if (last === undefined) return 'no HDU is complete'
  return `the last complete one is HDU ${last.index}, which ends at byte ${endOf(last.data)}`
}

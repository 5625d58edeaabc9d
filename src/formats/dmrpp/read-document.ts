import { SaxesParser } from 'saxes'
import { partsOf } from '../../bytes/feed.ts'
import { anyTextOf, latin1Text } from '../../bytes/text.ts'
import { type ErrorContext, isVirtualZarrError, malformed, overLimit } from '../../errors.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import { turn } from '../../turns.ts'
import type { DmrDocument } from './document.ts'
import { DocumentBuilder } from './document-builder.ts'
import { elementAttributes } from './element-attributes.ts'

/** What opening brought along is read as such; the rest in one stream, whatever its length. */
const FIRST_BYTES = 65_536
/** Text that is parsed before others get their turn. */
const STEP_BYTES = 65_536
/** Of one element. */
const MOST_ATTRIBUTES = 1000
/** Of one text, one tag or one comment: the parser holds it as a whole, some times over. */
const MOST_HELD = 2 ** 24

/** The mark of UTF-8 before a document, as it looks with a character for every byte. */
const BYTE_ORDER_MARK = /^\u00ef\u00bb\u00bf/

/**
 * Reads a document as it comes: of a long one no more is held than what it describes. Writers of DMR++ declare ISO-8859-1,
 * mostly write UTF-8, and pass on the text of other files as it is: it is parsed with a character for every byte, and each
 * text in it decoded by itself.
 */
export async function readDocument(source: Source, options: ReadOptions): Promise<DmrDocument> {
  const context: ErrorContext = { url: source.url, format: 'dmrpp' }
  const builder = new DocumentBuilder()
  const told = { hasLeadingText: false, hasGuessedText: false }
  const decoded = (text: string) =>
    anyTextOf(text, () => {
      told.hasGuessedText = true
    })
  let held = 0
  const parser = openParser(builder, decoded, context, () => {
    held = 0
  })
  let isStarted = false
  const write = (text: string) => {
    held += text.length
    if (held > MOST_HELD) throw overLimit(`a text or a tag of more than ${MOST_HELD} characters`, context)
    const start = isStarted ? 0 : text.indexOf('<')
    const leading = start === -1 ? text : text.slice(0, start)
    if (!isStarted && leading.replace(BYTE_ORDER_MARK, '').trim() !== '') told.hasLeadingText = true
    isStarted ||= start !== -1
    if (isStarted) parse(() => parser.write(start > 0 ? text.slice(start) : text), context)
  }
  for await (const bytes of pieces(source, options)) {
    options.signal?.throwIfAborted()
    write(latin1Text(bytes))
  }
  parse(() => parser.close(), context)
  return builder.document(told)
}

async function* pieces(source: Source, options: ReadOptions): AsyncGenerator<Uint8Array> {
  const first = Math.min(FIRST_BYTES, source.size)
  yield await source.read({ offset: 0, length: first }, options)
  if (first === source.size) return
  const rest = await source.feed({ offset: first, length: source.size - first }, options)
  for await (const piece of partsOf(rest)) {
    for (let at = 0; at < piece.length; at += STEP_BYTES) {
      yield piece.subarray(at, at + STEP_BYTES)
      const wait = turn()
      if (wait !== undefined) await wait
    }
  }
}

/** Namespaces are not looked at: there are two spellings of each, and local names don't clash. */
function openParser(
  builder: DocumentBuilder,
  decoded: (text: string) => string,
  context: ErrorContext,
  tagIsOver: () => void,
): SaxesParser {
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw malformed(`the document is no XML: ${error.message}`, context)
  })
  parser.on('doctype', () => {
    throw malformed('the document has a document type declaration (DOCTYPE), which is refused', context)
  })
  let attributes = 0
  parser.on('attribute', () => {
    if (++attributes > MOST_ATTRIBUTES)
      throw overLimit(`an element has more than ${MOST_ATTRIBUTES} attributes`, context)
  })
  parser.on('opentag', ({ name, attributes: ofElement }) => {
    attributes = 0
    tagIsOver()
    builder.open(localName(name), elementAttributes(ofElement, decoded))
  })
  parser.on('text', (text) => builder.text(decoded(text)))
  parser.on('cdata', (text) => builder.text(decoded(text)))
  parser.on('closetag', () => {
    tagIsOver()
    builder.close()
  })
  return parser
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

function parse(step: () => unknown, context: ErrorContext): void {
  try {
    step()
  } catch (error) {
    if (isVirtualZarrError(error)) throw error
    throw malformed('the document is no XML', context, error)
  }
}

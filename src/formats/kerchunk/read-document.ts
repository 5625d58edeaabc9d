// The specification of references for fsspec, versions 0 and 1: https://fsspec.github.io/kerchunk/spec.html
import { anyText } from '../../bytes/text.ts'
import { type ErrorContext, malformed } from '../../errors.ts'
import type { Json } from '../../json/json.ts'
import { parseJson } from '../../json/parse.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import { Collected } from './collected.ts'
import { DocumentWindow } from './document-window.ts'
import { CLOSE_BRACE, COLON, COMMA, type JsonScanner, OPEN_BRACE, QUOTE, type TextToken } from './json-scanner.ts'

/** Templates and generators: small in every document that anyone writes. */
const MOST_PART_BYTES = 4 * 2 ** 20

/** What a document of version 0 or 1 says. */
export interface KerchunkDocument {
  readonly collected: Collected
  readonly templates: Json | undefined
  readonly gen: Json | undefined
}

/** Reads a document once, from its beginning to its end. */
export async function readDocument(
  source: Source,
  options: ReadOptions,
  place: ErrorContext,
): Promise<KerchunkDocument> {
  const window = new DocumentWindow(source, options, place)
  const collected = new Collected(place)
  const parts = new Map<string, Json>()
  try {
    await window.scan((scanner) => scanner.expect(OPEN_BRACE, 'an object'))
    await topMembers(window, collected, parts, place)
    await window.scan((scanner) => {
      if (scanner.peek() !== -1) throw scanner.fail('the end of the document')
    })
  } finally {
    await window.close()
  }
  const version = parts.get('version')
  if (version !== undefined && version !== 0 && version !== 1) {
    throw malformed('the version of the references is neither 0 nor 1', place)
  }
  return { collected, templates: parts.get('templates'), gen: parts.get('gen') }
}

async function topMembers(
  window: DocumentWindow,
  collected: Collected,
  parts: Map<string, Json>,
  place: ErrorContext,
): Promise<void> {
  const top = { isFirst: true }
  let hasRefs = false
  let isInRefs = true
  while (isInRefs) {
    isInRefs = false
    await window.scanEach((scanner) => {
      const name = nextMember(scanner, top)
      if (name === undefined) return false
      const word = name.end - name.start <= 9 ? scanner.decoded(name) : ''
      if (word === 'refs' && scanner.skip(OPEN_BRACE)) isInRefs = true
      else if (word === 'version' || word === 'templates' || word === 'gen') parts.set(word, part(scanner, place))
      else if (hasRefs) scanner.value()
      else collected.entry(scanner, name)
      top.isFirst = false
      return !isInRefs
    })
    if (isInRefs) await readReferences(window, collected)
    hasRefs = true
  }
}

async function readReferences(window: DocumentWindow, collected: Collected): Promise<void> {
  const refs = { isFirst: true }
  await window.scanEach((scanner) => {
    const name = nextMember(scanner, refs)
    if (name === undefined) return false
    collected.entry(scanner, name)
    refs.isFirst = false
    return true
  })
}

/** The name of the next member, behind whose colon the scanner then stands; undefined at the end of the object. */
function nextMember(scanner: JsonScanner, { isFirst }: { readonly isFirst: boolean }): TextToken | undefined {
  if (scanner.skip(CLOSE_BRACE)) return undefined
  if (!isFirst) scanner.expect(COMMA, 'a comma or a closing brace')
  if (scanner.peek() !== QUOTE) throw scanner.fail('a name in quotes')
  const name = scanner.text()
  scanner.expect(COLON, 'a colon')
  return name
}

function part(scanner: JsonScanner, place: ErrorContext): Json {
  const { start, end } = scanner.value()
  if (end - start > MOST_PART_BYTES) throw malformed('templates or gen is too long', place)
  return parseJson(anyText(scanner.bytes.subarray(start, end)), { lenient: true, context: place })
}

import { malformed } from '../../errors.ts'
import type { VirtualNode } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { Format, ParseContext } from '../format.ts'
import { treeOf } from '../zarr-documents/to-tree.ts'
import { splitKey } from './chunk-key.ts'
import { nodesOf } from './nodes.ts'
import { readParquetSet } from './parquet/parquet-set.ts'
import { placeReferences } from './place-references.ts'
import { readDocument } from './read-document.ts'
import { ReferenceTargets } from './reference-targets.ts'
import { generate } from './template/generate.ts'
import { parseTemplates } from './template/templates.ts'
import { withTexts } from './text-members.ts'

/** References as Kerchunk writes them: JSON of version 0 and 1, and Parquet sets. */
export const kerchunk: Format = {
  name: 'kerchunk',
  isIndex: true,
  saysAtEnd: isNamedAsSet,
  recognises: (head, url, tail) => isReferenceDocument(url, head) || isParquetSet(url, head, tail),
  parse: (source, context) =>
    isNamedAsSet(new URL(source.url)) ? readParquetSet(source, context) : readJsonReferences(source, context),
}

async function readJsonReferences(source: Source, context: ParseContext): Promise<VirtualNode> {
  const place = { url: source.url, format: 'kerchunk' }
  const warn = context.warn.bind(context)
  const { collected, templates: texts, gen } = await readDocument(source, { signal: context.signal }, place)
  const templates = parseTemplates(texts, place)
  await generate(gen, templates, (key, url, at) => collected.generated(key, url, at), place)
  const nodes = nodesOf(collected.metadata, place, warn)
  if (nodes.size === 0) throw malformed('the references hold no .zgroup, .zarray or zarr.json', place)
  if (collected.otherKeys > 0) {
    const message = `${collected.otherKeys} keys name neither metadata nor chunks, and are passed over`
    warn({ code: 'keys-passed-over', message })
  }
  const { classes, urls, inline } = collected
  urls.freeze()
  const targets = new ReferenceTargets({ source, context, inline: inline.finished(), urls, templates })
  return withTexts(await treeOf(nodes, source.url, context, placeReferences(classes, targets, warn)))
}

/** Names by which folders of Zarr are found: those documents are no references. */
const ZARR_DOCUMENT = /(?:^|\/)(?:\.zmetadata|\.zgroup|\.zattrs|\.zarray|zarr\.json)$/
const FIRST_MEMBER = /^[\s\ufeff]*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*([[{"0-9])/s

/** Where a Parquet reference set has its metadata, as consolidated Zarr has. */
function isNamedAsSet(url: URL): boolean {
  return url.pathname.endsWith('/.zmetadata')
}

/** At either end of the outermost object, and not somewhere among attributes. */
const RECORD_SIZE_FIRST = /^[\s\ufeff]*\{\s*"record_size"\s*:/
const RECORD_SIZE_LAST = /"record_size"\s*:[^"{}]*\}\s*$/

/** The metadata of a Parquet reference set: it says how many references a file holds, however wrong. */
function isParquetSet(url: URL, head: Uint8Array, tail: Uint8Array | undefined): boolean {
  if (!isNamedAsSet(url) || !FIRST_MEMBER.test(textOf(head))) return false
  const [first, last] = [textOf(head), textOf(tail ?? head)]
  if (RECORD_SIZE_FIRST.test(first) || RECORD_SIZE_LAST.test(last)) return true
  return /"record_size"\s*:/.test(first + last) && !/"zarr_consolidated_format"\s*:/.test(first + last)
}

/** A document of references: version 1 by its members, version 0 by the first key of a store. */
function isReferenceDocument(url: URL, head: Uint8Array): boolean {
  if (ZARR_DOCUMENT.test(url.pathname)) return false
  const text = textOf(head)
  const [, name, value] = FIRST_MEMBER.exec(text) ?? []
  if (name === undefined || value === undefined) return false
  const key = name.replaceAll('\\/', '/')
  if (key === 'refs' && value === '{') return true
  if (['version', 'templates', 'gen', 'metadata'].includes(key))
    return /"(?:refs|gen)"\s*:\s*[{[]/.test(text) || isOpenVersion(text)
  if (ZARR_DOCUMENT.test(key)) return value === '{' || value === '"'
  const bytes = Buffer.from(key)
  return splitKey(bytes, 0, bytes.length).numbers.length > 0 && (value === '[' || value === '"')
}

/** Version 1 whose templates or generators are longer than what is looked at. */
function isOpenVersion(text: string): boolean {
  return text.length >= 4096 && /"version"\s*:\s*1\b/.test(text)
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString()
}

import type { FormatMark } from '../format.ts'
import { splitKey } from './chunk-key.ts'

export const kerchunkMark: FormatMark = {
  name: 'kerchunk',
  isIndex: true,
  saysAtEnd: isNamedAsSet,
  recognises: (head, url, tail) => isReferenceDocument(url, head) || isParquetSet(url, head, tail),
}

/** Names by which folders of Zarr are found: those documents are no references. */
const ZARR_DOCUMENT = /(?:^|\/)(?:\.zmetadata|\.zgroup|\.zattrs|\.zarray|zarr\.json)$/
const FIRST_MEMBER = /^[\s\ufeff]*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*([[{"0-9])/s

/** Where a Parquet reference set has its metadata, as consolidated Zarr has. */
export function isNamedAsSet(url: URL): boolean {
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

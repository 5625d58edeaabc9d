import type { ReadOptions, Source } from '../../source/source.ts'
import type { FormatMark } from '../format.ts'

/** Documents that a folder of Zarr is found by: the first that is there counts, as it does for zarr-python. */
const DOCUMENTS = ['zarr.json', '.zmetadata', '.zarray', '.zgroup']
const OPENING_BRACE = 0x7b
/** What may stand before it: blanks, and the bytes of a UTF-8 byte order mark. */
const BEFORE_JSON = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

export const zarrMark: FormatMark = {
  name: 'zarr',
  folderDocuments: DOCUMENTS,
  recognises: (head, url) => isZip(head) || (isJson(head) && DOCUMENTS.includes(url.pathname.split('/').at(-1) ?? '')),
  isLikely: mayHoldZarr,
}

/** A local file header, or the end record of an archive without members. */
export function isZip(head: Uint8Array): boolean {
  const isPk = head[0] === 0x50 && head[1] === 0x4b
  return isPk && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))
}

/** What is looked at of a zip archive, at both of its ends: names of members stand there. */
const HEAD_BYTES = 4096
const TAIL_BYTES = 65_536

async function mayHoldZarr(source: Source, options: ReadOptions): Promise<boolean> {
  const head = await source.read({ offset: 0, length: Math.min(source.size, HEAD_BYTES) }, options)
  if (!isZip(head)) return true
  const length = Math.min(source.size, TAIL_BYTES)
  const tail = await source.read({ offset: source.size - length, length }, options)
  return /zarr\.json|\.z(?:metadata|group|array)/.test(Buffer.concat([head, tail]).toString('latin1'))
}

function isJson(head: Uint8Array): boolean {
  return head.find((byte) => !BEFORE_JSON.has(byte)) === OPENING_BRACE
}

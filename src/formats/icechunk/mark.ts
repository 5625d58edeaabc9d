import { JSON_DOCUMENT, type ObjectCheck } from '../../source/source.ts'
import type { FormatMark } from '../format.ts'

/** What files begin with that are no chunks and no references to snapshots. */
export const MAGIC = Buffer.from('ICE🧊CHUNK')
/** Where a file says of what type it is. */
export const TYPE_AT = 37
export const FILE_TYPES = { snapshot: 1, manifest: 2, 'repo info': 6 } as const
export type FileType = keyof typeof FILE_TYPES

/** What makes a folder a repository: of format 2, of format 1. */
const DOCUMENTS = ['repo', 'refs/branch.main/ref.json']
/** The document of a branch or tag, in the folder of a repository of format 1. */
const REF_DOCUMENT = /\/refs\/(?:branch|tag)\.[^/]+\/ref\.json$/

const REPO_FILE: ObjectCheck = {
  sees: (range) => Math.min(range.length, MAGIC.length),
  fault: (seen) => (MAGIC.equals(seen.subarray(0, MAGIC.length)) ? undefined : 'no file of Icechunk'),
}

export const icechunkMark: FormatMark = {
  name: 'icechunk',
  isIndex: true,
  hasRefs: true,
  folderDocuments: DOCUMENTS,
  folderCheck: (name) => (name === 'repo' ? REPO_FILE : JSON_DOCUMENT),
  recognises: (head, url) => isMetadataFile(head, 'repo info') || (isRefDocument(url) && /^\s*\{/.test(textOf(head))),
}

/** Whether bytes begin as a file of this type. */
export function isMetadataFile(head: Uint8Array, type: FileType): boolean {
  return head.length > TYPE_AT && MAGIC.equals(head.subarray(0, MAGIC.length)) && head[TYPE_AT] === FILE_TYPES[type]
}

/** Whether a URL is that of a document of a branch or tag. */
export function isRefDocument(url: URL): boolean {
  return REF_DOCUMENT.test(url.pathname)
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString('latin1')
}

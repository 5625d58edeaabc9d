// Icechunk's specification, "Reference Files" (format 1): one document for each branch and tag.
import { isVirtualZarrError, malformed } from '../../errors.ts'
import { JSON_DOCUMENT, type Source } from '../../source/source.ts'
import type { OpenOptions } from '../format.ts'
import { objectOf, spell } from '../zarr-documents/document.ts'
import { readJsonDocument } from '../zarr-documents/node-documents.ts'
import { isSnapshotId } from './object-id.ts'

const MOST_REF_BYTES = 4096

/** Opens a document of the repository. */
export type Open = (url: string, options: OpenOptions) => Promise<Source>

/** The snapshot that a branch or a tag is at; undefined where there is neither. */
export async function findRef(root: string, name: string, open: Open): Promise<string | undefined> {
  const spellings = [...new Set([name, spelledByObjectStore(name)])]
  const found = await Promise.all(spellings.map((spelled) => findSpelled(root, spelled, open)))
  const ref = found.find((one) => one !== undefined)
  return ref === undefined ? undefined : await readRef(ref)
}

/** Rust's object_store, by which Icechunk writes to most places, escapes these in the names of objects. */
function spelledByObjectStore(name: string): string {
  return name.replace(/[^\x20-\x7e]|[\\{}^%`[\]"<>~#|*?]/gu, (sign) =>
    [...Buffer.from(sign)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

async function findSpelled(root: string, name: string, open: Open): Promise<Source | undefined> {
  const below = (folder: string, file: string) => openIfThere(`${root}refs/${encodeURIComponent(folder)}/${file}`, open)
  const [branch, tag, deleted] = await Promise.all([
    below(`branch.${name}`, 'ref.json'),
    below(`tag.${name}`, 'ref.json'),
    below(`tag.${name}`, 'ref.json.deleted'),
  ])
  return branch ?? (deleted === undefined ? tag : undefined)
}

/** The snapshot that a document of a branch or a tag names. */
export async function readRef(source: Source): Promise<string> {
  const place = { url: source.url, format: 'icechunk' }
  if (source.size > MOST_REF_BYTES)
    throw malformed(`a ref of ${source.size} bytes, at most ${MOST_REF_BYTES} are read`, place)
  const document = objectOf(
    await readJsonDocument(await source.read({ offset: 0, length: source.size }), place),
    'a ref',
    place,
  )
  const { snapshot } = document
  if (typeof snapshot === 'string' && isSnapshotId(snapshot)) return snapshot
  throw malformed(`a ref names the snapshot ${spell(snapshot)}, expected an id of 20 characters`, place)
}

/** Undefined where there is nothing; object stores deny what does not exist to those who may not list. */
async function openIfThere(url: string, open: Open): Promise<Source | undefined> {
  try {
    const isMark = url.endsWith('.deleted')
    return await open(url, isMark ? {} : { check: JSON_DOCUMENT })
  } catch (error) {
    if (isVirtualZarrError(error, 'source-not-found') || isVirtualZarrError(error, 'source-denied')) return undefined
    throw error
  }
}

// TIFF 6.0 section 2: the chain of directories; TIFF supplement 1: SubIFDs.

import type { ErrorContext } from '../../../errors.ts'
import { isVirtualZarrError, overBudget } from '../../../errors.ts'
import { truncatedSource } from '../../../model/truncated-source.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import { HEADER_BYTES, parseHeader } from './file-header.ts'
import { bodyRange, countBytes, type Field, isDirectoryCut, parseIfd } from './ifd.ts'
import { readTags, type TagReading, type Tags, ValueBudget } from './read-tags.ts'
import { TAG, WANTED } from './tags.ts'

/** One directory of the main chain, with those that it points to. */
export interface Page {
  readonly tags: Tags
  readonly subPages: readonly Page[]
}

/** All directories of a file. */
export interface TiffFile {
  readonly pages: readonly Page[]
}

const MOST_IFDS = 8192
/** SubIFDs of SubIFDs of ...: files have two levels at most. */
const MOST_DEPTH = 4
const MAX_NAMED_TAGS = 20
const BLOCK_TABLES: ReadonlySet<number> = new Set([
  TAG.stripOffsets,
  TAG.stripByteCounts,
  TAG.tileOffsets,
  TAG.tileByteCounts,
])

export interface Walk extends TagReading {
  readonly place: ErrorContext
  /** Offsets of directories already read: a chain may loop. */
  readonly visited: Set<number>
}

/** The beginning of a file: its header and its first directory. */
export interface FileStart {
  readonly first: Page
  readonly walk: Walk
}

export async function readStart(source: Source, context: ParseContext): Promise<FileStart> {
  const place = { url: source.url, format: 'tiff' }
  const head = await source.read({ offset: 0, length: Math.min(HEADER_BYTES, source.size) }, context)
  const header = parseHeader(head, place)
  const walk: Walk = { source, header, context, place, visited: new Set(), budget: new ValueBudget() }
  return { first: await readPage(walk, header.first, 0), walk }
}

/** Reads every directory; a chain that is broken after the first one ends there, with a diagnostic. */
export async function readIfds({ first, walk }: FileStart): Promise<TiffFile> {
  const pages = [first]
  warnOfCutValues(walk, first, 1)
  for (let { next } = first.tags.ifd; next !== 0; ) {
    const page = await nextPage(walk, next, pages)
    if (page === undefined) break
    pages.push(page)
    warnOfCutValues(walk, page, pages.length)
    next = page.tags.ifd.next
  }
  return { pages }
}

async function nextPage(walk: Walk, offset: number, before: readonly Page[]): Promise<Page | undefined> {
  const count = before.length
  if (walk.visited.has(offset))
    return broken(walk, `the chain of directories comes back to byte ${offset} after ${count}`)
  try {
    return await readPage(walk, offset, 0)
  } catch (error) {
    if (!isVirtualZarrError(error, 'malformed-source')) throw error
    if (!(await isCut(walk, offset)))
      return broken(walk, `the chain of directories is broken after ${count}: ${error.message}`)
    const last = before.at(-1)?.tags.ifd.offset
    const message = `it has ${walk.source.size} bytes, and directory ${count + 1} at byte ${offset} is not whole; the last complete one is directory ${count} at byte ${last}`
    walk.context.warn(truncatedSource(message))
    return undefined
  }
}

/** Whether a directory begins or ends behind the end of the file. */
async function isCut({ source, header, context }: Walk, offset: number): Promise<boolean> {
  const length = countBytes(header)
  if (offset + length > source.size) return true
  return isDirectoryCut(await source.read({ offset, length }, context), offset, source.size, header)
}

/** Values that an image can't do without and that lie behind the end of the file, where the directory itself is whole. */
function warnOfCutValues({ source, context }: Walk, { tags }: Page, number: number): void {
  const cut = [...tags.ifd.fields.values()].filter((field) => areValuesCut(field, source.size)).map(({ tag }) => tag)
  if (cut.length === 0) return
  const named = cut.slice(0, MAX_NAMED_TAGS)
  const last = number === 1 ? 'no directory is complete' : `the last complete one is directory ${number - 1}`
  const message = `it has ${source.size} bytes, and values of directory ${number} (tags ${named.join(', ')}) lie behind its end; ${last}`
  context.warn(truncatedSource(message, named))
}

function areValuesCut({ tag, inline, position, size, count }: Field, fileSize: number): boolean {
  if (inline !== undefined) return false
  // A table of blocks may claim more entries than there are blocks, which costs nothing.
  if (BLOCK_TABLES.has(tag)) return position >= fileSize
  return WANTED.get(tag)?.essential === true && position + size * count > fileSize
}

function broken(walk: Walk, message: string): undefined {
  walk.context.warn({ code: 'chain-broken', message })
  return undefined
}

/** Reads a directory and those that it points to. */
export async function readPage(walk: Walk, offset: number, depth: number): Promise<Page> {
  const { source, header, context, place, visited } = walk
  visited.add(offset)
  if (visited.size > MOST_IFDS) throw overBudget(`the file has more than ${MOST_IFDS} directories`, place)
  const count = await source.read({ offset, length: countBytes(header) }, context)
  const range = bodyRange(count, offset, source.size, header)
  const ifd = parseIfd(await source.read(range, context), offset, header, place)
  const tags = await readTags(ifd, walk)
  return { tags, subPages: await readSubPages(walk, tags, depth + 1) }
}

async function readSubPages(walk: Walk, tags: Tags, depth: number): Promise<Page[]> {
  const offsets = tags.numbers(TAG.subIfds) ?? []
  const pages: Page[] = []
  if (offsets.length > 0 && depth > MOST_DEPTH) {
    broken(walk, `directories are nested deeper than ${MOST_DEPTH}: those below are left out`)
    return pages
  }
  for (const offset of offsets) {
    if (offset === 0 || walk.visited.has(offset)) continue
    try {
      pages.push(await readPage(walk, offset, depth))
    } catch (error) {
      if (!isVirtualZarrError(error, 'malformed-source')) throw error
      const message = `the directory at byte ${offset}, which another one points to, is left out: ${error.message}`
      if (await isCut(walk, offset)) walk.context.warn(truncatedSource(message))
      else broken(walk, message)
    }
  }
  return pages
}

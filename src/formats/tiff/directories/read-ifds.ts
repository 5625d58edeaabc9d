// TIFF 6.0 section 2: the chain of directories; TIFF supplement 1: SubIFDs.

import type { ErrorContext } from '../../../errors.ts'
import { isVirtualZarrError, overBudget } from '../../../errors.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import { HEADER_BYTES, parseHeader } from './file-header.ts'
import { bodyRange, countBytes, parseIfd } from './ifd.ts'
import { readTags, type TagReading, type Tags, ValueBudget } from './read-tags.ts'
import { TAG } from './tags.ts'

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
  for (let { next } = first.tags.ifd; next !== 0; ) {
    const page = await nextPage(walk, next, pages.length)
    if (page === undefined) break
    pages.push(page)
    next = page.tags.ifd.next
  }
  return { pages }
}

async function nextPage(walk: Walk, offset: number, count: number): Promise<Page | undefined> {
  if (walk.visited.has(offset))
    return broken(walk, `the chain of directories comes back to byte ${offset} after ${count}`)
  try {
    return await readPage(walk, offset, 0)
  } catch (error) {
    if (!isVirtualZarrError(error, 'malformed-source')) throw error
    return broken(walk, `the chain of directories is broken after ${count}: ${error.message}`)
  }
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
      broken(walk, `the directory at byte ${offset}, which another one points to, is left out: ${error.message}`)
    }
  }
  return pages
}

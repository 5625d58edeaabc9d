// HDF Specification and Developer's Guide, section 2.2: the data descriptor blocks, a list in which each names the next.
import { Cursor } from '../../../bytes/cursor.ts'
import { GrowingNumbers } from '../../../bytes/growing.ts'
import { malformed, overBudget } from '../../../errors.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'
import { type Block, DESCRIPTOR_BYTES, readBlock } from './descriptor-block.ts'
import { type DescriptorRows, type Directory, directoryOf } from './directory.ts'
import { TAG } from './tags.ts'
import { type Walked, walkAhead } from './walk-ahead.ts'

/** Behind the magic number. */
const FIRST_BLOCK = 4
/** Reference numbers have 16 bits for each tag: large files have some hundred thousand. */
const MOST_DESCRIPTORS = 2_000_000
/** Each may cost a request. */
const MOST_BLOCKS = 50_000
/** So many blocks are read one after the other; of files with more the rest is walked from many places. */
const BLOCKS_IN_TURN = 8

/** All descriptors of a file. */
export async function readDirectory(source: Source, options: ReadOptions): Promise<Directory> {
  const rows = {
    tags: new GrowingNumbers(),
    refs: new GrowingNumbers(),
    offsets: new GrowingNumbers(),
    lengths: new GrowingNumbers(),
  }
  const path: number[] = []
  const counts: number[] = []
  const seen = new Set<number>()
  let ahead: ReadonlyMap<number, Block> = new Map()
  for (let offset = FIRST_BLOCK; offset !== 0; ) {
    const place = { url: source.url, format: 'hdf4', offset }
    if (seen.has(offset)) throw malformed('the list of data descriptor blocks has no end', place)
    seen.add(offset)
    path.push(offset)
    if (path.length === BLOCKS_IN_TURN) ahead = await walkAhead(source, walkedSoFar(path, counts), options)
    const block = ahead.get(offset) ?? (await readBlock(source, offset, options))
    if (counts.length < BLOCKS_IN_TURN) counts.push(block.bytes.length / DESCRIPTOR_BYTES)
    addBlock(block.bytes, rows)
    if (seen.size > MOST_BLOCKS) throw overBudget(`more than ${MOST_BLOCKS} data descriptor blocks`, place)
    if (rows.tags.length > MOST_DESCRIPTORS) throw overBudget(`more than ${MOST_DESCRIPTORS} elements`, place)
    offset = block.next
  }
  return directoryOf(rows)
}

/** What the blocks up to the next one say of all: the next one is the last of the path. */
function walkedSoFar(path: readonly number[], counts: readonly number[]): Walked {
  const jumps = path.slice(1).map((offset, i) => Math.abs(offset - (path[i] ?? 0)))
  const usual = jumps.reduce((sum, jump) => sum + jump, 0) / jumps.length
  return { next: path.at(-1) ?? 0, count: counts.at(-1) ?? 0, usual, longest: Math.max(...jumps) }
}

function addBlock(bytes: Uint8Array, rows: DescriptorRows): void {
  const cursor = new Cursor(bytes, 'big')
  while (cursor.remaining > 0) {
    const tag = cursor.u16()
    const ref = cursor.u16()
    const offset = cursor.u32()
    const length = cursor.u32()
    if (tag === TAG.null || tag === 0) continue
    rows.tags.push(tag)
    rows.refs.push(ref)
    rows.offsets.push(offset)
    rows.lengths.push(length)
  }
}

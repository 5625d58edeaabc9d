// HDF Specification and Developer's Guide, section 2.2: the data descriptor blocks, a list in which each names the next.
import { Cursor } from '../../../bytes/cursor.ts'
import { GrowingNumbers } from '../../../bytes/growing.ts'
import { malformed, overBudget } from '../../../errors.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'
import { type DescriptorRows, Directory } from './directory.ts'
import { TAG } from './tags.ts'

/** Behind the magic number. */
const FIRST_BLOCK = 4
export const HEADER_BYTES = 6
export const DESCRIPTOR_BYTES = 12
/** Reference numbers have 16 bits for each tag: large files have some hundred thousand. */
const MOST_DESCRIPTORS = 2_000_000
/** Each may cost a request. */
const MOST_BLOCKS = 50_000
/** What a block takes in nearly every file. */
const USUAL_BYTES = HEADER_BYTES + 200 * DESCRIPTOR_BYTES

/** A block as it stands in the file. */
export interface Block {
  readonly bytes: Uint8Array
  /** 0: there is no other. */
  readonly next: number
}

/** All descriptors of a file. */
export async function readDirectory(source: Source, options: ReadOptions): Promise<Directory> {
  const rows = {
    tags: new GrowingNumbers(),
    refs: new GrowingNumbers(),
    offsets: new GrowingNumbers(),
    lengths: new GrowingNumbers(),
  }
  const seen = new Set<number>()
  for (let offset = FIRST_BLOCK; offset !== 0; ) {
    const place = { url: source.url, format: 'hdf4', offset }
    if (seen.has(offset)) throw malformed('the list of data descriptor blocks has no end', place)
    seen.add(offset)
    const block = await readBlock(source, offset, options)
    addBlock(block.bytes, rows)
    if (seen.size > MOST_BLOCKS) throw overBudget(`more than ${MOST_BLOCKS} data descriptor blocks`, place)
    if (rows.tags.length > MOST_DESCRIPTORS) throw overBudget(`more than ${MOST_DESCRIPTORS} elements`, place)
    offset = block.next
  }
  return new Directory(rows)
}

export async function readBlock(source: Source, offset: number, options: ReadOptions): Promise<Block> {
  const origin = { url: source.url, format: 'hdf4', base: offset }
  const length = Math.min(USUAL_BYTES, source.size - offset)
  if (length < HEADER_BYTES) {
    throw malformed(`a data descriptor block is expected where the file ends`, { ...origin, offset })
  }
  const bytes = await source.read({ offset, length }, options)
  const header = new Cursor(bytes, 'big', origin)
  const count = header.u16()
  const next = header.u32()
  const needed = count * DESCRIPTOR_BYTES
  if (offset + HEADER_BYTES + needed > source.size) {
    throw header.fail(`${count} data descriptors are expected, and the file ends before: it is cut off`)
  }
  if (needed <= header.remaining) return { bytes: bytes.subarray(HEADER_BYTES, HEADER_BYTES + needed), next }
  return { bytes: await source.read({ offset: offset + HEADER_BYTES, length: needed }, options), next }
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

// HDF Specification and Developer's Guide, section 10.3: linked block elements.
import type { Cursor } from '../../../bytes/cursor.ts'
import { malformed, overLimit } from '../../../errors.ts'
import type { ReadOptions } from '../../../source/source.ts'
import { cursorOf, elementName, type Hdf4File, placeOf, readPlain } from './hdf4-file.ts'
import type { Piece } from './stored.ts'
import { TAG } from './tags.ts'

/** Of one element: reference numbers have 16 bits. */
const MOST_BLOCKS = 65_536

/** The blocks of an element, as far as its length goes; the cursor stands behind the mark of linked blocks. */
export async function readLinkedBlocks(
  file: Hdf4File,
  header: Cursor,
  options: ReadOptions,
): Promise<readonly Piece[]> {
  const length = header.u32()
  const blockLength = header.u32()
  const blocksInTable = header.u32()
  const firstTable = header.u16()
  if (blockLength === 0 || blocksInTable === 0) throw header.fail('linked blocks of no bytes, or in tables of none')
  const refs = await readTables(file, firstTable, { most: Math.ceil(length / blockLength) + 1, blocksInTable }, options)
  return placeBlocks(file, refs, length, blockLength)
}

interface TableLimits {
  /** Blocks that the element can have. */
  readonly most: number
  readonly blocksInTable: number
}

/** The reference numbers of all blocks; each table names the next. */
async function readTables(
  file: Hdf4File,
  first: number,
  { most, blocksInTable }: TableLimits,
  options: ReadOptions,
): Promise<readonly number[]> {
  const refs: number[] = []
  const seen = new Set<number>()
  for (let ref = first; ref !== 0 && refs.length < most; ) {
    const table = file.directory.find(TAG.linked, ref)
    if (table === undefined || table.isSpecial) throw malformed(`the table of linked blocks ${ref} is missing`)
    if (seen.has(ref)) throw malformed('the tables of linked blocks have no end', placeOf(file, table))
    seen.add(ref)
    const cursor = cursorOf(file, await readPlain(file, table, options), table)
    ref = cursor.u16()
    const count = Math.min(blocksInTable, most - refs.length)
    for (let block = 0; block < count; block++) refs.push(cursor.u16())
    if (refs.length > MOST_BLOCKS) throw overLimit(`an element in more than ${MOST_BLOCKS} linked blocks`)
  }
  return refs
}

/** The first block is as long as it was before it became one of several. */
function placeBlocks(file: Hdf4File, refs: readonly number[], length: number, blockLength: number): readonly Piece[] {
  const pieces: Piece[] = []
  let left = length
  for (const [place, ref] of refs.entries()) {
    if (left === 0) break
    const block = ref === 0 ? undefined : file.directory.find(TAG.linked, ref)
    if (block?.isSpecial === true) {
      throw malformed(`${elementName(block)} is a linked block, and stored in a special way`, placeOf(file, block))
    }
    const room = Math.min(left, place === 0 && block !== undefined ? block.length : blockLength)
    const written = Math.min(room, block?.length ?? 0)
    if (written > 0) pieces.push({ offset: block?.offset, length: written })
    if (room > written) pieces.push({ offset: undefined, length: room - written })
    left -= room
  }
  if (left > 0) pieces.push({ offset: undefined, length: left })
  return pieces
}

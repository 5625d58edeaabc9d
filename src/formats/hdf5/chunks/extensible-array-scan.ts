// HDF5 File Format Specification, section VII.D "The Extensible Array Index": all of its elements.
import { emitRow } from './elements.ts'
import {
  addressAt,
  blockPointer,
  type DataBlock,
  dataBlockPrefix,
  dataBlockRequest,
  type ExtensibleArray,
  indexBlockPrefix,
  indexBlockRequest,
  pageBits,
  pageRequest,
  type SuperBlock,
  superBlockPointer,
  superBlockRequest,
  superPointer,
} from './extensible-array-layout.ts'
import type { LinearOrder } from './linear.ts'
import type { Emit, NodeRequest, ReadNodes } from './locator.ts'

/** Walks a whole array, level by level. */
export async function scanExtensibleArray(
  array: ExtensibleArray,
  order: LinearOrder,
  read: ReadNodes,
  emit: Emit,
): Promise<void> {
  if (array.indexBlock === undefined) return
  const { blocks, supers } = await readIndexBlock(array, array.indexBlock, order, read, emit)
  const pages: Page[] = blocks.flatMap((block) => pagesOf(array, block, undefined))
  await read(
    supers.map(({ request }) => request),
    (bytes, index) => {
      const superBlock = supers[index]?.superBlock
      if (superBlock === undefined) return
      const addressOf = (nth: number) => addressAt(array, bytes, superBlockPointer(array, superBlock, nth))
      for (const { nth, block } of blocksOf(array, superBlock, addressOf)) {
        pages.push(...pagesOf(array, block, pageBits(array, superBlock, bytes, nth)))
      }
    },
  )
  await read(
    pages.map(({ request }) => request),
    (bytes, index) => {
      const page = pages[index]
      if (page === undefined) return
      const { prefix, length: count } = page
      const first = array.inIndexBlock + page.first
      emitRow(array.elements, { bytes: bytes.subarray(prefix), first, count }, order, emit)
    },
  )
}

interface NamedSuperBlock {
  readonly superBlock: SuperBlock
  readonly request: NodeRequest
}

/** The index block has the first elements, and leads to all others. */
async function readIndexBlock(
  array: ExtensibleArray,
  address: number,
  order: LinearOrder,
  read: ReadNodes,
  emit: Emit,
): Promise<{ readonly blocks: readonly DataBlock[]; readonly supers: readonly NamedSuperBlock[] }> {
  const blocks: DataBlock[] = []
  const supers: NamedSuperBlock[] = []
  await read([indexBlockRequest(array, address)], (bytes) => {
    const count = array.inIndexBlock
    emitRow(array.elements, { bytes: bytes.subarray(indexBlockPrefix(array)), first: 0, count }, order, emit)
    array.superBlocks.forEach((superBlock, number) => {
      if (number < array.directSuperBlocks) {
        const addressOf = (nth: number) => addressAt(array, bytes, blockPointer(array, superBlock.firstBlock + nth))
        blocks.push(...blocksOf(array, superBlock, addressOf).map(({ block }) => block))
        return
      }
      const found = addressAt(array, bytes, superPointer(array, number))
      if (found !== undefined) supers.push({ superBlock, request: superBlockRequest(array, superBlock, found) })
    })
  })
  return { blocks, supers }
}

/** A piece of a data block that is read at once. */
interface Page {
  readonly request: NodeRequest
  readonly first: number
  readonly length: number
  readonly prefix: number
}

interface NumberedBlock {
  readonly nth: number
  readonly block: DataBlock
}

/** The data blocks of a super block that have been written. */
function blocksOf(
  array: ExtensibleArray,
  superBlock: SuperBlock,
  addressOf: (nth: number) => number | undefined,
): readonly NumberedBlock[] {
  const found: NumberedBlock[] = []
  // No more than the file has room for: a super block names its blocks one by one.
  const count = Math.min(superBlock.blocks, array.file.end)
  for (let nth = 0; nth < count; nth++) {
    const address = addressOf(nth)
    if (address === undefined) continue
    const first = superBlock.firstElement + nth * superBlock.blockLength
    found.push({ nth, block: { address, first, length: superBlock.blockLength } })
  }
  return found
}

function pagesOf(array: ExtensibleArray, block: DataBlock, hasPage: ((page: number) => boolean) | undefined): Page[] {
  const { pageLength } = array
  if (block.length <= pageLength) {
    return [
      {
        request: dataBlockRequest(array, block),
        first: block.first,
        length: block.length,
        prefix: dataBlockPrefix(array),
      },
    ]
  }
  const pages: Page[] = []
  for (let page = 0; page * pageLength < block.length; page++) {
    if (hasPage !== undefined && !hasPage(page)) continue
    pages.push({
      request: pageRequest(array, block, page),
      first: block.first + page * pageLength,
      length: pageLength,
      prefix: 0,
    })
  }
  return pages
}

// HDF5 File Format Specification, section VII.D "The Extensible Array Index": datasets with one unlimited dimension.
import { cursorAt, type Hdf5File, verifyChecksum } from '../hdf5-file.ts'
import { type ElementReader, elementReader } from './elements.ts'
import { type LinearOrder, linearIndex } from './linear.ts'
import {
  ABSENT,
  type ChunkGrid,
  type Emit,
  type Locator,
  type NodeRequest,
  type ReadNodes,
  type Step,
} from './locator.ts'

/** The array's header, and what follows from it (H5EA__hdr_init). */
interface ExtensibleArray {
  readonly file: Hdf5File
  readonly header: number
  readonly elements: ElementReader
  readonly indexBlock: number | undefined
  readonly inIndexBlock: number
  readonly leastBlockLength: number
  readonly pageLength: number
  /** Bytes of a block's place in the array. */
  readonly placeBytes: number
  /** Super blocks whose data blocks the index block names itself. */
  readonly directSuperBlocks: number
  readonly directBlocks: number
  readonly superBlocks: readonly SuperBlock[]
}

/** A group of data blocks of one length. */
interface SuperBlock {
  readonly blocks: number
  readonly blockLength: number
  /** Its first element, and its first data block, counted over all super blocks. */
  readonly firstElement: number
  readonly firstBlock: number
}

/** A data block, and where its elements are in the array. */
interface DataBlock {
  readonly address: number
  readonly first: number
  readonly length: number
}

const MOST_BITS = 64

export function extensibleArrayLocator(file: Hdf5File, address: number, grid: ChunkGrid): Locator {
  const order = linearIndex(grid)
  const length = 16 + 6 * file.lengthSize + file.offsetSize
  const header: NodeRequest = { address, length, check: (bytes) => void parseHeader(file, bytes, address, grid) }
  return {
    locate(coords, nodes) {
      const bytes = nodes(address)
      if (bytes === undefined) return { kind: 'read', request: header }
      const array = parseHeader(file, bytes, address, grid)
      if (array.indexBlock === undefined) return ABSENT
      const request = indexBlockRequest(array, array.indexBlock)
      const block = nodes(request.address)
      if (block === undefined) return { kind: 'read', request }
      const index = order.indexOf(coords)
      if (index < array.inIndexBlock) return stepOf(array, block, indexBlockPrefix(array) + index * array.elements.size)
      return locateInBlocks(array, block, index - array.inIndexBlock, nodes)
    },
    scan: (read, emit) => scan(header, (bytes) => parseHeader(file, bytes, address, grid), order, read, emit),
  }
}

function parseHeader(file: Hdf5File, bytes: Uint8Array, address: number, grid: ChunkGrid): ExtensibleArray {
  verifyChecksum(bytes, 'an extensible array', file.base + address)
  const cursor = cursorAt(file, bytes, address)
  cursor.signature('EAHD')
  cursor.oneOf('extensible array version', [0])
  const client = cursor.oneOf('extensible array client', [0, 1])
  const elementSize = cursor.u8()
  const bits = cursor.u8()
  const inIndexBlock = cursor.u8()
  const leastBlockLength = cursor.u8()
  const leastPointers = cursor.u8()
  const pageBits = cursor.u8()
  cursor.skip(6 * file.lengthSize)
  const indexBlock = cursor.address()
  const isSound =
    bits > 0 && bits <= MOST_BITS && isPowerOfTwo(leastBlockLength) && isPowerOfTwo(leastPointers) && pageBits <= 30
  if (!isSound) throw cursor.fail(`an extensible array of 2^${bits} elements in blocks of ${leastBlockLength}`)
  const superBlocks = superBlocksOf(1 + bits - Math.log2(leastBlockLength), leastBlockLength)
  return {
    file,
    header: address,
    elements: elementReader(file, grid, elementSize, client === 1),
    indexBlock,
    inIndexBlock,
    leastBlockLength,
    pageLength: 2 ** pageBits,
    placeBytes: Math.ceil(bits / 8),
    directSuperBlocks: 2 * Math.log2(leastPointers),
    directBlocks: 2 * (leastPointers - 1),
    superBlocks,
  }
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value))
}

function superBlocksOf(count: number, leastLength: number): SuperBlock[] {
  const blocks: SuperBlock[] = []
  let firstElement = 0
  let firstBlock = 0
  for (let i = 0; i < count; i++) {
    const block = {
      blocks: 2 ** Math.floor(i / 2),
      blockLength: 2 ** Math.floor((i + 1) / 2) * leastLength,
      firstElement,
      firstBlock,
    }
    blocks.push(block)
    firstElement += block.blocks * block.blockLength
    firstBlock += block.blocks
  }
  return blocks
}

function indexBlockPrefix({ file }: ExtensibleArray): number {
  return 6 + file.offsetSize
}

/** Where in the index block the address of a data block is, or that of a super block. */
function blockPointer(array: ExtensibleArray, block: number): number {
  return indexBlockPrefix(array) + array.inIndexBlock * array.elements.size + block * array.file.offsetSize
}

function superPointer(array: ExtensibleArray, superBlock: number): number {
  return blockPointer(array, array.directBlocks + superBlock - array.directSuperBlocks)
}

function indexBlockRequest(array: ExtensibleArray, address: number): NodeRequest {
  const superBlocks = Math.max(array.superBlocks.length - array.directSuperBlocks, 0)
  return {
    address,
    length: blockPointer(array, array.directBlocks + superBlocks) + 4,
    check: (bytes) => checkBlock(array, bytes, address, 'EAIB'),
  }
}

function checkBlock(array: ExtensibleArray, bytes: Uint8Array, address: number, signature: string): void {
  verifyChecksum(bytes, 'a block of an extensible array', array.file.base + address)
  const cursor = cursorAt(array.file, bytes, address)
  cursor.signature(signature)
  cursor.oneOf('extensible array block version', [0])
  cursor.skip(1)
  if (cursor.address() !== array.header) throw cursor.fail('a block of another array')
}

function locateInBlocks(
  array: ExtensibleArray,
  indexBlock: Uint8Array,
  index: number,
  nodes: (address: number) => Uint8Array | undefined,
): Step {
  const number = Math.floor(Math.log2(index / array.leastBlockLength + 1))
  const superBlock = array.superBlocks[number]
  if (superBlock === undefined) return ABSENT
  const inSuper = index - superBlock.firstElement
  const nth = Math.floor(inSuper / superBlock.blockLength)
  const within = inSuper % superBlock.blockLength
  const first = superBlock.firstElement + nth * superBlock.blockLength
  if (number < array.directSuperBlocks) {
    const address = addressAt(array, indexBlock, blockPointer(array, superBlock.firstBlock + nth))
    if (address === undefined) return ABSENT
    return locateInBlock(array, { address, first, length: superBlock.blockLength }, within, undefined, nodes)
  }
  const superAddress = addressAt(array, indexBlock, superPointer(array, number))
  if (superAddress === undefined) return ABSENT
  const request = superBlockRequest(array, superBlock, superAddress)
  const bytes = nodes(request.address)
  if (bytes === undefined) return { kind: 'read', request }
  const address = addressAt(array, bytes, superBlockPointer(array, superBlock, nth))
  if (address === undefined) return ABSENT
  const bits = pageBits(array, superBlock, bytes, nth)
  return locateInBlock(array, { address, first, length: superBlock.blockLength }, within, bits, nodes)
}

function locateInBlock(
  array: ExtensibleArray,
  block: DataBlock,
  within: number,
  hasPage: ((page: number) => boolean) | undefined,
  nodes: (address: number) => Uint8Array | undefined,
): Step {
  const { elements, pageLength } = array
  const page = Math.floor(within / pageLength)
  const isPaged = block.length > pageLength
  if (isPaged && hasPage !== undefined && !hasPage(page)) return ABSENT
  const request = isPaged ? pageRequest(array, block, page) : dataBlockRequest(array, block)
  const bytes = nodes(request.address)
  if (bytes === undefined) return { kind: 'read', request }
  const at = isPaged ? (within % pageLength) * elements.size : dataBlockPrefix(array) + within * elements.size
  return stepOf(array, bytes, at)
}

function addressAt(array: ExtensibleArray, bytes: Uint8Array, at: number): number | undefined {
  return cursorAt(array.file, bytes.subarray(at, at + array.file.offsetSize), at).address()
}

function dataBlockPrefix({ file, placeBytes }: ExtensibleArray): number {
  return 6 + file.offsetSize + placeBytes
}

function dataBlockRequest(array: ExtensibleArray, { address, length }: DataBlock): NodeRequest {
  return {
    address,
    length: dataBlockPrefix(array) + length * array.elements.size + 4,
    check: (bytes) => checkBlock(array, bytes, address, 'EADB'),
  }
}

/** Pages follow the data block's prefix and its checksum; each has its own. */
function pageRequest(array: ExtensibleArray, block: DataBlock, page: number): NodeRequest {
  const length = array.pageLength * array.elements.size + 4
  const address = block.address + dataBlockPrefix(array) + 4 + page * length
  return {
    address,
    length,
    check: (bytes) => verifyChecksum(bytes, 'a page of an extensible array', array.file.base + address),
  }
}

/** Bytes of the bits that say which pages of one data block have been written. */
function pageBitsLength(array: ExtensibleArray, { blockLength }: SuperBlock): number {
  return blockLength > array.pageLength ? Math.ceil(blockLength / array.pageLength / 8) : 0
}

function superBlockPointer(array: ExtensibleArray, superBlock: SuperBlock, nth: number): number {
  return dataBlockPrefix(array) + superBlock.blocks * pageBitsLength(array, superBlock) + nth * array.file.offsetSize
}

function superBlockRequest(array: ExtensibleArray, superBlock: SuperBlock, address: number): NodeRequest {
  return {
    address,
    length: superBlockPointer(array, superBlock, superBlock.blocks) + 4,
    check: (bytes) => checkBlock(array, bytes, address, 'EASB'),
  }
}

/** The bits of all blocks are one row, though room is made for each in bytes; the highest bit comes first (H5VM_bit_get). */
function pageBits(
  array: ExtensibleArray,
  superBlock: SuperBlock,
  bytes: Uint8Array,
  nth: number,
): (page: number) => boolean {
  const start = dataBlockPrefix(array)
  const first = nth * (superBlock.blockLength / array.pageLength)
  return (page) => ((bytes[start + ((first + page) >> 3)] ?? 0) & (0x80 >> ((first + page) & 7))) !== 0
}

function stepOf(array: ExtensibleArray, bytes: Uint8Array, at: number): Step {
  const chunk = array.elements.chunkAt(bytes, at)
  return chunk === undefined ? ABSENT : { kind: 'found', chunk }
}

async function scan(
  header: NodeRequest,
  parse: (bytes: Uint8Array) => ExtensibleArray,
  order: LinearOrder,
  read: ReadNodes,
  emit: Emit,
): Promise<void> {
  const arrays: ExtensibleArray[] = []
  await read([header], (bytes) => void arrays.push(parse(bytes)))
  const [array] = arrays
  if (array?.indexBlock === undefined) return
  const blocks: DataBlock[] = []
  const supers: { readonly request: NodeRequest; readonly superBlock: SuperBlock }[] = []
  await read([indexBlockRequest(array, array.indexBlock)], (bytes) => {
    emitElements(array, bytes.subarray(indexBlockPrefix(array)), 0, array.inIndexBlock, order, emit)
    array.superBlocks.forEach((superBlock, number) => {
      if (number < array.directSuperBlocks) {
        addBlocks(
          array,
          superBlock,
          (nth) => addressAt(array, bytes, blockPointer(array, superBlock.firstBlock + nth)),
          blocks,
        )
        return
      }
      const address = addressAt(array, bytes, superPointer(array, number))
      if (address !== undefined) supers.push({ superBlock, request: superBlockRequest(array, superBlock, address) })
    })
  })
  const pages: PageOf[] = blocks.flatMap((block) => pagesOf(array, block, undefined))
  await read(
    supers.map(({ request }) => request),
    (bytes, index) => {
      const superBlock = supers[index]?.superBlock
      if (superBlock === undefined) return
      const found: DataBlock[] = []
      const nths = addBlocks(
        array,
        superBlock,
        (nth) => addressAt(array, bytes, superBlockPointer(array, superBlock, nth)),
        found,
      )
      found.forEach((block, i) => {
        pages.push(...pagesOf(array, block, pageBits(array, superBlock, bytes, nths[i] ?? 0)))
      })
    },
  )
  await read(
    pages.map(({ request }) => request),
    (bytes, index) => {
      const page = pages[index]
      if (page === undefined) return
      emitElements(array, bytes.subarray(page.prefix), array.inIndexBlock + page.first, page.length, order, emit)
    },
  )
}

/** A piece of a data block that is read at once. */
interface PageOf {
  readonly request: NodeRequest
  readonly first: number
  readonly length: number
  readonly prefix: number
}

function addBlocks(
  array: ExtensibleArray,
  superBlock: SuperBlock,
  addressOf: (nth: number) => number | undefined,
  blocks: DataBlock[],
): number[] {
  const nths: number[] = []
  // A super block that has been written is as long as it says: its length was checked by reading it.
  const count = Math.min(superBlock.blocks, array.file.end)
  for (let nth = 0; nth < count; nth++) {
    const address = addressOf(nth)
    if (address === undefined) continue
    nths.push(nth)
    blocks.push({
      address,
      first: superBlock.firstElement + nth * superBlock.blockLength,
      length: superBlock.blockLength,
    })
  }
  return nths
}

function pagesOf(array: ExtensibleArray, block: DataBlock, hasPage: ((page: number) => boolean) | undefined): PageOf[] {
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
  const pages: PageOf[] = []
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

function emitElements(
  array: ExtensibleArray,
  bytes: Uint8Array,
  first: number,
  count: number,
  order: LinearOrder,
  emit: Emit,
): void {
  for (let i = 0; i < count; i++) {
    const chunk = array.elements.chunkAt(bytes, i * array.elements.size)
    const position = chunk === undefined ? undefined : order.positionOf(first + i)
    if (chunk !== undefined && position !== undefined) emit(position, chunk.address, chunk.size, chunk.mask)
  }
}

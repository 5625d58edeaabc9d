// HDF5 File Format Specification, section VII.D "The Extensible Array Index": its header and its blocks.
import { cursorAt, type Hdf5File, verifyChecksum } from '../structures/hdf5-file.ts'
import { type ElementReader, elementReader } from './elements.ts'
import type { ChunkGrid, NodeRequest } from './locator.ts'

/** The array's header, and what follows from it (H5EA__hdr_init). */
export interface ExtensibleArray {
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
export interface SuperBlock {
  readonly blocks: number
  readonly blockLength: number
  /** Its first element, and its first data block, counted over all super blocks. */
  readonly firstElement: number
  readonly firstBlock: number
}

/** A data block, and where its elements are in the array. */
export interface DataBlock {
  readonly address: number
  readonly first: number
  readonly length: number
}

const MOST_BITS = 64

/** Reads and checks the header. */
export function parseExtensibleArray(
  file: Hdf5File,
  bytes: Uint8Array,
  address: number,
  grid: ChunkGrid,
): ExtensibleArray {
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

export function indexBlockPrefix({ file }: ExtensibleArray): number {
  return 6 + file.offsetSize
}

/** Where in the index block the address of a data block is, or that of a super block. */
export function blockPointer(array: ExtensibleArray, block: number): number {
  return indexBlockPrefix(array) + array.inIndexBlock * array.elements.size + block * array.file.offsetSize
}

export function superPointer(array: ExtensibleArray, superBlock: number): number {
  return blockPointer(array, array.directBlocks + superBlock - array.directSuperBlocks)
}

export function indexBlockRequest(array: ExtensibleArray, address: number): NodeRequest {
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

export function addressAt(array: ExtensibleArray, bytes: Uint8Array, at: number): number | undefined {
  return cursorAt(array.file, bytes.subarray(at, at + array.file.offsetSize), at).address()
}

export function dataBlockPrefix({ file, placeBytes }: ExtensibleArray): number {
  return 6 + file.offsetSize + placeBytes
}

export function dataBlockRequest(array: ExtensibleArray, { address, length }: DataBlock): NodeRequest {
  return {
    address,
    length: dataBlockPrefix(array) + length * array.elements.size + 4,
    check: (bytes) => checkBlock(array, bytes, address, 'EADB'),
  }
}

/** Pages follow the data block's prefix and its checksum; each has its own. */
export function pageRequest(array: ExtensibleArray, block: DataBlock, page: number): NodeRequest {
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

export function superBlockPointer(array: ExtensibleArray, superBlock: SuperBlock, nth: number): number {
  return dataBlockPrefix(array) + superBlock.blocks * pageBitsLength(array, superBlock) + nth * array.file.offsetSize
}

export function superBlockRequest(array: ExtensibleArray, superBlock: SuperBlock, address: number): NodeRequest {
  return {
    address,
    length: superBlockPointer(array, superBlock, superBlock.blocks) + 4,
    check: (bytes) => checkBlock(array, bytes, address, 'EASB'),
  }
}

/** The bits of all blocks are one row, though room is made for each in bytes; the highest bit comes first (H5VM_bit_get). */
export function pageBits(
  array: ExtensibleArray,
  superBlock: SuperBlock,
  bytes: Uint8Array,
  nth: number,
): (page: number) => boolean {
  const start = dataBlockPrefix(array)
  const first = nth * (superBlock.blockLength / array.pageLength)
  return (page) => ((bytes[start + ((first + page) >> 3)] ?? 0) & (0x80 >> ((first + page) & 7))) !== 0
}

// HDF5 File Format Specification, section VII.C "The Fixed Array Index": datasets that can't grow without limit.
import { cursorAt, type Hdf5File, verifyChecksum } from '../structures/hdf5-file.ts'
import { type ElementReader, elementReader, emitRow, stepAt } from './elements.ts'
import { type LinearOrder, linearIndex } from './linear.ts'
import { ABSENT, type ChunkGrid, type Emit, type Locator, type NodeRequest, type ReadNodes } from './locator.ts'

/** The array's header. */
interface FixedArray {
  readonly file: Hdf5File
  readonly header: number
  readonly elements: ElementReader
  readonly count: number
  readonly block: number | undefined
  /** Elements of a page; undefined where the data block is one piece. */
  readonly pageLength: number | undefined
  /** Bytes of the data block before its elements or pages, without a checksum. */
  readonly prefix: number
}

/** Finds chunks by their number, in the data block or one of its pages. */
export function fixedArrayLocator(file: Hdf5File, address: number, grid: ChunkGrid): Locator {
  const order = linearIndex(grid)
  const length = 12 + file.lengthSize + file.offsetSize
  const header: NodeRequest = { address, length, check: (bytes) => void parseHeader(file, bytes, address, grid) }
  return {
    locate(coords, nodes) {
      const bytes = nodes(address)
      if (bytes === undefined) return { kind: 'read', request: header }
      const array = parseHeader(file, bytes, address, grid)
      const index = order.indexOf(coords)
      if (array.block === undefined || index >= array.count) return ABSENT
      const block = blockRequest(array, array.block)
      const data = nodes(block.address)
      if (data === undefined) return { kind: 'read', request: block }
      if (array.pageLength === undefined)
        return stepAt(array.elements, data, array.prefix + index * array.elements.size)
      const page = Math.floor(index / array.pageLength)
      if (!hasPage(array, data, page)) return ABSENT
      const request = pageRequest(array, array.block, page)
      const elements = nodes(request.address)
      if (elements === undefined) return { kind: 'read', request }
      return stepAt(array.elements, elements, (index % array.pageLength) * array.elements.size)
    },
    scan: (read, emit) => scan(header, (bytes) => parseHeader(file, bytes, address, grid), order, read, emit),
  }
}

function parseHeader(file: Hdf5File, bytes: Uint8Array, address: number, grid: ChunkGrid): FixedArray {
  verifyChecksum(bytes, 'a fixed array', file.base + address)
  const cursor = cursorAt(file, bytes, address)
  cursor.signature('FAHD')
  cursor.oneOf('fixed array version', [0])
  const client = cursor.oneOf('fixed array client', [0, 1])
  const elementSize = cursor.u8()
  const pageBits = cursor.u8()
  const count = cursor.length()
  const block = cursor.address()
  if (pageBits > 30) throw cursor.fail(`pages of 2^${pageBits} elements`)
  const isPaged = count > 2 ** pageBits
  const pages = Math.ceil(count / 2 ** pageBits)
  const prefix = 6 + file.offsetSize + (isPaged ? Math.ceil(pages / 8) : 0)
  const elements = elementReader(file, grid, elementSize, client === 1)
  return { file, header: address, elements, count, block, pageLength: isPaged ? 2 ** pageBits : undefined, prefix }
}

/** The data block, or what of it comes before its pages. */
function blockRequest(array: FixedArray, address: number): NodeRequest {
  const { file, prefix, count, elements, pageLength } = array
  return {
    address,
    length: prefix + (pageLength === undefined ? count * elements.size : 0) + 4,
    check(bytes) {
      verifyChecksum(bytes, 'a data block of a fixed array', file.base + address)
      const cursor = cursorAt(file, bytes, address)
      cursor.signature('FADB')
      cursor.oneOf('fixed array data block version', [0])
      cursor.skip(1)
      if (cursor.address() !== array.header) throw cursor.fail('a data block of another array')
    },
  }
}

/** The highest bit comes first (H5VM_bit_get). */
function hasPage(array: FixedArray, block: Uint8Array, page: number): boolean {
  const byte = block[6 + array.file.offsetSize + (page >> 3)] ?? 0
  return (byte & (0x80 >> (page & 7))) !== 0
}

function pageRequest(array: FixedArray, block: number, page: number): NodeRequest {
  const pageLength = array.pageLength ?? 1
  const pageBytes = pageLength * array.elements.size + 4
  const address = block + array.prefix + 4 + page * pageBytes
  const length = Math.min(pageLength, array.count - page * pageLength) * array.elements.size + 4
  return {
    address,
    length,
    check: (bytes) => verifyChecksum(bytes, 'a page of a fixed array', array.file.base + address),
  }
}

async function scan(
  header: NodeRequest,
  parse: (bytes: Uint8Array) => FixedArray,
  order: LinearOrder,
  read: ReadNodes,
  emit: Emit,
): Promise<void> {
  const arrays: FixedArray[] = []
  await read([header], (bytes) => void arrays.push(parse(bytes)))
  const [array] = arrays
  if (array?.block === undefined) return
  const { block, pageLength, prefix, count } = array
  const pages: number[] = []
  await read([blockRequest(array, block)], (bytes) => {
    if (pageLength === undefined)
      return emitRow(array.elements, { bytes: bytes.subarray(prefix), first: 0, count }, order, emit)
    for (let page = 0; page * pageLength < count; page++) if (hasPage(array, bytes, page)) pages.push(page)
  })
  if (pageLength === undefined) return
  await read(
    pages.map((page) => pageRequest(array, block, page)),
    (bytes, index) => {
      const first = (pages[index] ?? 0) * pageLength
      emitRow(array.elements, { bytes, first, count: Math.min(pageLength, count - first) }, order, emit)
    },
  )
}

// HDF5 File Format Specification, section III.G "Disk Format: Level 1G - Fractal Heap".
import { malformed, unsupported } from '../../../errors.ts'
import { readAllRecords, readBtreeV2 } from './btree-v2.ts'
import { bytesToHold, cursorAt, type Hdf5File, readAt, verifyChecksum } from './hdf5-file.ts'

/** What the header of a heap says. */
interface HeapHeader {
  readonly idBytes: number
  readonly offsetBytes: number
  readonly lengthBytes: number
  readonly width: number
  readonly startSize: number
  readonly mostDirectSize: number
  readonly heapBits: number
  readonly hasChecksums: boolean
  readonly rootAddress: number | undefined
  readonly rootRows: number
  readonly hugeTree: number | undefined
}

/** An opened heap: its doubling table, and the blocks that have been read. */
export interface FractalHeap extends HeapHeader {
  readonly file: Hdf5File
  readonly address: number
  /** Blocks by address: direct ones whole, of indirect ones the addresses of their children. */
  readonly direct: Map<number, Promise<Uint8Array>>
  readonly indirect: Map<number, Promise<readonly (number | undefined)[]>>
}

/** Of one object; larger ones would not be metadata. */
const MOST_OBJECT_BYTES = 16_777_216
const MOST_ROWS = 256

export async function openFractalHeap(
  file: Hdf5File,
  address: number,
  signal?: AbortSignal | undefined,
): Promise<FractalHeap> {
  const length = 26 + 12 * file.lengthSize + 3 * file.offsetSize
  const header = parseHeader(file, address, await readAt(file, address, length, signal))
  return { ...header, file, address, direct: new Map(), indirect: new Map() }
}

function parseHeader(file: Hdf5File, address: number, bytes: Uint8Array): HeapHeader {
  const { offsetSize, lengthSize } = file
  const cursor = cursorAt(file, bytes, address)
  cursor.signature('FRHP')
  cursor.oneOf('fractal heap version', [0])
  const idBytes = cursor.u16()
  const filterBytes = cursor.u16()
  if (filterBytes > 0) throw unsupported('filtered fractal heap', 'the metadata of a group is in a compressed heap')
  verifyChecksum(bytes, 'a fractal heap', file.base + address)
  const hasChecksums = (cursor.u8() & 2) !== 0
  const mostManaged = cursor.u32()
  cursor.skip(lengthSize)
  const hugeTree = cursor.address()
  cursor.skip(lengthSize + offsetSize + 8 * lengthSize)
  const width = cursor.u16()
  const startSize = cursor.length()
  const mostDirectSize = cursor.length()
  const heapBits = cursor.u16()
  cursor.skip(2)
  const rootAddress = cursor.address()
  const rootRows = cursor.u16()
  const isSized = isPowerOfTwo(startSize) && isPowerOfTwo(mostDirectSize) && width > 0
  if (!isSized || heapBits > 64 || rootRows > MOST_ROWS) {
    throw cursor.fail(`a fractal heap of blocks of ${startSize} to ${mostDirectSize} bytes, ${width} in a row`)
  }
  const offsetBytes = Math.ceil(heapBits / 8)
  const lengthBytes = Math.min(Math.ceil(Math.log2(mostDirectSize) / 8), bytesToHold(mostManaged))
  const table = { width, startSize, mostDirectSize, heapBits, rootAddress, rootRows }
  return { idBytes, offsetBytes, lengthBytes, hasChecksums, hugeTree, ...table }
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && value <= 2 ** 40 && Number.isInteger(Math.log2(value))
}

/** The object that a heap ID names. */
export async function readHeapObject(
  heap: FractalHeap,
  id: Uint8Array,
  signal?: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { file } = heap
  const cursor = cursorAt(file, id, 0)
  const first = cursor.u8()
  if (first >> 6 !== 0) throw malformed(`heap ID version ${first >> 6}, expected 0`)
  switch ((first >> 4) & 3) {
    case 0: {
      const offset = cursor.uint(heap.offsetBytes)
      return await managedObject(heap, offset, cursor.uint(heap.lengthBytes), signal)
    }
    case 1:
      return await hugeObject(heap, id.subarray(1), signal)
    case 2: {
      const isLong = heap.idBytes - 1 > 16
      const length = (isLong ? ((first & 15) << 8) | cursor.u8() : first & 15) + 1
      return cursor.take(length)
    }
  }
  throw malformed('heap ID type 3, expected 0 to 2')
}

async function hugeObject(heap: FractalHeap, id: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const { file } = heap
  const cursor = cursorAt(file, id, 0)
  if (file.offsetSize + file.lengthSize <= heap.idBytes - 1) {
    const address = cursor.definedAddress('a huge heap object')
    return await objectAt(file, address, cursor.length(), signal)
  }
  const key = cursor.uint(Math.min(file.lengthSize, heap.idBytes - 1))
  if (heap.hugeTree === undefined)
    throw malformed('a huge object in a heap that has none', { offset: file.base + heap.address })
  const tree = await readBtreeV2(file, heap.hugeTree, [1], signal)
  for (const record of await readAllRecords(file, tree, signal)) {
    const fields = cursorAt(file, record, tree.address)
    const address = fields.definedAddress('a huge heap object')
    const length = fields.length()
    if (fields.length() === key) return await objectAt(file, address, length, signal)
  }
  throw malformed(`a heap has no huge object ${key}`, { offset: file.base + heap.address })
}

async function objectAt(
  file: Hdf5File,
  address: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (length > MOST_OBJECT_BYTES) throw malformed(`a heap object of ${length} bytes`, { offset: file.base + address })
  return await readAt(file, address, length, signal)
}

async function managedObject(
  heap: FractalHeap,
  offset: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const place = await findBlock(heap, offset, signal)
  const at = offset - place.start
  if (at + length > place.size)
    throw malformed(`a heap object of ${length} bytes runs past its block`, { offset: heap.file.base + place.address })
  const block = await cached(heap.direct, place.address, () => directBlock(heap, place, signal))
  return block.subarray(at, at + length)
}

interface HeapBlock {
  readonly address: number
  /** Offset of the block in the heap. */
  readonly start: number
  readonly size: number
}

/** Walks the doubling table to the direct block that holds an offset. */
async function findBlock(heap: FractalHeap, offset: number, signal: AbortSignal | undefined): Promise<HeapBlock> {
  const root = heap.rootAddress
  if (root === undefined) throw malformed('an object in an empty heap', { offset: heap.file.base + heap.address })
  if (heap.rootRows === 0) return { address: root, start: 0, size: heap.startSize }
  let address = root
  let rows = heap.rootRows
  let start = 0
  for (;;) {
    const blocks = await cached(heap.indirect, address, () => indirectBlock(heap, { address, rows }, signal))
    const entry = entryOf(heap, rows, offset - start)
    const child = entry === undefined ? undefined : blocks[entry.index]
    if (entry === undefined || child === undefined) {
      throw malformed(`a heap has nothing at offset ${offset}`, { offset: heap.file.base + heap.address })
    }
    start += entry.start
    if (entry.size <= heap.mostDirectSize) return { address: child, start, size: entry.size }
    // A child is smaller than its parent: this ends.
    const below = Math.log2(entry.size) - Math.log2(heap.startSize * heap.width) + 1
    if (below < 1 || below >= rows)
      throw malformed('a heap whose blocks do not get smaller', { offset: heap.file.base + child })
    address = child
    rows = below
  }
}

/** Which block of an indirect block holds an offset counted from its start: rows double in size from the second on. */
function entryOf(
  heap: FractalHeap,
  rows: number,
  offset: number,
): { index: number; start: number; size: number } | undefined {
  let start = 0
  for (let row = 0; row < rows; row++) {
    const size = heap.startSize * 2 ** Math.max(row - 1, 0)
    if (offset < start + size * heap.width) {
      const column = Math.floor((offset - start) / size)
      return { index: row * heap.width + column, start: start + column * size, size }
    }
    start += size * heap.width
  }
  return undefined
}

async function indirectBlock(
  heap: FractalHeap,
  { address, rows }: { readonly address: number; readonly rows: number },
  signal: AbortSignal | undefined,
): Promise<readonly (number | undefined)[]> {
  const { file } = heap
  const count = rows * heap.width
  const length = 5 + file.offsetSize + heap.offsetBytes + count * file.offsetSize + 4
  const bytes = await readAt(file, address, length, signal)
  verifyChecksum(bytes, 'an indirect block of a fractal heap', file.base + address)
  const cursor = cursorAt(file, bytes, address)
  cursor.signature('FHIB')
  cursor.oneOf('indirect block version', [0])
  cursor.skip(file.offsetSize + heap.offsetBytes)
  return Array.from({ length: count }, () => cursor.address())
}

async function directBlock(heap: FractalHeap, place: HeapBlock, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const { file } = heap
  if (place.size > MOST_OBJECT_BYTES)
    throw malformed(`a heap block of ${place.size} bytes`, { offset: file.base + place.address })
  const bytes = await readAt(file, place.address, place.size, signal)
  const cursor = cursorAt(file, bytes, place.address)
  cursor.signature('FHDB')
  cursor.oneOf('direct block version', [0])
  cursor.skip(file.offsetSize)
  const start = cursor.uint(heap.offsetBytes)
  if (start !== place.start) throw cursor.fail(`a heap block that begins at ${start}, expected ${place.start}`)
  if (heap.hasChecksums) verifyBlock(bytes, cursor.position, file.base + place.address)
  return bytes
}

/** The checksum is in the middle of what it covers, and counts as zero there. */
function verifyBlock(bytes: Uint8Array, at: number, offset: number): void {
  const sum = bytes.slice(at, at + 4)
  const covered = new Uint8Array(bytes.length + 4)
  covered.set(bytes)
  covered.fill(0, at, at + 4)
  covered.set(sum, bytes.length)
  verifyChecksum(covered, 'a direct block of a fractal heap', offset)
}

/** A failed read is not kept: the next one may succeed. */
async function cached<Value>(
  map: Map<number, Promise<Value>>,
  key: number,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = map.get(key)
  if (known !== undefined) return await known
  const promise = make()
  map.set(key, promise)
  try {
    return await promise
  } catch (error) {
    map.delete(key)
    throw error
  }
}

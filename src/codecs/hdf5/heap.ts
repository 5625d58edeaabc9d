// HDF5 File Format Specification, section III.E "Disk Format: Level 1E - Global Heap".

import type { ByteRange } from '../../bytes/byte-range.ts'
import { type RangeRun, type RunLimits, runsOfRanges } from '../../bytes/byte-range.ts'
import { Cursor } from '../../bytes/cursor.ts'
import { isVirtualZarrError, malformed, overLimit } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'

/** Sizes of numbers in the file, and where its addresses count from. */
export interface HeapFormat {
  readonly offsetSize: number
  readonly lengthSize: number
  readonly base: number
}

export interface HeapReader {
  read(range: ByteRange): Promise<Uint8Array>
  /** Most bytes of heaps that may be read. */
  readonly limit: number
}

/** The objects of a collection by their number. */
export type Collection = ReadonlyMap<number, Uint8Array>

/** Collections are at least so long (H5HG_MINSIZE), and nearly always just that. */
const USUAL_LENGTH = 4096
const TOGETHER: RunLimits = { mostGap: 65_536, mostBytes: 2 ** 22 }
const AT_ONCE = 8
const SIGNATURE = [0x47, 0x43, 0x4f, 0x4c]

/** What is done with the collections that are read. */
interface CollectionUse {
  use(address: number, collection: Collection): void
  /** Given the beginning of a collection that is longer than others: whether that is enough, so that the rest need not be read. */
  useHead?(address: number, head: Uint8Array): Promise<boolean>
}

/** Hands over each of these collections once, in no order; neighbours are read together, and no bytes are kept. */
export async function readCollections(
  addresses: readonly number[],
  format: HeapFormat,
  reader: HeapReader,
  use: CollectionUse,
): Promise<void> {
  const sorted = addresses.toSorted((one, other) => one - other)
  const ranges = sorted.map((offset) => ({ offset, length: USUAL_LENGTH }))
  const runs = runsOfRanges(ranges, TOGETHER)
  let budget = reader.limit
  const spend = (length: number) => {
    budget -= length
    if (budget < 0) throw overLimit(`the content of one chunk lies in more than ${reader.limit} bytes of global heaps`)
  }
  await inParallel(runs, AT_ONCE, (run) => readRun(run, sorted, format, { ...reader, spend }, use))
}

interface SpendingReader extends HeapReader {
  spend(length: number): void
}

async function readRun(
  { offset: start, length, places }: RangeRun,
  addresses: readonly number[],
  format: HeapFormat,
  reader: SpendingReader,
  { use, useHead }: CollectionUse,
): Promise<void> {
  const bytes = await readTogether(start, length, format, reader)
  let end = 0
  for (const place of places) {
    const address = addresses[place] ?? start
    const known = bytes.subarray(address - start)
    const cursor = cursorOf(known, address, format)
    // Else a small file could hold a huge number of long collections.
    if (address < end) throw cursor.fail(`a global heap begins inside of another one, which ends at ${end}`)
    const size = collectionSize(cursor, format)
    end = address + size
    if (size > known.length && (await useHead?.(address, known)) === true) continue
    use(address, parseCollection(await whole(known, size, address, format, reader), address, format))
  }
}

/** From the first collection to the end of the last one, or, when the file ends before that, to the end of its header. */
async function readTogether(
  start: number,
  length: number,
  format: HeapFormat,
  reader: SpendingReader,
): Promise<Uint8Array> {
  const offset = format.base + start
  reader.spend(length)
  try {
    return await reader.read({ offset, length })
  } catch (error) {
    if (!isVirtualZarrError(error, 'malformed-source')) throw error
    return await reader.read({ offset, length: length - USUAL_LENGTH + 8 + format.lengthSize })
  }
}

async function whole(
  known: Uint8Array,
  size: number,
  address: number,
  format: HeapFormat,
  reader: SpendingReader,
): Promise<Uint8Array> {
  if (size <= known.length) return known.subarray(0, size)
  reader.spend(size)
  return await reader.read({ offset: format.base + address, length: size })
}

function cursorOf(bytes: Uint8Array, address: number, format: HeapFormat): Cursor {
  return new Cursor(bytes, 'little', { format: 'hdf5', base: format.base + address })
}

function collectionSize(cursor: Cursor, format: HeapFormat): number {
  if (SIGNATURE.some((byte) => cursor.u8() !== byte)) throw cursor.fail('no global heap (GCOL) lies here')
  const version = cursor.u8()
  if (version !== 1) throw cursor.fail(`global heap version ${version}, expected 1`)
  cursor.skip(3)
  const size = cursor.uint(format.lengthSize)
  if (size < cursor.position) throw cursor.fail(`a global heap of ${size} bytes`)
  return size
}

function parseCollection(bytes: Uint8Array, address: number, format: HeapFormat): Collection {
  const objects = new Map<number, Uint8Array>()
  const cursor = cursorOf(bytes, address, format)
  cursor.skip(8 + format.lengthSize)
  while (cursor.remaining >= 8 + format.lengthSize) {
    const index = cursor.u16()
    cursor.skip(6)
    const length = cursor.uint(format.lengthSize)
    // Object 0 is the free space at the end.
    if (index === 0) break
    objects.set(index, cursor.take(length))
    cursor.skip(Math.min((8 - (length % 8)) % 8, cursor.remaining))
  }
  return objects
}

/** A part of an object in a collection; the object has at least `size` bytes. */
export interface HeapPiece {
  readonly address: number
  readonly object: number
  readonly size: number
  readonly from: number
  readonly length: number
}

/** The bytes of each piece; of a long object, which has a collection of its own, no more than the piece is read. */
export async function readPieces(
  pieces: readonly HeapPiece[],
  format: HeapFormat,
  reader: HeapReader,
): Promise<readonly Uint8Array[]> {
  const found = new Array<Uint8Array>(pieces.length).fill(new Uint8Array(0))
  const places = [...pieces.keys()].filter((place) => (pieces[place]?.length ?? 0) > 0)
  const byAddress = Map.groupBy(places, (place) => pieces[place]?.address ?? 0)
  const each = (address: number, take: (piece: HeapPiece, place: number) => void) => {
    for (const place of byAddress.get(address) ?? []) {
      const piece = pieces[place]
      if (piece !== undefined) take(piece, place)
    }
  }
  await readCollections([...byAddress.keys()], format, reader, {
    use: (address, collection) =>
      each(address, (piece, place) => {
        const object = collection.get(piece.object)
        checkObject(piece, object?.length, format)
        // A copy: the collection is not kept for it.
        found[place] = object?.slice(piece.from, piece.from + piece.length) ?? new Uint8Array(0)
      }),
    useHead: async (address, head) => {
      const [place, ...others] = byAddress.get(address) ?? []
      const piece = place === undefined ? undefined : pieces[place]
      if (place === undefined || piece === undefined || others.length > 0) return false
      const first = firstObject(head, address, format)
      if (first.index !== piece.object) return false
      checkObject(piece, first.length, format)
      found[place] = await reader.read({ offset: first.offset + piece.from, length: piece.length })
      return true
    },
  })
  return found
}

function checkObject(piece: HeapPiece, length: number | undefined, { base }: HeapFormat): void {
  if (length !== undefined && piece.size <= length) return
  const what = length === undefined ? 'no such object' : `an object of ${length} bytes`
  throw malformed(`${piece.size} bytes refer to object ${piece.object} of a global heap, which has ${what}`, {
    offset: base + piece.address,
  })
}

/** What a collection begins with. */
function firstObject(head: Uint8Array, address: number, format: HeapFormat) {
  const cursor = cursorOf(head, address, format)
  cursor.skip(8 + format.lengthSize)
  const index = cursor.u16()
  cursor.skip(6)
  const length = cursor.uint(format.lengthSize)
  return { index, length, offset: cursor.offset }
}

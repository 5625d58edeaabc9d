import type { ByteRange } from '../../bytes/byte-range.ts'
import type { Endian } from '../../bytes/cursor.ts'
import { type ErrorContext, malformed } from '../../errors.ts'
import { type HeldPages, PagedTable, type TableInFile } from '../../model/paged-table.ts'
import { after } from '../../model/recent-parts.ts'
import { recipe } from '../../model/recipe.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import type { Field } from './directories/ifd.ts'
import type { Blocks } from './image.ts'

/** Where the blocks of an image are in the file. */
export interface BlockPlaces {
  held(): HeldPlaces
  /** The blocks `first` to `first + count - 1`; undefined for those that were never written. */
  run(first: number, count: number, options: ReadOptions): Places | Promise<Places>
  /** Whether every block was written. */
  isComplete(options: ReadOptions): Promise<boolean>
  weight(): number
}

interface HeldPlaces {
  readonly offsets: HeldPages
  readonly counts: HeldPages
}

export type Places = readonly (ByteRange | undefined)[]

export interface BlockPlacesInput {
  readonly source: Source
  readonly blocks: Blocks
  /** Blocks of all planes. */
  readonly blockCount: number
  readonly endian: Endian
  readonly place: ErrorContext
  /** Length of an uncompressed block, which then needs no table and may be followed by padding; by number. */
  readonly rawLength: ((block: number) => RawLength) | undefined
}

/** Bytes of an uncompressed block; `least` is what the image needs of it. */
export interface RawLength {
  readonly whole: number
  readonly least: number
}

/** Images of more blocks are not proven to be complete: that takes their whole tables. */
const MOST_CHECKED = 4_000_000

/** Finds blocks by the tables of a directory, which stay in the file until they are needed. */
export const blockPlaces = recipe('tiff.places', placesOf)

function placesOf(
  { source, blocks, blockCount, endian, place, rawLength }: BlockPlacesInput,
  held?: HeldPlaces,
): BlockPlaces {
  const listed = listedBlocks(blocks, blockCount)
  if (blocks.offsets.count < blockCount) {
    throw malformed(
      `the image has ${blockCount} blocks, and the table of their offsets ${blocks.offsets.count} entries`,
      place,
    )
  }
  const tableOf = (field: Field, pages?: HeldPages) => blockTable(source, field, endian, blockCount, pages)
  const offsets = tableOf(blocks.offsets, held?.offsets)
  const counts = blocks.counts === undefined ? undefined : tableOf(blocks.counts, held?.counts)
  if (counts === undefined && rawLength === undefined) {
    throw malformed('the directory does not say how long its compressed blocks are', place)
  }

  function placeOf(block: number, offset: number, count: number | undefined): ByteRange | undefined {
    if (isSparse(offset, count)) return undefined
    const raw = rawLength?.(block)
    const length = Math.min(count ?? Number.POSITIVE_INFINITY, raw?.whole ?? Number.POSITIVE_INFINITY)
    if (raw !== undefined && length < raw.least) {
      throw malformed(`block ${block} has ${length} bytes, ${raw.least} are expected`, { ...place, offset })
    }
    if (offset + length <= source.size) return { offset, length }
    throw malformed(`block ${block} ends at byte ${offset + length} of a file of ${source.size}: it is cut off`, {
      ...place,
      offset,
    })
  }

  const join = (first: number, o: ArrayLike<number>, c: ArrayLike<number> | undefined): Places =>
    Array.from({ length: o.length }, (_, i) => placeOf(first + i, o[i] ?? 0, c?.[i]))

  return {
    run(first, all, options) {
      const count = Math.max(0, Math.min(all, listed - first))
      if (count < all) return after(this.run(first, count, options), (some) => [...some, ...unwritten(all - count)])
      if (count === 0) return []
      const o = offsets.run(first, count, options)
      const c = counts?.run(first, count, options)
      if (o instanceof Promise || c instanceof Promise) {
        return Promise.all([o, c]).then(([someOffsets, someCounts]) => join(first, someOffsets, someCounts))
      }
      return join(first, o, c)
    },
    async isComplete(options) {
      if (blockCount > MOST_CHECKED || listed < blockCount) return false
      let complete = true
      const visit = (numbers: ArrayLike<number>) => {
        for (let i = 0; i < numbers.length; i++) if (numbers[i] === 0) complete = false
      }
      await Promise.all([offsets.each(visit, options), counts?.each(visit, options)])
      return complete
    },
    weight: () => offsets.weight() + (counts?.weight() ?? 0),
    held: () => ({ offsets: offsets.held(), counts: counts?.held() ?? [] }),
  }
}

/** How many blocks the file lists: those without a length count as never written, as in libtiff. */
export function listedBlocks({ counts }: Blocks, blockCount: number): number {
  return Math.min(blockCount, counts?.count ?? blockCount)
}

function unwritten(count: number): undefined[] {
  return new Array<undefined>(count).fill(undefined)
}

/** GDAL leaves both at 0, or the offset alone where several tools dropped the counts. */
function isSparse(offset: number, count: number | undefined): boolean {
  return offset === 0 || count === 0
}

type Numbers = Float64Array | Uint32Array

/** TileOffsets or TileByteCounts. */
interface BlockTable {
  /** The numbers `first` to `first + count - 1`; no promise once their pages are loaded. */
  run(first: number, count: number, options: ReadOptions): Numbers | Promise<Numbers>
  /** Calls back with every entry. */
  each(visit: (numbers: Numbers) => void, options: ReadOptions): Promise<void>
  /** Bytes of memory held. */
  weight(): number
  held(): HeldPages
}

/** A table of which `length` entries are used: the file may claim more. */
export function blockTable(source: Source, field: Field, endian: Endian, length: number, held?: HeldPages): BlockTable {
  const { position: offset, size: entryBytes, inline } = field
  const count = Math.min(field.count, length)
  const read: TableInFile['read'] = async (range, options) =>
    inline?.subarray(0, range.length) ?? (await source.read(range, options))
  const table = new PagedTable({ offset, entryBytes, count, read }, held)
  const numbers = (bytes: Uint8Array) => numbersOf(bytes, entryBytes, endian)
  return {
    run(first, some, options) {
      if (first + some > count) {
        throw malformed(`block ${first + some - 1} is not in its table of ${count} entries`, { offset })
      }
      return after(table.run(first, some, options), numbers)
    },
    each: (visit, options) => table.each((bytes) => visit(numbers(bytes)), options),
    weight: () => table.weight(),
    held: () => table.held(),
  }
}

/** Unsigned numbers of 1, 2, 4 or 8 bytes; beyond 2^53 they only have to be beyond every file. */
function numbersOf(bytes: Uint8Array, size: number, endian: Endian): Numbers {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const little = endian === 'little'
  const count = bytes.length / size
  const numbers = size === 8 ? new Float64Array(count) : new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    if (size === 8) {
      numbers[i] =
        view.getUint32(i * 8 + (little ? 4 : 0), little) * 2 ** 32 + view.getUint32(i * 8 + (little ? 0 : 4), little)
    } else if (size === 4) numbers[i] = view.getUint32(i * 4, little)
    else numbers[i] = size === 2 ? view.getUint16(i * 2, little) : view.getUint8(i)
  }
  return numbers
}

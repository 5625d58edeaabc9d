import { deflateRaw } from '../../codecs/hdf5/deflate-raw.ts'
import { type ChunkIndex, gridPosition } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import { ChunkRows } from '../../model/chunk-table.ts'
import { elementCount } from '../../model/shape.ts'
import type { Source } from '../../source/source.ts'
import { gridOf, type PlacedChunks, type ZarrArray } from '../zarr-documents/zarr-array.ts'
import { locateContent } from './zip-member.ts'

/** The chunk members of one array while the directory is read: a name never becomes an entry of a map. */
export interface ChunkMembers {
  readonly rows: ChunkRows<'header' | 'length' | 'isDeflated'>
  /** The most that a deflated chunk inflates to. */
  largestDeflated: number
}

export function noMembers(): ChunkMembers {
  return { rows: new ChunkRows('header', 'length', 'isDeflated'), largestDeflated: 0 }
}

/**
 * The chunks of an array as members of an archive. Deflated ones have one codec more than the document says; the document's
 * own codecs come first all the same, since the first encoding decides what clients are told.
 */
export function zipChunks(
  array: ZarrArray,
  { rows, largestDeflated }: ChunkMembers,
  source: Source,
  directoryOffset: number,
): PlacedChunks {
  const gridShape = gridOf(array)
  // Of members with the same name the last one counts, as in Python's zipfile.
  const table = rows.table(elementCount(gridShape))
  const { header, length, isDeflated } = table.columns
  const inflate = deflateRaw.stored({ size: largestDeflated })
  // Where the content begins is only in the local header: how far behind it, once that was read.
  const headerLengths = new Uint32Array(table.places)

  const refOf = (place: number): ChunkRef => {
    const offset = (header[place] ?? 0) + (headerLengths[place] ?? 0)
    return { kind: 'range', source: 0, offset, length: length[place] ?? 0, encoding: isDeflated[place] ?? 0 }
  }
  const locate = async (place: number, signal: AbortSignal | undefined): Promise<ChunkRef> => {
    const start = header[place] ?? 0
    const offset = await locateContent(source, start, length[place] ?? 0, directoryOffset, { signal })
    headerLengths[place] = offset - start
    return refOf(place)
  }
  const chunks: ChunkIndex = {
    gridShape,
    at(coords, signal) {
      const place = table.placeOf(gridPosition(coords, gridShape))
      if (place === undefined) return MISSING
      return headerLengths[place] === 0 ? locate(place, signal) : refOf(place)
    },
    isComplete: () => table.isComplete,
    weight: () => table.weight + headerLengths.byteLength,
  }
  const encodings = isDeflated.length > 0 ? [array.encoding, [...array.encoding, inflate]] : [array.encoding]
  return { encodings, chunks }
}

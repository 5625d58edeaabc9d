import type { ByteRange } from '../../bytes/byte-range.ts'
import type { Endian } from '../../bytes/cursor.ts'
import { swapBytes } from '../../codecs/kernels/swap-bytes.ts'
import { type ChunkIndex, gridShapeOf } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import type { DataType, Scalar } from '../../model/data-type.ts'
import { after } from '../../model/recent-parts.ts'
import { recipe } from '../../model/recipe.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import type { BlockPlaces, Places } from './blocks.ts'
import type { Chunking } from './chunking.ts'
import { COMPRESSION } from './compression.ts'
import type { Image } from './image.ts'

export interface TiffIndexInput {
  readonly source: Source
  /** What chunks name as their source. */
  readonly reference: number
  readonly image: Image
  readonly chunking: Chunking
  readonly places: BlockPlaces
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  /** Blocks of the last row are stored in the second way. */
  readonly hasEdgeEncoding: boolean
  /** What strips that were never written hold, where they share a chunk with others. */
  readonly fill: { readonly dataType: DataType; readonly value: Scalar; readonly endian: Endian }
}

/** Finds the chunks of an image by its tables of blocks. */
export const tiffChunkIndex = recipe('tiff.chunks', (input: TiffIndexInput): ChunkIndex => {
  const { image, places, shape, chunkShape } = input
  const at = finder(input)
  return {
    gridShape: gridShapeOf(shape, chunkShape),
    at: (coords, signal) => {
      const [x = 0, y = 0, band = 0] = coords.toReversed()
      return at({ plane: image.planar ? band : 0, row: y, column: x }, signal === undefined ? {} : { signal })
    },
    isComplete: (signal) => places.isComplete({ signal }),
    weight: () => 512 + places.weight(),
  }
})

/** A chunk by its plane and its place in the grid. */
interface Cell {
  readonly plane: number
  readonly row: number
  readonly column: number
}

type Finder = (cell: Cell, options: ReadOptions) => ChunkRef | Promise<ChunkRef>

function finder(input: TiffIndexInput): Finder {
  switch (input.chunking.kind) {
    case 'block':
      return (cell, options) => {
        const { across, down } = input.image.blocks
        const isEdge = input.hasEdgeEncoding && cell.row === down - 1
        const block = (cell.plane * down + cell.row) * across + cell.column
        return after(input.places.run(block, 1, options), ([place]) =>
          place === undefined
            ? MISSING
            : { kind: 'range', source: input.reference, ...place, encoding: isEdge && !isWhole(input, place) ? 1 : 0 },
        )
      }
    case 'split':
      return (cell, options) => partOfStrip(input, cell, options)
    case 'merged':
      return (cell, options) => mergedStrips(input, cell, options)
  }
}

/** An uncompressed block is as long as all its rows; of others nobody knows. */
function isWhole({ image, chunking }: TiffIndexInput, place: ByteRange): boolean {
  return image.compression === COMPRESSION.none && place.length === chunking.rowBytes * image.blocks.height
}

function partOfStrip({ reference, image, chunking, places }: TiffIndexInput, cell: Cell, options: ReadOptions) {
  const { rows, rowBytes } = chunking
  const first = cell.row * rows
  const strip = Math.floor(first / image.blocks.height)
  const length = Math.min(rows, image.height - first, (strip + 1) * image.blocks.height - first) * rowBytes
  return after(places.run(cell.plane * image.blocks.down + strip, 1, options), ([place]): ChunkRef => {
    if (place === undefined) return MISSING
    const offset = place.offset + (first - strip * image.blocks.height) * rowBytes
    return { kind: 'range', source: reference, offset, length, encoding: 0 }
  })
}

function mergedStrips(input: TiffIndexInput, cell: Cell, options: ReadOptions) {
  const { image, chunking, places } = input
  const { down, height } = image.blocks
  const each = Math.ceil(chunking.rows / height)
  const first = cell.row * each
  const count = Math.min(each, down - first)
  return after(places.run(cell.plane * down + first, count, options), (strips): ChunkRef | Promise<ChunkRef> => {
    if (strips.every((strip) => strip === undefined)) return MISSING
    const parts = strips.filter((strip) => strip !== undefined)
    if (parts.length < strips.length) return filledStrips(input, strips, first, options)
    return { kind: 'ranges', source: input.reference, parts, encoding: 0 }
  })
}

/** A few rows of the fill value between others: there is nothing in the file to point at. */
async function filledStrips(
  { source, image, chunking, fill }: TiffIndexInput,
  strips: Places,
  first: number,
  options: ReadOptions,
): Promise<ChunkRef> {
  const { height } = image.blocks
  const item = scalarToBytes(fill.value, fill.dataType)
  const stored = fill.endian === 'big' ? swapBytes(item, fill.dataType) : item
  const parts = strips.map(async (strip, i) => {
    if (strip !== undefined) return await source.read(strip, options)
    const rows = Math.min(height, image.height - (first + i) * height)
    return Buffer.alloc(rows * chunking.rowBytes, stored)
  })
  return { kind: 'inline', bytes: new Uint8Array(Buffer.concat(await Promise.all(parts))), encoding: 0 }
}

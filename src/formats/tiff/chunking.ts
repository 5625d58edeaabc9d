import { COMPRESSION } from './compression.ts'
import type { Image } from './image.ts'
import { storesYcbcrUnits } from './photometric.ts'
import type { SampleType } from './samples.ts'

/** How blocks become chunks: one each; several strips in one; or a part of an uncompressed strip. */
export interface Chunking {
  readonly kind: 'block' | 'merged' | 'split'
  /** Rows of a chunk. */
  readonly rows: number
  /** The blocks are samples as they are: strips can be joined, and what is missing between them filled in. */
  readonly joinable: boolean
  /** Bytes of one row of a block as stored, when it is not compressed. */
  readonly rowBytes: number
}

/** Strips of less are merged: a request costs as much time as a megabyte of transfer. */
const LEAST_STRIP_BYTES = 131_072
const MERGED_BYTES = 1_048_576
/** Strips of one chunk: each costs the reader some work, however short it is. */
const MOST_STRIPS = 2048
/** Uncompressed strips of more are cut: many writers make one strip of the whole image. */
const MOST_STRIP_BYTES = 4_194_304

/** Decides the chunks of an image. Tiles stay as they are: somebody chose their size. */
export function planChunking(image: Image, type: SampleType): Chunking {
  const { blocks, samples, planar, bits, height } = image
  const raw = image.compression === COMPRESSION.none && !storesYcbcrUnits(image)
  const joinable = raw && type.native && !image.reversedBits
  const rowBytes = Math.ceil((blocks.width * (planar ? 1 : samples) * bits) / 8)
  const whole = { kind: 'block', rows: blocks.height, joinable, rowBytes } as const
  if (blocks.tiled) return whole
  const stripBytes = rowBytes * blocks.height
  if (stripBytes < LEAST_STRIP_BYTES && blocks.down > 1) {
    const strips = Math.min(blocks.down, MOST_STRIPS, Math.floor(MERGED_BYTES / stripBytes))
    return { ...whole, kind: 'merged', rows: Math.min(strips * blocks.height, Math.max(height, blocks.height)) }
  }
  if (!raw || stripBytes <= MOST_STRIP_BYTES) return whole
  const rows = rowsOfPart(blocks.height, Math.floor(MOST_STRIP_BYTES / rowBytes), blocks.down > 1)
  return rows < blocks.height ? { ...whole, kind: 'split', rows } : whole
}

/** A part that divides a strip may be this much shorter than the longest; else the strip stays whole. */
const SHORTENED = 16

/** Rows of one part of a strip, at most `most`; they divide it where the next strip begins after it. */
function rowsOfPart(height: number, most: number, divides: boolean): number {
  const rows = Math.min(height, Math.max(1, most))
  if (!divides) return rows
  let part = rows
  while (part > rows / SHORTENED && height % part !== 0) part--
  return height % part === 0 ? part : height
}

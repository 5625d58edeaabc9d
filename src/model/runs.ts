import { overLimit } from '../errors.ts'
import { type ChunkIndex, gridPosition, gridShapeOf } from './chunk-index.ts'
import { type ChunkRef, MISSING } from './chunk-ref.ts'
import { MOST_CHUNK_BYTES } from './run-chunks.ts'
import { elementCount } from './shape.ts'

/** Where a piece of values is: nothing else is done to them. */
export type RunPlace =
  | { readonly kind: 'range'; readonly source: number; readonly offset: number }
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' }

interface Piece {
  /** Position of its first byte among the values, which are in C order. */
  readonly start: number
  length: number
  readonly place: RunPlace
}

const MOST_PIECES = 2_000_000
/** More chunks than this are not made to keep them small. */
const MOST_CHUNKS = 100_000

/** Values in C order, piece after piece; those that follow each other in a file become one. */
export class Runs {
  readonly #pieces: Piece[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  add(place: RunPlace, length: number): void {
    if (length === 0) return
    const last = this.#pieces.at(-1)
    if (last !== undefined && follows(last, place)) last.length += length
    else this.#pieces.push({ start: this.#length, length, place })
    if (this.#pieces.length > MOST_PIECES) throw overLimit(`values in more than ${MOST_PIECES} pieces of their file`)
    this.#length += length
  }

  /** The largest length that divides the way from the first value to the begin of each piece, and all of it. */
  commonLength(): number {
    return this.#pieces.reduce((common, { start }) => gcd(common, start), this.#length)
  }

  /** The bytes from a position on, which lie in one piece. */
  at(position: number, length: number): ChunkRef {
    const piece = this.#find(position)
    if (piece === undefined || position + length > piece.start + piece.length) {
      throw new RangeError(`bytes ${position} to ${position + length} lie in several pieces`)
    }
    const within = position - piece.start
    const { place } = piece
    switch (place.kind) {
      case 'missing':
        return MISSING
      case 'inline':
        return { kind: 'inline', bytes: place.bytes.subarray(within, within + length), encoding: 0 }
      case 'range':
        return { kind: 'range', source: place.source, offset: place.offset + within, length, encoding: 0 }
    }
  }

  #find(position: number): Piece | undefined {
    let low = 0
    let high = this.#pieces.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#pieces[middle]?.start ?? 0) <= position) low = middle + 1
      else high = middle
    }
    return this.#pieces[low - 1]
  }
}

function follows({ place, length }: Piece, next: RunPlace): boolean {
  if (place.kind === 'missing') return next.kind === 'missing'
  return (
    place.kind === 'range' &&
    next.kind === 'range' &&
    place.source === next.source &&
    place.offset + length === next.offset
  )
}

/**
 * Cuts values so that each chunk lies within one piece and none is cut off at the edge: chunks of some megabytes where lengths
 * divide so, else as long as the file has them together. Undefined where there is no such grid.
 */
export function gridOfRuns(
  runs: Runs,
  shape: readonly number[],
  itemSize: number,
): { readonly chunkShape: readonly number[]; readonly chunks: ChunkIndex } | undefined {
  const chunkShape = cutOfRuns(runs, shape, itemSize)
  if (chunkShape === undefined) return undefined
  const gridShape = gridShapeOf(shape, chunkShape)
  const length = elementCount(chunkShape) * itemSize
  const chunks: ChunkIndex = {
    gridShape,
    at: (coords) => runs.at(gridPosition(coords, gridShape) * length, length),
    weight: () => 0,
  }
  return { chunkShape, chunks }
}

function cutOfRuns(runs: Runs, shape: readonly number[], itemSize: number): number[] | undefined {
  if (shape.length === 0) return runs.length === itemSize ? [] : undefined
  const common = runs.commonLength()
  let longest: number[] | undefined
  let few: number[] | undefined
  let inner = runs.length
  for (const [axis, length] of shape.entries()) {
    inner /= length
    if (common % inner !== 0) continue
    const most = gcd(common / inner, length)
    const cut = (divisor: number) => [...shape.slice(0, axis).map(() => 1), divisor, ...shape.slice(axis + 1)]
    const short = shortCut(most, inner, runs.length)
    if (short !== undefined) return cut(short)
    longest ??= cut(most)
    if (runs.length / (most * inner) <= MOST_CHUNKS) few = cut(most)
  }
  return few ?? longest
}

/** The largest divisor of a length that keeps chunks short and few. */
function shortCut(length: number, inner: number, total: number): number | undefined {
  const fewest = Math.max(1, Math.ceil((length * inner) / MOST_CHUNK_BYTES))
  const last = Math.min(length, Math.floor((MOST_CHUNKS * length * inner) / total))
  for (let parts = fewest; parts <= last; parts++) {
    if (length % parts === 0) return length / parts
  }
  return undefined
}

function gcd(one: number, other: number): number {
  let [a, b] = [one, other]
  while (b !== 0) [a, b] = [b, a % b]
  return a
}

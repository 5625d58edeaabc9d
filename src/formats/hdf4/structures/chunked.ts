// The header of chunked elements, as hchunks.c of the HDF library writes it.
import type { Cursor } from '../../../bytes/cursor.ts'
import { type Coder, parseCoder } from './coder.ts'

/** An element stored in chunks, all of one shape, of which a table says where they are. */
export interface ChunkedElement {
  readonly kind: 'chunked'
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly itemSize: number
  /** Of the table, a vdata. */
  readonly tableRef: number
  /** Of one element; what chunks that were never written read as. */
  readonly fill: Uint8Array
  /** Undefined: chunks are stored as they are. */
  readonly coder: Coder | undefined
}

const COMPRESSED = 3
const MOST_DIMENSIONS = 32

/** The cursor stands behind the mark of chunked elements. */
export function parseChunked(cursor: Cursor): ChunkedElement {
  cursor.skip(4)
  const version = cursor.u8()
  if (version !== 0) throw cursor.fail(`a chunked element of version ${version}, expected 0`)
  const flags = cursor.u32()
  cursor.skip(4)
  const chunkElements = cursor.u32()
  const itemSize = cursor.u32()
  cursor.skip(2)
  const tableRef = cursor.u16()
  cursor.skip(4)
  const { shape, chunkShape } = parseDimensions(cursor)
  const elements = chunkShape.reduce((count, length) => count * length, 1)
  if (elements !== chunkElements) {
    throw cursor.fail(`chunks of ${chunkElements} elements, where [${chunkShape}] has ${elements}`)
  }
  const fill = cursor.take(cursor.u32()).slice()
  return { kind: 'chunked', shape, chunkShape, itemSize, tableRef, fill, coder: parseChunkCoder(cursor, flags) }
}

function parseDimensions(cursor: Cursor) {
  const rank = cursor.u32()
  if (rank < 1 || rank > MOST_DIMENSIONS) {
    throw cursor.fail(`chunks of ${rank} dimensions, expected 1 to ${MOST_DIMENSIONS}`)
  }
  const shape: number[] = []
  const chunkShape: number[] = []
  for (let axis = 0; axis < rank; axis++) {
    cursor.skip(4)
    shape.push(cursor.u32())
    const length = cursor.u32()
    if (length === 0) throw cursor.fail('chunks of no length')
    chunkShape.push(length)
  }
  return { shape, chunkShape }
}

function parseChunkCoder(cursor: Cursor, flags: number): Coder | undefined {
  if ((flags & 0xff) !== COMPRESSED) return undefined
  const kind = cursor.u16()
  if (kind !== COMPRESSED) throw cursor.fail(`chunks are stored in the special way ${kind}, expected ${COMPRESSED}`)
  cursor.skip(4)
  const coder = parseCoder(cursor)
  return coder.kind === 'none' ? undefined : coder
}

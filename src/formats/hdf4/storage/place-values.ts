import { malformed } from '../../../errors.ts'
import { addressBeside } from '../../../model/file-beside.ts'
import { constantIndex, missingIndex, runInSource } from '../../../model/plain-indexes.ts'
import { runChunkShape, valuesChunkShape } from '../../../model/run-chunks.ts'
import { elementCount } from '../../../model/shape.ts'
import type { StoredArray } from '../../../model/virtual-store.ts'
import { nameOf } from '../structures/attribute-value.ts'
import type { ChunkedElement } from '../structures/chunked.ts'
import type { NumberType } from '../structures/number-type.ts'
import { type CompressedElement, readCompressedPieces, type Stored } from '../structures/stored.ts'
import { type Hdf4World, holdPieces } from '../world.ts'
import { chunkIndexOf } from './chunk-index.ts'
import { encodingOf } from './encodings.ts'
import { piecesIndex, wholeIndex } from './pieces-index.ts'

/** Values that an element holds in C order. */
export interface ValuesInput {
  readonly shape: readonly number[]
  readonly type: NumberType
  /** Undefined: nobody wrote any. */
  readonly stored: Stored | undefined
  /** What values that nobody wrote read as, where that is not the fill value; as it is stored. */
  readonly unwritten: Uint8Array | undefined
}

export type Placed = Pick<StoredArray, 'shape' | 'chunkShape' | 'encodings' | 'edges' | 'chunks'>

/** How and where values are stored. */
export async function placeValues(input: ValuesInput, world: Hdf4World): Promise<Placed> {
  const { shape, type, stored } = input
  const chunkShape = valuesChunkShape(shape, type.dataType, type.size)
  const placed = { shape, chunkShape, encodings: [encodingOf(type, undefined, 0)], edges: 'cropped' } as const
  if (shape.includes(0)) return { ...placed, chunks: missingIndex(shape, chunkShape) }
  if (stored === undefined) return unwrittenValues(placed, input.unwritten)
  switch (stored.kind) {
    case 'pieces': {
      const chunks = piecesIndex({ file: world.file, pieces: stored.pieces, shape, chunkShape, itemSize: type.size })
      return { ...placed, chunks }
    }
    case 'external':
      return { ...placed, chunks: externalIndex(input, stored, chunkShape, world) }
    case 'compressed':
      return compressedValues(input, stored, world)
    case 'chunked':
      return chunkedValues(input, stored, world)
  }
}

function unwrittenValues(placed: Omit<Placed, 'chunks'>, item: Uint8Array | undefined): Placed {
  const { shape, chunkShape } = placed
  if (item === undefined) return { ...placed, chunks: missingIndex(shape, chunkShape) }
  return { ...placed, edges: 'padded', chunks: constantIndex(shape, chunkShape, item) }
}

/** Values in another file: it is opened, behind the guard, when the first of them is asked for. */
function externalIndex(
  { shape, type }: ValuesInput,
  { file, offset, length }: Extract<Stored, { kind: 'external' }>,
  chunkShape: readonly number[],
  { file: { source }, context }: Hdf4World,
) {
  const needed = elementCount(shape) * type.size
  if (length < needed) throw malformed(`${length} bytes of another file, where [${shape}] values need ${needed}`)
  const address = addressBeside(source.url, nameOf(file))
  const reference = context.reference(address)
  return runInSource({ shape, chunkShape, itemSize: type.size, source: reference, offset })
}

/** All values are compressed as one. */
async function compressedValues(input: ValuesInput, stored: CompressedElement, world: Hdf4World): Promise<Placed> {
  const { shape, type } = input
  const { file, context } = world
  const needed = elementCount(shape) * type.size
  const chunkShape = runChunkShape(shape, type.size) ?? shape
  const raw = { shape, chunkShape, encodings: [encodingOf(type, undefined, 0)], edges: 'cropped' } as const
  // How values are to be compressed was said, and none were written.
  if (stored.length === 0) return unwrittenValues(raw, input.unwritten)
  if (stored.length !== needed)
    throw malformed(`${stored.length} bytes are compressed, where [${shape}] values need ${needed}`)
  const encodings = [encodingOf(type, stored.coder, needed)]
  const pieces = await readCompressedPieces(file, stored.ref, { signal: context.signal })
  holdPieces(world, { kind: 'pieces', pieces })
  if (pieces.length === 0) return unwrittenValues(raw, input.unwritten)
  const chunks = wholeIndex({ file, pieces, rank: shape.length })
  return { shape, chunkShape: shape, encodings, edges: 'padded', chunks }
}

function chunkedValues(input: ValuesInput, element: ChunkedElement, { file, catalog }: Hdf4World): Placed {
  const { shape, type, unwritten } = input
  const { chunkShape, coder, tableRef } = element
  if (chunkShape.length !== shape.length || element.itemSize !== type.size) {
    const found = `chunks [${chunkShape}] of elements of ${element.itemSize} bytes`
    throw malformed(`${found}, where the array has shape [${shape}] and elements of ${type.size}`)
  }
  const table = catalog.vdatas.get(tableRef)
  if (table === undefined) throw malformed(`the table of chunks ${tableRef} is missing`)
  const raw = encodingOf(type, undefined, 0)
  const chunkBytes = elementCount(chunkShape) * type.size
  const encodings = coder === undefined ? [raw] : [encodingOf(type, coder, chunkBytes), raw]
  return {
    shape,
    chunkShape,
    encodings,
    edges: 'padded',
    chunks: chunkIndexOf({ file, element, shape, table, unwritten }),
  }
}

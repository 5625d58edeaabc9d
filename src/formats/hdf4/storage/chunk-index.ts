import { malformed, overLimit } from '../../../errors.ts'
import { type ChunkIndex, gridPosition, gridShapeOf } from '../../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../../model/chunk-ref.ts'
import { repeated } from '../../../model/plain-indexes.ts'
import { after } from '../../../model/recent-parts.ts'
import { recipe } from '../../../model/recipe.ts'
import { elementCount } from '../../../model/shape.ts'
import type { ReadOptions } from '../../../source/source.ts'
import type { ChunkedElement } from '../structures/chunked.ts'
import type { Coder } from '../structures/coder.ts'
import type { Descriptor } from '../structures/directory.ts'
import { checkInside, elementName, type Hdf4File, placeOf } from '../structures/hdf4-file.ts'
import {
  lengthOf,
  parseCompressed,
  readCompressedPieces,
  readSpecialHeader,
  readStored,
  type Stored,
} from '../structures/stored.ts'
import { TAG } from '../structures/tags.ts'
import type { Vdata } from '../structures/vdata.ts'
import { type RefTable, readChunkTable } from './chunk-table.ts'
import { refOfPieces } from './pieces-index.ts'

export interface ChunkIndexInput {
  readonly file: Hdf4File
  readonly element: ChunkedElement
  /** As it is served: the first axis of an unlimited one may be longer than the header says. */
  readonly shape: readonly number[]
  readonly table: Vdata
  /** What chunks that were never written read as, where that is not the fill value; as it is stored. */
  readonly unwritten: Uint8Array | undefined
}

/** Of a chunk that is made in memory. */
const MOST_UNWRITTEN_BYTES = 268_435_456
/** The encoding of chunks without a coder, where others have one. */
const UNCODED = 1

/** What was read of the index: the table, and how compressed chunks lie. */
interface Held {
  readonly table: RefTable | undefined
}

/** The chunks of an element, found by its table, which is read when the first of them is asked for. */
export const chunkIndexOf = recipe('hdf4.chunks', chunksOf)

function chunksOf(input: ChunkIndexInput, held?: Held): ChunkIndex & { held(): Held } {
  const { file, element, shape, table, unwritten } = input
  const gridShape = gridShapeOf(shape, element.chunkShape)
  const chunkBytes = elementCount(element.chunkShape) * element.itemSize
  const absent = (): ChunkRef => {
    if (unwritten === undefined) return MISSING
    if (chunkBytes > MOST_UNWRITTEN_BYTES) throw overLimit(`a chunk of ${chunkBytes} bytes that nobody wrote`)
    const encoding = element.coder === undefined ? 0 : UNCODED
    return { kind: 'inline', bytes: repeated(unwritten, chunkBytes), encoding }
  }
  const find = chunkFinder(file, element.coder, chunkBytes)
  let known = held?.table
  let loading: Promise<RefTable> | undefined

  const load = (options: ReadOptions): RefTable | Promise<RefTable> => {
    if (known !== undefined) return known
    // Not the request's signal: others may wait for the same table.
    loading ??= readChunkTable(file, table, gridShape, {}).finally(() => {
      loading = undefined
    })
    options.signal?.throwIfAborted()
    return loading.then((read) => (known = read))
  }

  return {
    gridShape,
    at: (coords, signal) =>
      after(load({ signal }), (chunks) => {
        const place = chunks.placeOf(gridPosition(coords, gridShape))
        const ref = place === undefined ? 0 : (chunks.columns.ref[place] ?? 0)
        const chunk = ref === 0 ? undefined : file.directory.find(TAG.chunk, ref)
        return chunk === undefined ? absent() : find(chunk, { signal })
      }),
    isComplete: (signal) => after(load({ signal }), (chunks) => chunks.isComplete || unwritten !== undefined),
    weight: () => 800 + (known?.weight ?? 0) + Math.ceil(file.directory.weight / MOST_SHARING),
    held: () => ({ table: known }),
  }
}

/** So many arrays of a file share its directory, about. */
const MOST_SHARING = 16

type Find = (chunk: Descriptor, options: ReadOptions) => ChunkRef | Promise<ChunkRef>

function chunkFinder(file: Hdf4File, coder: Coder | undefined, chunkBytes: number): Find {
  if (coder !== undefined) return compressedFinder(file, coder)
  const refOf = (chunk: Descriptor, stored: Stored, options: ReadOptions) => {
    const length = stored.kind === 'pieces' ? lengthOf(stored.pieces) : undefined
    if (stored.kind === 'pieces' && length === chunkBytes) return refOfPieces(file, stored.pieces, options)
    const message = `${elementName(chunk)} holds ${length ?? stored.kind} bytes, expected ${chunkBytes} as they are`
    throw malformed(message, placeOf(file, chunk))
  }
  return (chunk, options) => {
    if (!chunk.isSpecial) return refOf(chunk, { kind: 'pieces', pieces: [chunk] }, options)
    return readStored(file, chunk, options).then((stored) => refOf(chunk, stored, options))
  }
}

/**
 * Each compressed chunk has a header of its own, a few bytes that name the element with its bytes. The library writes the one behind
 * the other: where the first header that is read says so, elements that begin where a header ends are taken for its bytes, and
 * the header of any other chunk is read.
 */
function compressedFinder(file: Hdf4File, coder: Coder): Find {
  let followsHeader: boolean | undefined
  const expected = JSON.stringify(coder)
  const behind = (chunk: Descriptor) => file.directory.startingAt(TAG.compressed, chunk.offset + chunk.length)

  const byHeader: Find = async (chunk, options) => {
    if (!chunk.isSpecial)
      throw malformed(`${elementName(chunk)} is not compressed, and its array is`, placeOf(file, chunk))
    const cursor = await readSpecialHeader(file, chunk, options)
    cursor.skip(2)
    const { ref, coder: own } = parseCompressed(cursor)
    if (JSON.stringify(own) !== expected) {
      throw malformed(`${elementName(chunk)} is compressed in another way than its array`, placeOf(file, chunk))
    }
    followsHeader ??= behind(chunk)?.ref === ref
    const pieces = await readCompressedPieces(file, ref, options)
    if (pieces.length > 0) return await refOfPieces(file, pieces, options)
    throw malformed(`the compressed bytes ${ref} of ${elementName(chunk)} are missing`, placeOf(file, chunk))
  }

  return (chunk, options) => {
    const bytes = followsHeader === true && chunk.isSpecial ? behind(chunk) : undefined
    if (bytes === undefined || bytes.isSpecial) return byHeader(chunk, options)
    checkInside(file, bytes, elementName(bytes))
    return { kind: 'range', source: 0, offset: bytes.offset, length: bytes.length, encoding: 0 }
  }
}

import { decodeChunk } from '../../../codecs/decode.ts'
import { copyBox, filledElements } from '../../../codecs/elements.ts'
import { type ErrorContext, unsupported } from '../../../errors.ts'
import { inParallel, READS_AT_ONCE } from '../../../in-parallel.ts'
import { gridCoordinates } from '../../../model/chunk-index.ts'
import type { ChunkRef } from '../../../model/chunk-ref.ts'
import { rawEncoding } from '../../../model/encoding.ts'
import { MOST_CHUNK_BYTES } from '../../../model/run-chunks.ts'
import { elementCount } from '../../../model/shape.ts'
import { type Storage, storageOf } from '../storage/storage.ts'
import type { Hdf5File } from '../structures/hdf5-file.ts'
import type { Hdf5World, NamedDataset } from '../world.ts'

/** A dataset as its bytes are stored: for elements that only point at what they are. */
export interface StoredValues {
  readonly shape: readonly number[]
  /** Bytes of an element. */
  readonly size: number
  readonly storage: Storage
}

const MOST_CHUNKS = 4096
/** Where the elements of a dataset are stored, of which there are so many at most. */
export function storedValues(named: NamedDataset, most: number, world: Hdf5World, place: ErrorContext): StoredValues {
  const { type, layout, external } = named.dataset
  if (layout.kind === 'virtual' || external !== undefined)
    throw unsupported('HDF5 pointers elsewhere', `${type.class} elements in other datasets or files`)
  const plan = {
    dataType: { kind: 'opaque', length: type.size },
    codecs: rawEncoding('little'),
    stored: type,
    innerShape: [],
    dropped: [],
    texts: [],
    isRounded: false,
  } as const
  const shape = world.dimensions.shapeOf(named)
  const count = elementCount(shape)
  if (count > most)
    throw unsupported('very many HDF5 pointers', `${count} elements of class ${type.class}, at most ${most} are served`)
  const storage = storageOf(named, plan, world, place)
  const chunks = elementCount(storage.chunks.gridShape)
  if (chunks > MOST_CHUNKS)
    throw unsupported('very many chunks', `${type.class} elements in ${chunks} chunks, at most ${MOST_CHUNKS} are read`)
  return { shape, size: type.size, storage }
}

/** All elements in C order; zeros where nothing was written. */
export async function readWhole(stored: StoredValues, file: Hdf5File): Promise<Uint8Array> {
  const { shape, size, storage } = stored
  const whole = filledElements({ shape, dataType: { kind: 'opaque', length: size } })
  // With what is made of each, and kept.
  file.budget.spend(4 * elementCount(shape) * size)
  const { gridShape } = storage.chunks
  await inParallel(Array(elementCount(gridShape)).keys(), READS_AT_ONCE, async (position) => {
    const coords = gridCoordinates(position, gridShape)
    const origin = coords.map((at, axis) => at * (storage.chunkShape[axis] ?? 1))
    const extent = origin.map((at, axis) => Math.min(storage.chunkShape[axis] ?? 1, (shape[axis] ?? 1) - at))
    const chunkShape = storage.edges === 'cropped' ? extent : storage.chunkShape
    const chunk = await readChunk(await storage.chunks.at(coords), chunkShape, stored, file)
    const box = { from: coords.map(() => 0), to: origin, extent }
    if (chunk !== undefined) copyBox(chunk, chunkShape, whole, shape, box, size)
  })
  if (whole.kind !== 'fixed') throw new TypeError('opaque elements have a fixed size')
  return whole.bytes
}

async function readChunk(ref: ChunkRef, shape: readonly number[], { size, storage }: StoredValues, file: Hdf5File) {
  if (ref.kind === 'missing') return undefined
  if (ref.kind !== 'range' && ref.kind !== 'inline') throw new TypeError(`a chunk of an HDF5 file is ${ref.kind}`)
  const bytes = ref.kind === 'inline' ? ref.bytes : await file.source.read({ offset: ref.offset, length: ref.length })
  const layout = { shape, dataType: { kind: 'opaque', length: size } } as const
  return await decodeChunk(bytes, storage.encodings[ref.encoding] ?? [], layout, { limit: MOST_CHUNK_BYTES * 4 })
}

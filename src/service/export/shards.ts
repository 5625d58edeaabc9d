import { decodeChunk } from '../../codecs/decode.ts'
import { indexLayout, indexLength, innerRange, type Shard, shardOf } from '../../codecs/zarr/sharding.ts'
import type { GridChunk } from '../../delivery/open-object.ts'
import { malformed, unsupported } from '../../errors.ts'
import { gridPosition, gridShapeOf } from '../../model/chunk-index.ts'
import { elementCount } from '../../model/shape.ts'
import type { StoredGrid } from './grid.ts'
import { checkChunkCount } from './plan.ts'
import type { ExportedArray, ExportedReference, ReferenceExporter } from './references.ts'

/** The decoded index of one shard, and where the shard lies. */
interface OpenShard {
  readonly place: ExportedReference
  readonly index: DataView
  readonly length: number
}

/** Whether the chunks of an array are shards, whose readers must know Zarr v3: for others the chunks in them are named. */
export function hasInnerChunks({ codecs }: StoredGrid, { target }: ReferenceExporter): boolean {
  return target === 'kerchunk' && codecs.length === 1 && codecs[0]?.name === 'sharding_indexed'
}

/** The inner chunks of a sharded array, each a piece of its shard: the index of every shard is read once. */
export function innerChunks({ array, codecs, ways }: StoredGrid, references: ReferenceExporter): ExportedArray {
  const shard = shardOf(codecs[0]?.configuration ?? {})
  const { chunkShape } = shard
  const inShard = array.chunkShape.map((length, axis) => length / (chunkShape[axis] ?? 1))
  if (ways.some((way) => way.kind !== 'pass') || !inShard.every(Number.isInteger)) {
    throw unsupported('sharded chunks', 'its shards are not stored as they are served')
  }
  const gridShape = gridShapeOf(array.shape, chunkShape)
  checkChunkCount(gridShape)
  const opened = new Map<number, Promise<OpenShard | undefined>>()
  const open = (coords: readonly number[]) => {
    const position = gridPosition(coords, array.chunks.gridShape)
    const known = opened.get(position) ?? openShard({ array, coords }, shard, elementCount(inShard), references)
    opened.set(position, known)
    return known
  }
  return {
    array: { ...array, chunkShape },
    codecs: shard.codecs,
    gridShape,
    reference: async (coords) => {
      const outer = await open(coords.map((at, axis) => Math.floor(at / (inShard[axis] ?? 1))))
      const within = coords.map((at, axis) => at % (inShard[axis] ?? 1))
      return outer === undefined ? undefined : innerReference(outer, gridPosition(within, inShard))
    },
  }
}

function innerReference({ place, index, length }: OpenShard, position: number): ExportedReference | undefined {
  const range = innerRange(index, position, length)
  if (range === undefined) return undefined
  switch (place.kind) {
    case 'inline':
      return { kind: 'inline', bytes: place.bytes.subarray(range.offset, range.offset + range.length) }
    case 'range':
      return { kind: 'range', url: place.url, offset: place.offset + range.offset, length: range.length }
    case 'object':
      return { kind: 'range', url: place.url, ...range }
  }
}

async function openShard(
  chunk: GridChunk,
  shard: Shard,
  chunks: number,
  references: ReferenceExporter,
): Promise<OpenShard | undefined> {
  const ref = await chunk.array.chunks.at(chunk.coords)
  const bytes = indexLength(shard, chunks)
  const end = await references.endOf(ref, chunk, bytes, shard.indexAtStart ? 'start' : 'end')
  if (end === undefined) return undefined
  if (end.length < bytes) throw malformed(`a shard of ${end.length} bytes has no room for its index of ${bytes}`)
  const decoded = await decodeChunk(end.bytes, shard.indexCodecs, indexLayout(chunks), { limit: chunks * 16 })
  if (decoded.kind !== 'fixed') throw malformed('the index of a shard is no plain array')
  const { buffer, byteOffset, byteLength } = decoded.bytes
  return { place: end.place, length: end.length, index: new DataView(buffer, byteOffset, byteLength) }
}

import type { ByteRange } from '../../bytes/byte-range.ts'
import { malformed } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import { gridCoordinates } from '../../model/chunk-index.ts'
import { itemSize } from '../../model/data-type.ts'
import type { Encoding, StoredCodec } from '../../model/encoding.ts'
import { elementCount } from '../../model/shape.ts'
import type { ChunkLayout, Decode, DecodeContext, Elements, Reach, SerialCodec } from '../codec.ts'
import { integersMember, listMember, wordMember } from '../configuration.ts'
import { type Canvas, copyBox, filledElements } from '../elements.ts'

/** An inner chunk that was never written has this offset and this length. */
const ABSENT = 2n ** 64n - 1n

/** A shard's configuration, read. */
export interface Shard {
  readonly chunkShape: readonly number[]
  readonly codecs: readonly StoredCodec[]
  readonly indexCodecs: readonly StoredCodec[]
  readonly indexAtStart: boolean
}

/** Zarr's `sharding_indexed`: inner chunks anywhere in the bytes, and an index of them at one end. */
export const sharding: SerialCodec = {
  kind: 'serial',
  name: 'sharding_indexed',
  reach: (configuration, inner) => reachOf(shardOf(configuration), inner),
  prepare: (configuration, layout, inner) => {
    const shard = shardOf(configuration)
    const { chunkShape } = shard
    const { shape, dataType } = layout
    if (shape.length !== chunkShape.length || shape.some((length, axis) => length % (chunkShape[axis] ?? 1) !== 0)) {
      throw malformed(`a shard of shape [${shape}] is no whole number of chunks of shape [${chunkShape}]`)
    }
    const grid = shape.map((length, axis) => length / (chunkShape[axis] ?? 1))
    const count = elementCount(grid)
    const chunk = { shape: chunkShape, dataType }
    const index: ShardIndex = {
      length: indexLength(shard, count),
      atStart: shard.indexAtStart,
      decode: inner(shard.indexCodecs, indexLayout(count)),
    }
    const plan: ShardPlan = { layout, chunk, grid, count, index, decodeChunk: inner(shard.codecs, chunk) }
    return { decode: (bytes, context) => decodeShard(bytes, plan, context) }
  },
}

/** The codecs of a configuration's list. */
function codecsMember(configuration: JsonObject, name: string): StoredCodec[] {
  return listMember(configuration, name).map((json: Json) => {
    if (typeof json === 'string') return { name: json, configuration: {} }
    if (!isJsonObject(json) || typeof json['name'] !== 'string')
      throw malformed(`"${name}" holds something else than codecs`)
    const inner = json['configuration']
    return { name: json['name'], configuration: isJsonObject(inner) ? inner : {} }
  })
}

/** What a configuration says; throws `malformed-source` where it makes no sense. */
export function shardOf(configuration: JsonObject): Shard {
  const chunkShape = integersMember(configuration, 'chunk_shape')
  if (chunkShape.includes(0)) throw malformed(`sharding_indexed: chunk shape [${chunkShape}] has a length of 0`)
  return {
    chunkShape,
    codecs: codecsMember(configuration, 'codecs'),
    indexCodecs: codecsMember(configuration, 'index_codecs'),
    indexAtStart: wordMember(configuration, 'index_location', ['start', 'end'], 'end') === 'start',
  }
}

// Every client that knows shards knows the checksum of their index.
function reachOf(shard: Shard, inner: (encoding: Encoding) => Reach): Reach {
  const ofIndex = inner(shard.indexCodecs.filter((codec) => codec.name !== 'crc32c'))
  const ofChunks = inner(shard.codecs)
  return ofChunks === 'portable' && ofIndex !== 'portable' ? ofIndex : ofChunks
}

/** Bytes of the index. Its codecs must give a fixed length: `bytes`, then checksums. */
export function indexLength(shard: Shard, chunks: number): number {
  const [serial, ...checksums] = shard.indexCodecs.map((codec) => codec.name)
  if (serial !== 'bytes' || checksums.some((name) => name !== 'crc32c' && name !== 'numcodecs.crc32c')) {
    throw malformed('sharding_indexed: the index is encoded in a way that has no fixed length')
  }
  return chunks * 16 + checksums.length * 4
}

interface ShardIndex {
  readonly length: number
  readonly atStart: boolean
  readonly decode: Decode
}

/** A shard of one layout, whose inner chunks are all alike. */
interface ShardPlan {
  readonly layout: ChunkLayout
  readonly chunk: ChunkLayout
  /** Inner chunks along each axis, and in all. */
  readonly grid: readonly number[]
  readonly count: number
  readonly index: ShardIndex
  readonly decodeChunk: Decode
}

function decodeShard(bytes: Uint8Array, plan: ShardPlan, context: DecodeContext): Elements | Promise<Elements> {
  const { layout, chunk, grid, count, decodeChunk } = plan
  const index = readIndex(bytes, plan.index, context)
  const result = filledElements(layout, context.fillValue)
  const pending: Promise<void>[] = []
  for (let place = 0; place < count; place++) {
    const stored = innerBytes(bytes, index, place)
    if (stored === undefined) continue
    const to = gridCoordinates(place, grid).map((at, axis) => at * (chunk.shape[axis] ?? 1))
    const decoded = decodeChunk(stored, context)
    if (decoded instanceof Promise) pending.push(decoded.then((elements) => paste(elements, chunk, result, layout, to)))
    else paste(decoded, chunk, result, layout, to)
  }
  return pending.length === 0 ? result : Promise.all(pending).then(() => result)
}

function paste(
  elements: Elements,
  inner: ChunkLayout,
  result: Canvas,
  layout: ChunkLayout,
  to: readonly number[],
): void {
  const box = { from: inner.shape.map(() => 0), to, extent: inner.shape }
  copyBox(elements, inner.shape, result, layout.shape, box, itemSize(layout.dataType) ?? 1)
}

/** Offset and length of each inner chunk. */
function readIndex(bytes: Uint8Array, { length, atStart, decode }: ShardIndex, { limit }: DecodeContext): DataView {
  if (length > bytes.length) throw malformed(`a shard of ${bytes.length} bytes has no room for its index of ${length}`)
  const stored = atStart ? bytes.subarray(0, length) : bytes.subarray(bytes.length - length)
  const decoded = decode(stored, { limit })
  if (decoded instanceof Promise || decoded.kind !== 'fixed') throw malformed('the index of a shard is no plain array')
  return new DataView(decoded.bytes.buffer, decoded.bytes.byteOffset, decoded.bytes.byteLength)
}

function innerBytes(bytes: Uint8Array, index: DataView, place: number): Uint8Array | undefined {
  const range = innerRange(index, place, bytes.length)
  return range === undefined ? undefined : bytes.subarray(range.offset, range.offset + range.length)
}

/** What the index of a shard decodes to: offset and length of each inner chunk. */
export function indexLayout(chunks: number): ChunkLayout {
  return { shape: [chunks, 2], dataType: { kind: 'uint', bits: 64 } }
}

/** Where an inner chunk lies within its shard, by the decoded index; undefined where it was never written. */
export function innerRange(index: DataView, place: number, shardLength: number): ByteRange | undefined {
  const offset = index.getBigUint64(place * 16, true)
  const length = index.getBigUint64(place * 16 + 8, true)
  if (offset === ABSENT && length === ABSENT) return undefined
  if (offset + length > BigInt(shardLength)) {
    throw malformed(`inner chunk ${place} of a shard lies at ${offset} + ${length}, outside its ${shardLength} bytes`)
  }
  return { offset: Number(offset), length: Number(length) }
}

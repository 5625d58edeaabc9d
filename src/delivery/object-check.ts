import type { ByteRange } from '../bytes/byte-range.ts'
import { decodeChunk } from '../codecs/decode.ts'
import { foreignTo, HEAD_OF_CHUNK } from '../codecs/foreign.ts'
import { indexLayout, indexLength, innerRange, shardOf } from '../codecs/zarr/sharding.ts'
import { storedShapeOf } from '../compose/coding.ts'
import { isVirtualZarrError } from '../errors.ts'
import type { StoredCodec } from '../model/encoding.ts'
import type { StoredArray } from '../model/virtual-store.ts'
import type { ObjectCheck } from '../source/source.ts'
import { SMALL_BODY_BYTES } from './limits.ts'

/** What the object of a chunk must look like: its host may answer with something else and call it a success. */
export function objectCheck(array: StoredArray, coords: readonly number[], encoding: number): ObjectCheck {
  const codecs = array.encodings[encoding] ?? []
  const layout = { shape: storedShapeOf(array, coords), dataType: array.dataType }
  const shard = shardIndex(codecs, layout.shape)
  return {
    sees: (range, size) => {
      const index = shard?.range(size)
      const hasIndex = index !== undefined && holds(range, index) && range.length <= SMALL_BODY_BYTES
      return Math.min(hasIndex ? range.length : range.offset === 0 ? HEAD_OF_CHUNK : 0, range.length)
    },
    fault: (seen, range, size) => {
      const head = range.offset === 0 ? seen.subarray(0, HEAD_OF_CHUNK) : new Uint8Array(0)
      const index = shard?.range(size)
      if (index === undefined) return foreignTo(codecs, layout, head, size)
      if (index.offset < 0) return `${size} bytes, too few for the index of a shard`
      if (!holds({ offset: range.offset, length: seen.length }, index)) return foreignTo(codecs, layout, head, size)
      const from = index.offset - range.offset
      return shard?.fault(seen.subarray(from, from + index.length), size)
    },
  }
}

function holds(outer: ByteRange, inner: ByteRange): boolean {
  return outer.offset <= inner.offset && outer.offset + outer.length >= inner.offset + inner.length
}

interface ShardIndex {
  /** Where it lies in a shard of that size. */
  range(size: number): ByteRange
  fault(bytes: Uint8Array, size: number): string | undefined
}

/** The index of a shard that nothing is wrapped around. */
function shardIndex(codecs: readonly StoredCodec[], shape: readonly number[]): ShardIndex | undefined {
  const last = codecs.at(-1)
  if (last?.name !== 'sharding_indexed') return undefined
  const shard = shardOf(last.configuration)
  const chunks = shape.reduce((count, length, axis) => count * Math.ceil(length / (shard.chunkShape[axis] ?? 1)), 1)
  const length = indexLength(shard, chunks)
  return {
    range: (size) => ({ offset: shard.indexAtStart ? 0 : size - length, length }),
    fault: (bytes, size) => {
      try {
        const index = decodeChunk(bytes, shard.indexCodecs, indexLayout(chunks), { limit: chunks * 16 })
        if (index instanceof Promise || index.kind !== 'fixed') return undefined
        const view = new DataView(index.bytes.buffer, index.bytes.byteOffset, index.bytes.byteLength)
        for (let place = 0; place < chunks; place++) innerRange(view, place, size)
      } catch (error) {
        if (isVirtualZarrError(error, 'malformed-source')) return error.message
        throw error
      }
      return undefined
    },
  }
}

import type { ByteRange } from '../../src/bytes/byte-range.ts'
import { feedOf, partsOf } from '../../src/bytes/feed.ts'
import { Codings } from '../../src/compose/coding.ts'
import { findChunk } from '../../src/compose/find-chunk.ts'
import { deliver } from '../../src/delivery/deliver.ts'
import type { ChunkRequest, Delivered, DeliveryWorld, Profile, RecodeWorkers } from '../../src/delivery/delivery.ts'
import { planDelivery } from '../../src/delivery/plan.ts'
import { recode } from '../../src/delivery/recoding/recode.ts'
import type { JsonObject } from '../../src/json/json.ts'
import { gridPosition, gridShapeOf } from '../../src/model/chunk-index.ts'
import type { ChunkRef } from '../../src/model/chunk-ref.ts'
import { type DataType, zeroOf } from '../../src/model/data-type.ts'
import type { StoredCodec } from '../../src/model/encoding.ts'
import { NO_SENTINELS, type StoredArray, type VirtualArray } from '../../src/model/virtual-store.ts'
import { memorySource } from '../../src/source/memory.ts'
import type { Source } from '../../src/source/source.ts'

/** A codec of an encoding. */
export function codec(name: string, configuration: JsonObject = {}): StoredCodec {
  return { name, configuration }
}

export const LITTLE = codec('bytes', { endian: 'little' })
export const BIG = codec('bytes', { endian: 'big' })
export const ZLIB = codec('numcodecs.zlib', { level: 6 })
export const INT16: DataType = { kind: 'int', bits: 16 }
export const FLOAT32: DataType = { kind: 'float', bits: 32 }

/** An array whose chunks are the given references, in C order of their grid. */
export function virtualArray(
  fields: Partial<StoredArray> & Pick<VirtualArray, 'shape' | 'chunkShape' | 'dataType'>,
  refs: readonly ChunkRef[],
): StoredArray {
  const gridShape = gridShapeOf(fields.shape, fields.chunkShape)
  return {
    kind: 'array',
    fillValue: zeroOf(fields.dataType),
    fillOrigin: 'test',
    sentinels: NO_SENTINELS,
    attributes: new Map(),
    encodings: [[LITTLE]],
    edges: 'padded',
    chunks: {
      gridShape,
      at: (coords) => refs[gridPosition(coords, gridShape)] ?? { kind: 'missing' },
      weight: () => 0,
    },
    ...fields,
  }
}

/** Whole bytes as one range of source 0. */
export function wholeRange(bytes: Uint8Array, encoding = 0): ChunkRef {
  return { kind: 'range', source: 0, offset: 0, length: bytes.length, encoding }
}

export interface TestWorld extends DeliveryWorld {
  /** What was asked of the source, in order. */
  readonly reads: ByteRange[]
  readonly asked: string[]
}

/** A world of one source in memory and some objects, recoding in this thread. */
export function worldOf(bytes: Uint8Array, objects: Readonly<Record<string, Uint8Array>> = {}): TestWorld {
  const reads: ByteRange[] = []
  const asked: string[] = []
  const kept = new Map<string, Promise<Uint8Array>>()
  const workers: RecodeWorkers = { run: (task, _signal, read) => recode(task, read), close: async () => {} }
  return {
    reads,
    freshSeconds: 0,
    asked,
    workers,
    codings: new Codings(),
    source: async () => countingSource(bytes, reads),
    object: async (_index, key, options) => {
      asked.push(`${options.headOnly === true ? 'HEAD' : 'GET'} ${key}`)
      const whole = objects[key]
      return whole === undefined ? undefined : memorySource(`memory:${key}`, whole, `version of ${key}`)
    },
    room: (_bytes, work) => work(),
    hold: () => () => undefined,
    recoded: (key, make) => keptBytes(kept, key, make),
    decoded: (key, make) => keptBytes(kept, `decoded ${key}`, make),
  }
}

function keptBytes(
  kept: Map<string, Promise<Uint8Array>>,
  key: string,
  make: (signal: AbortSignal) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const bytes = kept.get(key) ?? make(new AbortController().signal)
  kept.set(key, bytes)
  return bytes
}

function countingSource(bytes: Uint8Array, reads: ByteRange[]): Source {
  const read = async ({ offset, length }: ByteRange) => {
    reads.push({ offset, length })
    if (offset + length > bytes.length) throw new Error(`read of ${offset} + ${length} outside ${bytes.length}`)
    return bytes.slice(offset, offset + length)
  }
  return {
    url: 'memory:test',
    size: bytes.length,
    validator: 'v1',
    read,
    feed: async (range) => feedOf(await read(range)),
  }
}

/** Delivers a chunk of an array under a profile. */
export async function deliverChunk(
  array: VirtualArray,
  coords: readonly number[],
  world: DeliveryWorld,
  options: Partial<ChunkRequest> & { readonly profile?: Profile } = {},
): Promise<Delivered> {
  const { profile = 'portable', ...others } = options
  const plan = planDelivery(array, profile)
  const found = await findChunk(array, coords, others.signal)
  return await deliver({ array, plan, coords, found, cacheKey: coords.join('.'), ...others }, world)
}

/** The bytes of a delivered chunk or part. */
export async function bodyOf(delivered: Delivered): Promise<Buffer> {
  if (delivered.kind !== 'chunk' || delivered.body === undefined) throw new Error(`no body in ${delivered.kind}`)
  if (delivered.body instanceof Uint8Array) return Buffer.from(delivered.body)
  const parts: Uint8Array[] = []
  for await (const part of partsOf(delivered.body)) parts.push(part)
  const bytes = Buffer.concat(parts)
  if (bytes.length !== delivered.length) throw new Error(`${bytes.length} bytes, announced ${delivered.length}`)
  return bytes
}

import assert from 'node:assert/strict'
import type { Elements } from '../../src/codecs/codec.ts'
import { decodeChunk } from '../../src/codecs/decode.ts'
import type { JsonObject } from '../../src/json/json.ts'
import { type DataType, itemSize } from '../../src/model/data-type.ts'
import type { StoredCodec } from '../../src/model/encoding.ts'
import { elementCount } from '../../src/model/shape.ts'
import { dataTypeOf } from '../helpers/data-type.ts'
import { fillBytes } from './fill-bytes.ts'
import { list, member, object } from './golden.ts'
import { getChunk, nodeUrl, type Reply } from './store-client.ts'
import { coordinates, runs, type Values } from './values.ts'

interface Layout {
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly dataType: DataType
  readonly codecs: readonly StoredCodec[]
}

/** Reads an array over HTTP and decodes it with our own codecs: whatever the profile, and what no other client can. */
export async function readOwn(
  storeUrl: string,
  path: string,
  document: JsonObject,
  ask: (url: string) => Promise<Reply> = getChunk,
): Promise<Values> {
  const layout = layoutOf(document)
  const grid = layout.shape.map((length, axis) => Math.ceil(length / (layout.chunkShape[axis] ?? 1)))
  const target = emptyValues(layout, document)
  for (const coords of coordinates(grid)) {
    const url = nodeUrl(storeUrl, path, ['c', ...coords].join('/'))
    const reply = await ask(url)
    if (reply.status === 404) continue
    assert.equal(reply.status, 200, `${url}: ${new TextDecoder().decode(reply.bytes.subarray(0, 500))}`)
    const chunk = await decodeChunk(
      reply.bytes,
      layout.codecs,
      { shape: layout.chunkShape, dataType: layout.dataType },
      { limit: 2 ** 28 },
    )
    copyChunk(chunk, target, layout, coords)
  }
  return target
}

function layoutOf(document: JsonObject): Layout {
  return {
    shape: list(document['shape']).map(Number),
    chunkShape: list(member(member(document['chunk_grid'], 'configuration'), 'chunk_shape')).map(Number),
    dataType: dataTypeOf(document['data_type'] ?? null),
    codecs: list(document['codecs']).map((codec) => ({
      name: String(member(codec, 'name')),
      configuration: object(member(codec, 'configuration')),
    })),
  }
}

type Target = { kind: 'fixed'; bytes: Uint8Array } | { kind: 'text'; values: string[] }

function emptyValues(layout: Layout, document: JsonObject): Target {
  const count = elementCount(layout.shape)
  const size = itemSize(layout.dataType)
  const fill = document['fill_value'] ?? null
  if (size === undefined) return { kind: 'text', values: new Array<string>(count).fill(String(fill)) }
  const bytes = new Uint8Array(count * size)
  const item = fillBytes(fill, layout.dataType)
  if (item.some((byte) => byte !== 0)) Buffer.from(bytes.buffer).fill(item)
  return { kind: 'fixed', bytes }
}

function copyChunk(chunk: Elements, target: Target, layout: Layout, coords: readonly number[]): void {
  const size = itemSize(layout.dataType) ?? 0
  for (const { from, to, count } of runs(layout.shape, layout.chunkShape, coords)) {
    if (chunk.kind === 'fixed' && target.kind === 'fixed') {
      target.bytes.set(chunk.bytes.subarray(from * size, (from + count) * size), to * size)
    } else if (chunk.kind === 'text' && target.kind === 'text') {
      for (let index = 0; index < count; index++) target.values[to + index] = chunk.values[from + index] ?? ''
    } else {
      assert.fail(`a chunk of ${chunk.kind} in an array of ${target.kind}`)
    }
  }
}

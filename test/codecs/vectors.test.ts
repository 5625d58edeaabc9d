import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Elements } from '../../src/codecs/codec.ts'
import { numberOf } from '../../src/codecs/configuration.ts'
import { decodeChunk } from '../../src/codecs/decode.ts'
import type { Json, JsonObject } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import type { DataType, Scalar } from '../../src/model/data-type.ts'
import type { StoredCodec } from '../../src/model/encoding.ts'
import { poisonChunkMemory } from '../helpers/poisoned-memory.ts'

poisonChunkMemory()

interface Vector {
  readonly id: string
  readonly codecs: readonly { readonly name: string; readonly configuration?: JsonObject }[]
  readonly dataType: DataType
  readonly shape: readonly number[]
  readonly stored: string
  readonly bytes?: string
  readonly text?: readonly string[]
  readonly fill?: Json
}

const file = parseJson(readFileSync(new URL('vectors/vectors.json', import.meta.url), 'utf8')) as unknown as {
  readonly contents: Readonly<Record<string, string>>
  readonly vectors: readonly Vector[]
}

for (const vector of file.vectors) {
  test(`decodes what numcodecs and zarr-python wrote: ${vector.id}`, async () => {
    const decoded = await decode(vector, Buffer.from(vector.stored, 'base64'))
    if (vector.text !== undefined) assert.deepEqual(decoded, { kind: 'text', values: [...vector.text] })
    else {
      assert.equal(decoded.kind, 'fixed')
      assert.equal(hex(decoded), Buffer.from(file.contents[vector.bytes ?? ''] ?? '', 'base64').toString('hex'))
    }
  })
}

test('a chunk cut off anywhere, or with any byte changed, gives a typed error or some chunk of the right size, never a crash', async () => {
  for (const vector of file.vectors) {
    const stored = Buffer.from(vector.stored, 'base64')
    for (let i = 0; i < 24; i++) {
      const at = (i * 7919) % stored.length
      const changed = Buffer.from(stored)
      changed[at] = (changed[at] ?? 0) ^ (1 << (i % 8))
      for (const hostile of [stored.subarray(0, at), changed]) {
        try {
          const decoded = await decode(vector, hostile)
          if (decoded.kind === 'fixed') {
            assert.equal(decoded.bytes.length, Buffer.from(file.contents[vector.bytes ?? ''] ?? '', 'base64').length)
          }
        } catch (error) {
          assert.equal((error as Error).name, 'VirtualZarrError', `${vector.id}: ${(error as Error).stack}`)
        }
      }
    }
  }
})

async function decode(vector: Vector, stored: Uint8Array): Promise<Elements> {
  const encoding: StoredCodec[] = vector.codecs.map(({ name, configuration }) => ({
    name,
    configuration: configuration ?? {},
  }))
  const layout = { shape: vector.shape, dataType: vector.dataType }
  return decodeChunk(stored, encoding, layout, { limit: 2 ** 20, fillValue: fillOf(vector) })
}

function fillOf(vector: Vector): Scalar {
  const fill = vector.fill ?? 0
  return typeof fill === 'string'
    ? { kind: 'string', value: fill }
    : { kind: 'number', value: numberOf(fill) ?? Number.NaN }
}

function hex(elements: Elements): string {
  return elements.kind === 'fixed' ? Buffer.from(elements.bytes).toString('hex') : ''
}

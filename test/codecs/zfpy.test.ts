// Golden values: zfpy 1.0.1 and numcodecs 0.16.3 (vectors/make-zfpy.py).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { ChunkLayout } from '../../src/codecs/codec.ts'
import { decodeChunk } from '../../src/codecs/decode.ts'

interface Vector {
  readonly id: string
  readonly shape: readonly number[]
  readonly dataType: ChunkLayout['dataType']
  readonly stored: string
  readonly sha256: string
}

const VECTORS = readFileSync(new URL('vectors/zfpy.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Vector => JSON.parse(line))

const ZFPY = [{ name: 'numcodecs.zfpy', configuration: { mode: 4 } }]

async function decoded(stored: Uint8Array, { shape, dataType }: ChunkLayout): Promise<Uint8Array> {
  const chunk = await decodeChunk(stored, ZFPY, { shape, dataType }, { limit: 2 ** 20 })
  if (chunk.kind !== 'fixed') throw new Error('zfpy gives numbers')
  return chunk.bytes
}

describe('numcodecs.zfpy', () => {
  test('every mode, type and rank is decoded as zfpy decodes it', async () => {
    assert.equal(VECTORS.length, 208)
    for (const { id, sha256, stored, ...layout } of VECTORS) {
      const bytes = await decoded(Buffer.from(stored, 'base64'), layout)
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, id)
    }
  })

  const [first = fail()] = VECTORS.filter(({ id }) => id === 'reversible float32 5x9')
  const stored = Buffer.from(first.stored, 'base64')
  const float32 = { kind: 'float', bits: 32 } as const

  test('a stream of another type or size than the chunk is malformed', async () => {
    const wrong: readonly (readonly [ChunkLayout, RegExp])[] = [
      [{ shape: [5, 9], dataType: { kind: 'int', bits: 32 } }, /holds float32 of shape \[5,9\], expected int32/],
      [{ shape: [5, 9], dataType: { kind: 'float', bits: 64 } }, /expected float64/],
      [{ shape: [5, 8], dataType: float32 }, /expected float32 of shape \[5,8\]/],
    ]
    for (const [layout, message] of wrong)
      await assert.rejects(decoded(stored, layout), { code: 'malformed-source', message })
  })

  test('what is no stream, is cut off, or says a size beyond all bounds is malformed', async () => {
    const layout = { shape: [5, 9], dataType: float32 }
    const changed = (at: number, value: number) => Buffer.from(stored).fill(value, at, at + 1)
    const huge = Buffer.from(stored).fill(0xff, 5, 10)
    for (const bytes of [
      Buffer.from('zfp'),
      Buffer.alloc(0),
      changed(0, 0),
      changed(3, 4),
      huge,
      stored.subarray(0, 20),
    ])
      await assert.rejects(decoded(bytes, layout), { code: 'malformed-source' })
    await assert.rejects(decoded(changed(3, 6), layout), { code: 'unsupported-feature', message: /codec version 6/ })
  })

  test('types that zfp has not are refused by name', async () => {
    const layout = { shape: [5, 9], dataType: { kind: 'int', bits: 16 } } as const
    await assert.rejects(decoded(stored, layout), { code: 'unsupported-feature', message: /int values of 2 bytes/ })
  })
})

function fail(): never {
  throw new Error('the vectors lack a stream')
}

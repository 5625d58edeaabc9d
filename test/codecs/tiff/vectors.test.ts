import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { decodeChunk, encodeElements } from '../../../src/codecs/decode.ts'
import { canEncode } from '../../../src/codecs/prepare.ts'
import type { JsonObject } from '../../../src/json/json.ts'
import { itemSize } from '../../../src/model/data-type.ts'
import { elementCount } from '../../../src/model/shape.ts'
import { type TiffVector, tiffVectors } from './vectors.ts'

const vectors = tiffVectors()

for (const vector of vectors) {
  test(`decodes what GDAL and imagecodecs wrote: ${vector.id}`, async () => {
    assert.equal(hash(await decoded(vector, vector.stored)), vector.sha256)
  })
}

test('what can be written too reads back as it was', async () => {
  const writable = vectors.filter(({ codecs }) => canEncode(codecs))
  assert.ok(writable.length >= 30)
  for (const vector of writable) {
    const bytes = await decoded(vector, vector.stored)
    const written = encodeElements({ kind: 'fixed', bytes }, vector.codecs, vector)
    assert.equal(hash(await decoded(vector, written)), vector.sha256, vector.id)
  }
})

test('a block that is cut off anywhere is refused, or holds all that was in it', async () => {
  for (const vector of vectors) {
    const whole = vector.stored
    for (const share of [0, 0.3, 0.6, 0.95]) {
      const outcome = await attempt(vector, whole.subarray(0, Math.floor(whole.length * share)))
      if (outcome !== undefined) assert.equal(hash(outcome), vector.sha256, `${vector.id} cut off at ${share}`)
    }
  }
})

test('a block with any bits changed gives a typed error or a chunk of the right size', async () => {
  for (const vector of vectors) {
    for (let i = 0; i < 20; i++) {
      const changed = Buffer.from(vector.stored)
      const at = (i * 7919) % (i % 2 === 0 ? changed.length : Math.min(64, changed.length))
      changed[at] = (changed[at] ?? 0) ^ (1 << (i % 8))
      const outcome = await attempt(vector, changed)
      if (outcome !== undefined) {
        assert.equal(outcome.length, elementCount(vector.shape) * (itemSize(vector.dataType) ?? 0), vector.id)
      }
    }
  }
})

async function decoded({ codecs, shape, dataType }: TiffVector, bytes: Uint8Array): Promise<Uint8Array> {
  const encoding = codecs.map(({ name, configuration }) => ({ name, configuration: configuration as JsonObject }))
  const elements = await decodeChunk(bytes, encoding, { shape, dataType }, { limit: 2 ** 20 })
  assert.equal(elements.kind, 'fixed')
  return elements.kind === 'fixed' ? elements.bytes : new Uint8Array(0)
}

/** Undefined for a typed error; everything else fails the test, but for a decoder that broke, whose thread would end. */
async function attempt(vector: TiffVector, bytes: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    return await decoded(vector, bytes)
  } catch (error) {
    const { name, stack } = error as Error
    assert.ok(name === 'VirtualZarrError' || name === 'RuntimeError', `${vector.id}: ${stack}`)
    return undefined
  }
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Elements } from '../../../src/codecs/codec.ts'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { jpegLs } from '../../../src/codecs/hdf5/jpegls.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/json/parse.ts'
import type { DataType } from '../../../src/model/data-type.ts'
import type { StoredCodec } from '../../../src/model/encoding.ts'
import { poisonChunkMemory } from '../../helpers/poisoned-memory.ts'

poisonChunkMemory()

interface Vector {
  readonly id: string
  readonly codecs: readonly StoredCodec[]
  readonly dataType: DataType
  readonly shape: readonly number[]
  readonly stored: string
  readonly length: number
  readonly sha256: string
}

const vectors = ['hdf5', 'jpegls', 'lzo'].flatMap((name) =>
  readFileSync(new URL(`../vectors/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line) as unknown as Vector),
)

for (const vector of vectors) {
  test(`decodes what libhdf5 and its plugins wrote: ${vector.id}`, async () => {
    const decoded = await decode(vector, Buffer.from(vector.stored, 'base64'))
    assert.equal(decoded.kind, 'fixed')
    const bytes = decoded.kind === 'fixed' ? decoded.bytes : new Uint8Array(0)
    assert.equal(bytes.length, vector.length)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), vector.sha256)
  })
}

// imagecodecs 2026.10.10 (CharLS 2.4.4): jpegls_encode of 2 rows of 70,000 uint16 that are 0 but for [0, 0] = 5, [0, 65536] = 12345 and [1, 69999] = 40000.
const LONG_ROWS =
  '/9j/9wALEAAAAAABAREA//gADAQEAAAAAgABEXD/+AANAf//ABIAQwEUAED/2gAIAQEAAAAAQJgV/3//f37iAAAAjiAAABHLAqAGotoE78D/2Q=='

test('a JPEG-LS picture of more than 65,535 columns is decoded', async () => {
  const shape = [2, 70_000]
  const codecs = [{ name: 'bytes', configuration: { endian: 'little' } }, jpegLs.stored({})]
  const layout = { shape, dataType: { kind: 'uint', bits: 16 } } as const
  const decoded = await decodeChunk(Buffer.from(LONG_ROWS, 'base64'), codecs, layout, { limit: 2 ** 20 })
  assert.ok(decoded.kind === 'fixed')
  const values = new Uint16Array(Uint8Array.from(decoded.bytes).buffer)
  const found = [...values.entries()].filter(([, value]) => value !== 0)
  assert.deepEqual(found, [
    [0, 5],
    [65_536, 12_345],
    [139_999, 40_000],
  ])
})

test('a chunk cut off anywhere, or with any byte changed, gives a typed error or a chunk of the right size', async () => {
  for (const vector of vectors) {
    const stored = Buffer.from(vector.stored, 'base64')
    for (let i = 0; i < 24; i++) {
      // The first bytes are headers: those are where lies hurt.
      const at = i < 12 ? i % stored.length : (i * 7919) % stored.length
      const changed = Buffer.from(stored)
      changed[at] = (changed[at] ?? 0) ^ (i < 12 ? 255 : 1 << (i % 8))
      for (const hostile of [stored.subarray(0, at), changed]) await survives(vector, hostile)
    }
  }
})

async function survives(vector: Vector, hostile: Uint8Array): Promise<void> {
  try {
    const decoded = await decode(vector, hostile)
    assert.equal(decoded.kind === 'fixed' && decoded.bytes.length, vector.length, vector.id)
  } catch (error) {
    if (!isVirtualZarrError(error)) throw new Error(`${vector.id}: ${String(error)}`, { cause: error })
  }
}

async function decode(vector: Vector, stored: Uint8Array): Promise<Elements> {
  const layout = { shape: vector.shape, dataType: vector.dataType }
  return decodeChunk(stored, vector.codecs, layout, { limit: 2 ** 20 })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeChunk } from '../../src/codecs/decode.ts'

const decode = (bytes: readonly number[], rows: number) =>
  decodeChunk(
    Uint8Array.from(bytes),
    [{ name: 'vz.tiff-rows', configuration: { endian: 'big', rows, of: 3 } }],
    { shape: [3, 2], dataType: { kind: 'uint', bits: 16 } },
    { limit: 100 },
  )

test('rows outside of the image may be missing, and read as zero', async () => {
  const elements = await decode([0, 1, 0, 2, 0, 3, 0, 4], 2)
  assert.deepEqual(elements.kind === 'fixed' && [...elements.bytes], [1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 0])
})

test('rows inside of the image may not', async () => {
  await assert.rejects(async () => await decode([0, 1, 0, 2, 0, 3], 2), /at least 8 are expected/)
})

test('a whole block is read as it is, and a longer one refused', async () => {
  const whole = [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]
  assert.equal((await decode(whole, 1)).kind, 'fixed')
  await assert.rejects(async () => await decode([...whole, 0, 7], 1), /expected 12/)
})

test('more rows than there are make no sense', async () => {
  await assert.rejects(async () => await decode([], 4), { code: 'malformed-source' })
})

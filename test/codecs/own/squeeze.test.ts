import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'

const UINT8 = { kind: 'uint', bits: 8 } as const

function encoding(axes: number) {
  return [
    { name: 'vz.squeeze', configuration: { axes } },
    { name: 'vz.tiff-unpack', configuration: { bits: 4, signed: false, float: false, endian: 'big', block: 4 } },
  ]
}

test('leading axes of length 1 are left out for codecs that know pictures', async () => {
  const stored = Uint8Array.of(0x12, 0x30, 0x45, 0x60)
  const elements = await decodeChunk(stored, encoding(2), { shape: [1, 1, 2, 3], dataType: UINT8 }, { limit: 64 })
  assert.deepEqual(elements.kind === 'fixed' && [...elements.bytes], [1, 2, 3, 4, 5, 6])
})

test('GEN-13: axes that are longer, or not there, are malformed', () => {
  for (const shape of [
    [2, 1, 2, 3],
    [1, 2],
  ]) {
    const decode = () => decodeChunk(new Uint8Array(4), encoding(2), { shape, dataType: UINT8 }, { limit: 64 })
    assert.throws(decode, (error) => isVirtualZarrError(error, 'malformed-source'))
  }
})

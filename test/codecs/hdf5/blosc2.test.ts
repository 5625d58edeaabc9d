import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { poisonChunkMemory } from '../../helpers/poisoned-memory.ts'
import { codec, decodedHex, LITTLE, layoutOf } from '../codec-of.ts'

poisonChunkMemory()

const ID = 'blosc2 array (50,) in (50,) in (16,)'

function storedVector(): Buffer {
  const lines = readFileSync(new URL('../vectors/hdf5.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const line = lines.find((text) => text.includes(JSON.stringify(ID)))
  return Buffer.from((JSON.parse(line ?? '') as { stored: string }).stored, 'base64')
}

test('blocks of the grid need not be those that its chunk is compressed in', async () => {
  const stored = storedVector()
  const layout = layoutOf({ kind: 'float', bits: 32 }, 50)
  const encoding = [LITTLE, codec('vz.blosc2')]
  const expected = Buffer.from(Float32Array.from({ length: 50 }, (_, i) => i).buffer).toString('hex')
  assert.equal(await decodedHex(stored, encoding, layout), expected)
  // Msgpack: a list of one number of 32 bits. In one dimension, blocks of any length give the same content.
  const blockShape = stored.indexOf(Buffer.from('91d200000010', 'hex')) + 2
  for (const length of [32, 64]) {
    stored.writeUInt32BE(length, blockShape)
    assert.equal(await decodedHex(stored, encoding, layout), expected, `blocks of ${length}`)
  }
})

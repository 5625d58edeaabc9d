import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import type { DataType } from '../../../src/model/data-type.ts'

const ENCODING = [{ name: 'vz.hdf5-any-text', configuration: {} }]
const STRING: DataType = { kind: 'string' }

async function decode(bytes: Uint8Array, count: number): Promise<readonly string[]> {
  const read = async () => new Uint8Array(4096)
  const chunk = await decodeChunk(bytes, ENCODING, { shape: [count], dataType: STRING }, { limit: 2 ** 20, read })
  assert.ok(chunk.kind === 'text')
  return chunk.values
}

test('text filled up with NULs is text, and so is one that was never set', async () => {
  const bytes = Buffer.concat([
    Buffer.from('0123456789abcdef'),
    Buffer.from('short'.padEnd(16, '\0')),
    Buffer.alloc(16),
  ])
  assert.deepEqual(await decode(bytes, 3), ['0123456789abcdef', 'short', ''])
})

test('what has something behind its end is a reference, and an error where it leads to no heap', async () => {
  const reference = Buffer.alloc(16)
  reference.writeUInt32LE(5, 0)
  reference.writeBigUInt64LE(512n, 4)
  reference.writeUInt32LE(1, 12)
  for (const bytes of [reference, Buffer.from('abc\0garbage\0\0\0\0\0')]) {
    await assert.rejects(decode(bytes, 1), (error) => isVirtualZarrError(error))
  }
})

test('other lengths are an error', async () => {
  await assert.rejects(decode(new Uint8Array(15), 1), /15 bytes/)
})

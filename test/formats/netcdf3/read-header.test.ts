import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { readHeader } from '../../../src/formats/netcdf3/read-header.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { header, join, u32 } from './build.ts'

const MIB = 2 ** 20

function headerOf(textBytes: number): Uint8Array {
  return header({
    attributes: [{ name: 'history', type: 2, value: 'h'.repeat(textBytes) }],
    variables: [{ name: 'v', dims: [], type: 4, begin: textBytes + 1024 }],
  })
}

test('a header within the head of the file is read at once', async () => {
  const source = countingSource(headerOf(1000), 10 ** 9)
  assert.equal((await readHeader(source, {})).variables.length, 1)
  assert.deepEqual(source.reads, [{ offset: 0, length: 65_536 }])
})

test('a small file is read as it is', async () => {
  const source = countingSource(headerOf(10))
  await readHeader(source, {})
  assert.deepEqual(source.reads, [{ offset: 0, length: source.size }])
})

test('a longer header takes one more read, of what is not there yet', async () => {
  const source = countingSource(headerOf(300_000), 10 ** 9)
  assert.equal((await readHeader(source, {})).variables.length, 1)
  assert.deepEqual(source.reads, [
    { offset: 0, length: 65_536 },
    { offset: 65_536, length: MIB - 65_536 },
  ])
})

test('a header with a long attribute takes one more read too, however long it is', async () => {
  const source = countingSource(headerOf(5 * MIB), 10 ** 9)
  const found = await readHeader(source, {})
  assert.equal(found.attributes[0]?.count, 5 * MIB)
  assert.equal(source.reads.length, 2)
})

test('a header of more than 16 MiB is over the limit, and is not read', async () => {
  const source = countingSource(join(Buffer.from('CDF\x01'), u32(0, 0, 0, 12, 1, 1, 0, 2, 2 ** 30)), 2 ** 40)
  await assert.rejects(readHeader(source, {}), (error) => isVirtualZarrError(error, 'limit-exceeded'))
  assert.equal(source.reads.length, 1)
})

test('a header whose parts go on for more than 16 MiB is over the limit', async () => {
  const text = { name: 'a', type: 2, value: 'x'.repeat(3 * MIB) }
  const source = countingSource(header({ attributes: new Array(6).fill(text) }), 2 ** 40)
  await assert.rejects(readHeader(source, {}), (error) => isVirtualZarrError(error, 'limit-exceeded'))
  assert.ok(source.reads.reduce((total, { length }) => total + length, 0) <= 16 * MIB)
})

test('an empty file, and one that ends within its magic, are malformed', async () => {
  for (const bytes of [new Uint8Array(0), Buffer.from('CD'), Buffer.from('CDF\x01')]) {
    await assert.rejects(readHeader(countingSource(bytes), {}), (error) =>
      isVirtualZarrError(error, 'malformed-source'),
    )
  }
})

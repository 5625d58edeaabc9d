import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByteRange } from '../../../src/bytes/byte-range.ts'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { isVirtualZarrError, malformed } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/json/json.ts'

const BASE = 512

/** A global heap collection of version 1, with 8-byte lengths. */
function collection(objects: readonly (readonly [index: number, text: string])[], size = 4096): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.write('GCOL', 'latin1')
  bytes.writeUInt8(1, 4)
  bytes.writeBigUInt64LE(BigInt(size), 8)
  let at = 16
  for (const [index, text] of objects) {
    const content = Buffer.from(text)
    bytes.writeUInt16LE(index, at)
    bytes.writeUInt16LE(1, at + 2)
    bytes.writeBigUInt64LE(BigInt(content.length), at + 8)
    content.copy(bytes, at + 16)
    at += 16 + Math.ceil(content.length / 8) * 8
  }
  return bytes
}

function references(items: readonly (readonly [length: number, address: bigint, index: number])[]): Buffer {
  return Buffer.concat(
    items.map(([length, address, index]) => {
      const bytes = Buffer.alloc(16)
      bytes.writeUInt32LE(length, 0)
      bytes.writeBigUInt64LE(address, 4)
      bytes.writeUInt32LE(index, 12)
      return bytes
    }),
  )
}

/** A file that begins with other bytes, and what was read of it. */
function fileOf(pieces: readonly (readonly [address: number, bytes: Buffer])[]) {
  const end = Math.max(...pieces.map(([address, bytes]) => address + bytes.length))
  const file = Buffer.alloc(BASE + end)
  for (const [address, bytes] of pieces) bytes.copy(file, BASE + address)
  const reads: ByteRange[] = []
  const read = async (range: ByteRange) => {
    if (range.offset + range.length > file.length) throw malformed('outside of the file')
    reads.push(range)
    return file.subarray(range.offset, range.offset + range.length)
  }
  return { read, reads }
}

async function decode(stored: Uint8Array, file: ReturnType<typeof fileOf>, limit = 2 ** 20, more: JsonObject = {}) {
  const configuration = { offsetSize: 8, lengthSize: 8, base: BASE, ...more }
  const layout = { shape: [stored.length / 16], dataType: { kind: 'string' } } as const
  const encoding = [{ name: 'vz.hdf5-vlen-text', configuration }]
  const elements = await decodeChunk(stored, encoding, layout, { limit, read: file.read })
  return elements.kind === 'text' ? elements.values : []
}

test('text is read from its heap: UTF-8, Latin-1 where it is not, up to the first NUL; nil references are empty', async () => {
  const heap = collection([
    [1, 'Grüße 🌍'],
    [2, 'ends\0here'],
    [7, 'plain'],
  ])
  heap.write('\xe9t\xe9', heap.indexOf('plain'), 'latin1')
  const file = fileOf([[1000, heap]])
  const stored = references([
    [12, 1000n, 1],
    [9, 1000n, 2],
    [3, 1000n, 7],
    [0, 0n, 0],
    [5, 0xffffffffffffffffn, 0],
    [0, 1000n, 1],
    [3, 1000n, 7],
  ])
  assert.deepEqual(await decode(stored, file), ['Grüße 🌍', 'ends', 'été', '', '', '', 'été'])
  assert.deepEqual(file.reads, [{ offset: BASE + 1000, length: 4096 }])
})

test('neighbouring collections are read at once, far ones on their own, long and short ones by their length', async () => {
  const near = Array.from({ length: 20 }, (_, i): [number, Buffer] => [4096 * (i + 1), collection([[1, `near ${i}`]])])
  const long = collection([[3, 'x'.repeat(9000)]], 10_000)
  const short = collection([[1, 'last']], 40)
  const file = fileOf([...near, [500_000, long], [700_000, short]])
  const stored = references([
    [4, 700_000n, 1],
    [9000, 500_000n, 3],
    ...near.map(([address], i) => [`near ${i}`.length, BigInt(address), 1] as const).toReversed(),
  ])
  const texts = await decode(stored, file)
  assert.deepEqual(texts, ['last', 'x'.repeat(9000), ...near.map((_, i) => `near ${i}`).toReversed()])
  assert.equal(file.reads.length, 5)
  assert.deepEqual(file.reads[0], { offset: BASE + 4096, length: 20 * 4096 })
})

test('collections that overlap are malformed: they could be many more than the file is long', async () => {
  const heap = collection([[1, 'outer']])
  collection([[1, 'inner']], 64).copy(heap, 1024)
  const stored = references([
    [5, 1000n, 1],
    [5, 2024n, 1],
  ])
  const attempt = decode(stored, fileOf([[1000, heap]]))
  await assert.rejects(attempt, (error) => isVirtualZarrError(error, 'malformed-source'))
})

test('text that the heap does not hold is malformed, more than the limit is refused before anything is read', async () => {
  const file = fileOf([[1000, collection([[1, 'short']])]])
  const cases: readonly [Buffer, number, string][] = [
    [references([[6, 1000n, 1]]), 2 ** 20, 'malformed-source'],
    [references([[5, 1000n, 2]]), 2 ** 20, 'malformed-source'],
    [references([[5, 1008n, 1]]), 2 ** 20, 'malformed-source'],
    [references([[5, 2n ** 40n, 1]]), 2 ** 20, 'malformed-source'],
    [references([[5, 2n ** 60n, 1]]), 2 ** 20, 'malformed-source'],
    [references(Array.from({ length: 1000 }, () => [5, 1000n, 1] as const)), 4999, 'limit-exceeded'],
    [references([[5, 1000n, 1]]), 4095, 'limit-exceeded'],
  ]
  for (const [stored, limit, code] of cases) {
    await assert.rejects(decode(stored, file, limit), (error) => {
      assert.ok(isVirtualZarrError(error), String(error))
      assert.equal(error.code, code)
      return true
    })
  }
  assert.ok(file.reads.length <= 3)
})

test('one object of the heap that many elements name is held once, and read by each in its own length', async () => {
  const file = fileOf([[1000, collection([[1, 'abcdef'.repeat(10_000)]], 65_536)]])
  const lengths = [6, 60_000, 6, 3, 60_000, 60_000]
  const stored = references(lengths.map((length) => [length, 1000n, 1]))
  assert.deepEqual(
    (await decode(stored, file)).map((text) => text.length),
    lengths,
  )
  const many = references(Array.from({ length: 1000 }, () => [60_000, 1000n, 1] as const))
  const before = process.memoryUsage().heapUsed
  const texts = await decode(many, file, 2 ** 26)
  const grown = process.memoryUsage().heapUsed - before
  assert.ok(texts.length === 1000 && texts.every((text) => text === texts[0]))
  assert.ok(grown < 2 ** 24, `${grown} bytes for 60,000,000 characters that are the same`)
})

test('texts of more than 64 MiB in one chunk are refused by what their references say, before any is read', async () => {
  const file = fileOf([[64, collection([[1, 'abc']])]])
  const long = (count: number) => references(Array.from({ length: count }, () => [2 ** 23, 64n, 1] as const))
  await assert.rejects(decode(long(9), file, 2 ** 28), { code: 'limit-exceeded', message: /at most 67108864/ })
  assert.equal(file.reads.length, 0)
  // One less is asked for, and is not there.
  await assert.rejects(decode(long(8), file, 2 ** 28), { code: 'malformed-source' })
})

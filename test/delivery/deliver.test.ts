import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, zstdCompressSync } from 'node:zlib'
import { decodeChunk } from '../../src/codecs/decode.ts'
import { shuffle } from '../../src/codecs/kernels/shuffle.ts'
import type { Profile } from '../../src/delivery/delivery.ts'
import { planDelivery } from '../../src/delivery/plan.ts'
import type { ChunkRef } from '../../src/model/chunk-ref.ts'
import type { StoredCodec } from '../../src/model/encoding.ts'
import type { StoredArray, VirtualArray } from '../../src/model/virtual-store.ts'
import { BIG, bodyOf, codec, deliverChunk, INT16, LITTLE, virtualArray, wholeRange, worldOf, ZLIB } from './world.ts'

const values = Int16Array.from({ length: 24 }, (_, i) => i * i - 100)
const little = Buffer.from(values.buffer)
const big = Buffer.from(little).swap16()
const SHUFFLE = codec('numcodecs.shuffle', { elementsize: 2 })

function arrayOf(
  encoding: readonly StoredCodec[],
  stored: Uint8Array,
  fields: Partial<StoredArray> = {},
): VirtualArray {
  const shape = { shape: [4, 6], chunkShape: [4, 6], dataType: INT16, encodings: [encoding] }
  return virtualArray({ ...shape, ...fields }, [wholeRange(stored)])
}

/** What a client makes of a delivered chunk. */
async function decodedBy(array: VirtualArray, profile: Profile, wire: Uint8Array): Promise<string> {
  const { codecs } = planDelivery(array, profile)
  const elements = await decodeChunk(
    wire,
    codecs,
    { shape: array.chunkShape, dataType: array.dataType },
    { limit: 2 ** 20 },
  )
  return elements.kind === 'fixed' ? Buffer.from(elements.bytes).toString('hex') : JSON.stringify(elements)
}

const ways: readonly (readonly [string, readonly StoredCodec[], Uint8Array])[] = [
  ['raw', [LITTLE], little],
  ['big-endian', [BIG], big],
  ['zlib', [LITTLE, ZLIB], deflateSync(little)],
  ['zlib of big-endian', [BIG, ZLIB], deflateSync(big)],
  ['shuffle and zlib', [LITTLE, SHUFFLE, ZLIB], deflateSync(shuffle(little, 2))],
  ['shuffle alone', [LITTLE, SHUFFLE], shuffle(little, 2)],
  ['zstd', [LITTLE, codec('numcodecs.zstd')], zstdCompressSync(little)],
  ['shuffle and zstd', [LITTLE, SHUFFLE, codec('zstd')], zstdCompressSync(shuffle(little, 2))],
]

for (const [name, encoding, stored] of ways) {
  for (const profile of ['portable', 'native', 'raw'] as const) {
    test(`a chunk stored as ${name} is decoded by what ${profile} advertises, in one upstream read`, async () => {
      const array = arrayOf(encoding, stored)
      const world = worldOf(stored)
      const wire = await bodyOf(await deliverChunk(array, [0, 0], world, { profile }))
      assert.equal(await decodedBy(array, profile, wire), little.toString('hex'))
      assert.equal(world.reads.length, 1)
    })

    test(`HEAD and every part of a chunk stored as ${name} agree with the whole under ${profile} (GEN-6)`, async () => {
      const array = arrayOf(encoding, stored)
      const world = worldOf(stored)
      const whole = await bodyOf(await deliverChunk(array, [0, 0], world, { profile }))
      const head = await deliverChunk(array, [0, 0], world, { profile, headOnly: true })
      assert.equal(head.kind === 'chunk' && head.total, whole.length)
      assert.equal(head.kind === 'chunk' && head.body, undefined)
      for (let offset = 0; offset < whole.length; offset += 3) {
        for (const length of [1, 7, undefined]) {
          const part = await deliverChunk(array, [0, 0], world, { profile, part: { kind: 'from', offset, length } })
          const end = length === undefined ? whole.length : offset + length
          assert.equal((await bodyOf(part)).toString('hex'), whole.subarray(offset, end).toString('hex'))
        }
        const last = await deliverChunk(array, [0, 0], world, { profile, part: { kind: 'last', length: offset + 1 } })
        assert.equal((await bodyOf(last)).toString('hex'), whole.subarray(whole.length - offset - 1).toString('hex'))
      }
      const behind = await deliverChunk(array, [0, 0], world, {
        profile,
        part: { kind: 'from', offset: whole.length, length: 1 },
      })
      assert.deepEqual(behind, { kind: 'unsatisfiable', total: whole.length })
    })
  }
}

test('a HEAD of a passed, enveloped or raw chunk reads nothing', async () => {
  for (const [, encoding, stored] of ways) {
    for (const profile of ['portable', 'native', 'raw'] as const) {
      const world = worldOf(stored)
      await deliverChunk(arrayOf(encoding, stored), [0, 0], world, { profile, headOnly: true })
      assert.deepEqual(world.reads, [])
    }
  }
})

test('a part of an enveloped chunk reads only that part upstream', async () => {
  const stored = deflateSync(little)
  const world = worldOf(stored)
  await deliverChunk(arrayOf([LITTLE, ZLIB], stored), [0, 0], world, { part: { kind: 'from', offset: 20, length: 14 } })
  assert.deepEqual(world.reads, [{ offset: 0, length: 10 }])
})

test('a checksum behind a compressed chunk is cut off, and the rest passes', async () => {
  const stored = Buffer.concat([deflateSync(little), Buffer.alloc(4)])
  const array = arrayOf([LITTLE, ZLIB, codec('numcodecs.fletcher32')], stored)
  const world = worldOf(stored)
  assert.equal(
    await decodedBy(array, 'portable', await bodyOf(await deliverChunk(array, [0, 0], world))),
    little.toString('hex'),
  )
  assert.deepEqual(world.reads, [{ offset: 0, length: stored.length - 4 }])
})

test('a missing chunk is missing, whatever the profile', async () => {
  const array = virtualArray({ shape: [4], chunkShape: [4], dataType: INT16 }, [])
  for (const profile of ['portable', 'native', 'raw'] as const) {
    assert.deepEqual(await deliverChunk(array, [0], worldOf(little), { profile }), { kind: 'missing' })
  }
})

test('a raw chunk whose stored length contradicts the array is malformed, never a short chunk', async () => {
  for (const profile of ['portable', 'native', 'raw'] as const) {
    const array = arrayOf([LITTLE], little.subarray(2))
    await assert.rejects(deliverChunk(array, [0, 0], worldOf(little), { profile }), { code: 'malformed-source' })
  }
})

test('a cropped border chunk is filled up with the fill value; the chunks inside pass (DM-8)', async () => {
  const refs: ChunkRef[] = [
    { kind: 'range', source: 0, offset: 0, length: 8, encoding: 0 },
    { kind: 'range', source: 0, offset: 8, length: 4, encoding: 0 },
  ]
  const fields = { shape: [3, 2], chunkShape: [2, 2], dataType: INT16, edges: 'cropped' as const, encodings: [[BIG]] }
  const array = virtualArray({ ...fields, fillValue: { kind: 'number', value: -1 } }, refs)
  const world = worldOf(big)
  assert.deepEqual(await bodyOf(await deliverChunk(array, [0, 0], world)), big.subarray(0, 8))
  const border = await bodyOf(await deliverChunk(array, [1, 0], world))
  assert.equal(border.toString('hex'), `${big.subarray(8, 12).toString('hex')}ffffffff`)
  const head = await deliverChunk(array, [1, 0], worldOf(big), { headOnly: true })
  assert.equal(head.kind === 'chunk' && head.total, 8)
})

test('records are gathered by one upstream read when they lie close together', async () => {
  const source = Buffer.alloc(4000)
  for (let record = 0; record < 24; record++) little.copy(source, 100 + record * 150, record * 2, record * 2 + 2)
  const ref: ChunkRef = { kind: 'strided', source: 0, offset: 100, length: 2, stride: 150, count: 24, encoding: 0 }
  const array = virtualArray({ shape: [24], chunkShape: [24], dataType: INT16 }, [ref])
  const world = worldOf(source)
  assert.equal((await bodyOf(await deliverChunk(array, [0], world))).toString('hex'), little.toString('hex'))
  assert.deepEqual(world.reads, [{ offset: 100, length: 23 * 150 + 2 }])
  const part = await deliverChunk(array, [0], world, { part: { kind: 'from', offset: 3, length: 4 } })
  assert.equal((await bodyOf(part)).toString('hex'), little.subarray(3, 7).toString('hex'))
  assert.deepEqual(world.reads[1], { offset: 251, length: 300 })
})

test('ranges that lie far apart, or backwards, are read one by one and joined in their order', async () => {
  const source = Buffer.alloc(3_000_000)
  little.copy(source, 2_500_000, 0, 20)
  little.copy(source, 10, 20, 48)
  const parts = [
    { offset: 2_500_000, length: 20 },
    { offset: 10, length: 28 },
  ]
  const array = arrayOf([LITTLE], little, {
    chunks: { gridShape: [1, 1], at: () => ({ kind: 'ranges', source: 0, parts, encoding: 0 }), weight: () => 0 },
  })
  const world = worldOf(source)
  assert.equal((await bodyOf(await deliverChunk(array, [0, 0], world))).toString('hex'), little.toString('hex'))
  assert.equal(world.reads.length, 2)
})

test('large bodies are streamed and small ones held, from one range or from many', async () => {
  const source = Buffer.alloc(40_000_000, 7)
  const shape = [35_000_000]
  for (const ref of [
    { kind: 'range', source: 0, offset: 5, length: 35_000_000, encoding: 0 },
    { kind: 'strided', source: 0, offset: 5, length: 3_500_000, stride: 3_600_000, count: 10, encoding: 0 },
  ] as const) {
    const array = virtualArray({ shape, chunkShape: shape, dataType: { kind: 'uint', bits: 8 } }, [ref])
    const whole = await deliverChunk(array, [0], worldOf(source))
    assert.ok(whole.kind === 'chunk' && !(whole.body instanceof Uint8Array))
    assert.equal((await bodyOf(whole)).length, 35_000_000)
    const part = await deliverChunk(array, [0], worldOf(source), { part: { kind: 'last', length: 1000 } })
    assert.ok(part.kind === 'chunk' && part.body instanceof Uint8Array)
  }
})

test('inline bytes are delivered like stored ones, and never given away', async () => {
  const bytes = new Uint8Array(deflateSync(little))
  const array = arrayOf([LITTLE, ZLIB], bytes, {
    chunks: { gridShape: [1, 1], at: () => ({ kind: 'inline', bytes, encoding: 0 }), weight: () => 0 },
  })
  for (const profile of ['portable', 'native', 'raw', 'portable'] as const) {
    const wire = await bodyOf(await deliverChunk(array, [0, 0], worldOf(little), { profile }))
    assert.equal(await decodedBy(array, profile, wire), little.toString('hex'))
  }
})

test('chunks of one array that are stored in different ways go out under one codec', async () => {
  const encodings = [[LITTLE, SHUFFLE, ZLIB], [LITTLE, ZLIB], [LITTLE], [BIG], [LITTLE, codec('gzip')]]
  const stored = [deflateSync(shuffle(little, 2)), deflateSync(little), little, big]
  for (const [encoding, bytes] of stored.entries()) {
    const array = virtualArray({ shape: [4, 6], chunkShape: [4, 6], dataType: INT16, encodings }, [
      wholeRange(bytes, encoding),
    ])
    const plan = planDelivery(array, 'portable')
    assert.deepEqual(
      plan.codecs.map(({ name }) => name),
      ['bytes', 'blosc'],
    )
    assert.deepEqual(
      plan.ways.map(({ kind }) => kind),
      ['envelope', 'envelope', 'envelope', 'recode', 'recode'],
    )
    const wire = await bodyOf(await deliverChunk(array, [0, 0], worldOf(bytes)))
    assert.equal(await decodedBy(array, 'portable', wire), little.toString('hex'))
  }
})

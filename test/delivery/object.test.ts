import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import { decodeChunk } from '../../src/codecs/decode.ts'
import { planDelivery } from '../../src/delivery/plan.ts'
import type { StoredCodec } from '../../src/model/encoding.ts'
import type { StoredArray, VirtualArray } from '../../src/model/virtual-store.ts'
import { BIG, bodyOf, codec, deliverChunk, LITTLE, virtualArray, worldOf, ZLIB } from './world.ts'

const values = Uint8Array.from({ length: 90_000 }, (_, i) => (i * i) % 251)
const nothing = new Uint8Array(0)

function objectArray(encoding: readonly StoredCodec[], fields: Partial<StoredArray> = {}): VirtualArray {
  const shape = { shape: [90_000], chunkShape: [90_000], dataType: { kind: 'uint', bits: 8 } as const }
  return virtualArray({ ...shape, encodings: [encoding], ...fields }, [
    { kind: 'object', source: 0, key: '0', encoding: 0 },
  ])
}

async function decoded(array: VirtualArray, wire: Uint8Array): Promise<Buffer> {
  const { codecs } = planDelivery(array, 'portable')
  const elements = await decodeChunk(
    wire,
    codecs,
    { shape: array.chunkShape, dataType: array.dataType },
    { limit: 2 ** 20 },
  )
  return Buffer.from(elements.kind === 'fixed' ? elements.bytes : [])
}

for (const [name, encoding, stored] of [
  ['passed', [LITTLE, codec('gzip')], gzipSync(values)],
  ['raw', [LITTLE], values],
  ['enveloped', [LITTLE, ZLIB], deflateSync(values)],
  [
    'enveloped without its header',
    [LITTLE, codec('numcodecs.crc32'), ZLIB],
    deflateSync(Buffer.concat([crc(values), values])),
  ],
  [
    'recoded',
    [LITTLE, codec('numcodecs.adler32', { location: 'end' }), ZLIB],
    deflateSync(Buffer.concat([values, adler(values)])),
  ],
  [
    'cut and passed',
    [LITTLE, codec('gzip'), codec('numcodecs.fletcher32')],
    Buffer.concat([gzipSync(values), Buffer.alloc(4)]),
  ],
] as const) {
  test(`an object is ${name} by one request, with its host's version`, async () => {
    const array = objectArray(encoding)
    const world = worldOf(nothing, { 0: stored })
    const delivered = await deliverChunk(array, [0], world)
    assert.equal(delivered.kind === 'chunk' && delivered.version, 'version of 0')
    const wire = await bodyOf(delivered)
    assert.ok((await decoded(array, wire)).equals(values))
    assert.deepEqual(world.asked, ['GET 0'])
  })

  test(`HEAD and parts of an object that is ${name} agree with the whole`, async () => {
    const array = objectArray(encoding)
    const world = worldOf(nothing, { 0: stored })
    const wire = await bodyOf(await deliverChunk(array, [0], world))
    const head = await deliverChunk(array, [0], worldOf(nothing, { 0: stored }), { headOnly: true })
    assert.equal(head.kind === 'chunk' && head.total, wire.length)
    for (const part of [
      { kind: 'from', offset: 0, length: 10 },
      { kind: 'from', offset: 20, length: 30 },
      { kind: 'from', offset: wire.length - 5, length: undefined },
      { kind: 'last', length: 30 },
    ] as const) {
      const delivered = await deliverChunk(array, [0], world, { part })
      assert.ok(delivered.kind === 'chunk')
      assert.equal(delivered.total, wire.length)
      const { offset, length } = delivered
      assert.ok((await bodyOf(delivered)).equals(wire.subarray(offset, offset + length)))
    }
    const behind = await deliverChunk(array, [0], world, { part: { kind: 'from', offset: wire.length, length: 1 } })
    assert.deepEqual(behind, { kind: 'unsatisfiable', total: wire.length })
  })
}

test('an object that does not exist is a missing chunk, passed or made (GEN-5)', async () => {
  for (const encoding of [[LITTLE], [LITTLE, ZLIB], [LITTLE, codec('numcodecs.bz2')]]) {
    for (const headOnly of [false, true]) {
      assert.deepEqual(await deliverChunk(objectArray(encoding), [0], worldOf(nothing), { headOnly }), {
        kind: 'missing',
      })
    }
  }
})

test('a raw object of another length than the chunk is malformed', async () => {
  const world = worldOf(nothing, { 0: values.subarray(1) })
  await assert.rejects(deliverChunk(objectArray([LITTLE]), [0], world), { code: 'malformed-source' })
})

test('an object that became another one is not answered from what was made of the first', async () => {
  const array = objectArray([BIG], {
    dataType: { kind: 'uint', bits: 16 },
    shape: [2],
    chunkShape: [2],
    edges: 'padded',
  })
  const transposed = { ...array, encodings: [[codec('numcodecs.delta', { dtype: '<u2' }), BIG]] }
  const objects: Record<string, Uint8Array> = { 0: Uint8Array.of(0, 1, 0, 1) }
  const world = worldOf(nothing, objects)
  const first = await bodyOf(await deliverChunk(transposed, [0], { ...world }))
  objects['0'] = Uint8Array.of(0, 1, 0, 2)
  const changed = {
    ...world,
    object: async (...args: Parameters<typeof world.object>) => {
      const object = await world.object(...args)
      return object === undefined ? undefined : { ...object, validator: 'version 2' }
    },
  }
  const second = await bodyOf(await deliverChunk(transposed, [0], changed))
  assert.notDeepEqual(first, second)
})

function crc(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(bytes))
  return sum
}

function adler(bytes: Uint8Array): Buffer {
  // The checksum at the end of a zlib stream, in the other byte order.
  return Buffer.from(deflateSync(bytes).subarray(-4)).reverse()
}

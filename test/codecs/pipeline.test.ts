import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from '../../src/codecs/pipeline.ts'
import { canEncode, prepareEncoding } from '../../src/codecs/prepare.ts'
import { findCodec } from '../../src/codecs/registry.ts'
import { tiffJpeg } from '../../src/codecs/tiff/jpeg.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import { codec, FLOAT64, INT16, LITTLE, layoutOf, UINT8 } from './codec-of.ts'
import { tiffVectors } from './tiff/vectors.ts'

const LIMIT = { limit: 2 ** 20 }

test('the tables of one JPEG block are not those of the next, though both are decoded by what was prepared once', async () => {
  const vector = tiffVectors().find(({ id }) => id.startsWith('jpeg RGB of GDAL'))
  assert.ok(vector !== undefined)
  const abbreviated = Buffer.from(vector.stored)
  const configuration = vector.codecs.find(({ name }) => name === tiffJpeg.name)?.configuration
  const tables = Buffer.from(String(configuration?.['tables']), 'base64')
  const whole = Buffer.concat([tables.subarray(0, -2), abbreviated.subarray(2)])
  const others = vector.codecs.filter(({ name }) => name !== tiffJpeg.name)
  const pipeline = prepareEncoding([...others, tiffJpeg.stored({ tables: null, photometric: 6 })], vector)
  const first = await decode(pipeline, whole, LIMIT)
  assert.throws(
    () => decode(pipeline, abbreviated, LIMIT),
    (error) => isVirtualZarrError(error, 'malformed-source'),
  )
  assert.deepEqual(await decode(pipeline, whole, LIMIT), first)
})

test('a chunk is decoded and encoded as often as one likes by what was prepared once', () => {
  const layout = layoutOf(INT16, 2, 3)
  const encoding = [codec('transpose', { order: [1, 0] }), LITTLE, codec('gzip', { level: 1 }), codec('crc32c')]
  const pipeline = prepareEncoding(encoding, layout)
  for (let round = 0; round < 3; round++) {
    const bytes = Uint8Array.from({ length: 12 }, (_, at) => at + round)
    const stored = encode(pipeline, { kind: 'fixed', bytes })
    assert.deepEqual(decode(pipeline, stored, LIMIT), { kind: 'fixed', bytes })
  }
})

test('inner chunks of a shard are prepared with it, whatever its fill value', () => {
  const little = { name: 'bytes', configuration: { endian: 'little' } }
  const index = { codecs: [little], index_codecs: [little], chunk_shape: [1] }
  const pipeline = prepareEncoding([codec('sharding_indexed', index)], layoutOf(UINT8, 2))
  const shard = Buffer.alloc(33, 0xff)
  shard[0] = 7
  shard.writeBigUInt64LE(0n, 1)
  shard.writeBigUInt64LE(1n, 9)
  for (const value of [3, 4]) {
    const elements = decode(pipeline, shard, { ...LIMIT, fillValue: { kind: 'number', value } })
    assert.deepEqual(elements, { kind: 'fixed', bytes: Uint8Array.of(7, value) })
  }
  const unknown = { ...index, codecs: [little, { name: 'nobody.knows' }] }
  assert.throws(
    () => prepareEncoding([codec('sharding_indexed', unknown)], layoutOf(UINT8, 2)),
    (error) => isVirtualZarrError(error, 'unsupported-feature'),
  )
})

test('a codec that is said to write has what it writes with', () => {
  const encodings = [
    [codec('transpose', { order: [0] }), LITTLE, codec('blosc'), codec('zstd'), codec('numcodecs.zlib')],
    [LITTLE, codec('numcodecs.shuffle'), codec('numcodecs.adler32'), codec('numcodecs.gzip'), codec('numcodecs.zstd')],
    [codec('imagecodecs_delta'), codec('imagecodecs_floatpred'), LITTLE, codec('imagecodecs_lzw')],
    [LITTLE, codec('imagecodecs_packbits'), codec('numcodecs.bz2')],
    [codec('vz.squeeze', { axes: 1 }), LITTLE],
  ]
  for (const encoding of encodings) {
    const { arrays, serial, bytes } = prepareEncoding(
      encoding,
      layoutOf(FLOAT64, ...(encoding.length === 2 ? [1, 4] : [4])),
    )
    const written = [...arrays, serial, ...bytes].map((step) => step.encode !== undefined)
    assert.deepEqual(
      written,
      encoding.map(({ name }) => findCodec(name)?.writes === true),
    )
    assert.equal(canEncode(encoding), !written.includes(false))
  }
})

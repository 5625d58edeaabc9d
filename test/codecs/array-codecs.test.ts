import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../src/json/json.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { BIG, codec, decode, decodedHex, encode, FLOAT64, INT16, LITTLE, layoutOf, UINT8 } from './codec-of.ts'

const FLOAT32: DataType = { kind: 'float', bits: 32 }
const INT64: DataType = { kind: 'int', bits: 64 }

function bytesOf(values: Int16Array | Float32Array | Float64Array | BigInt64Array | Uint8Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

async function numbers(
  stored: Uint8Array,
  name: string,
  configuration: JsonObject,
  type: DataType,
): Promise<unknown[]> {
  const item = 'bits' in type ? type.bits / 8 : 1
  const encoded = codec(name, configuration)
  const count = storedCount(stored, configuration, item)
  const elements = await decode(stored, [encoded, LITTLE], layoutOf(type, count))
  assert.ok(elements.kind === 'fixed')
  const copy = new Uint8Array(elements.bytes).buffer
  if (type.kind === 'float') return [...(type.bits === 64 ? new Float64Array(copy) : new Float32Array(copy))]
  if (item === 8) return [...new BigInt64Array(copy)]
  return [...(item === 2 ? new Int16Array(copy) : new Uint8Array(copy))]
}

function storedCount(stored: Uint8Array, configuration: JsonObject, item: number): number {
  const sizes: Readonly<Record<string, number>> = { uint8: 1, int16: 2, float32: 4, int64: 8, float64: 8 }
  return stored.length / (sizes[String(configuration['data_type'])] ?? item)
}

test('COD-2: scale_offset decodes as stored / scale + offset, in the array type', async () => {
  assert.deepEqual(await numbers(bytesOf(Float32Array.of(1, 2)), 'scale_offset', { scale: 0.1, offset: 5 }, FLOAT32), [
    Math.fround(Math.fround(1 / Math.fround(0.1)) + 5),
    Math.fround(Math.fround(2 / Math.fround(0.1)) + 5),
  ])
  assert.deepEqual(
    await numbers(bytesOf(Int16Array.of(20, -30)), 'scale_offset', { scale: 10, offset: 3 }, INT16),
    [5, 0],
  )
  assert.deepEqual(await numbers(bytesOf(Float64Array.of(1.5)), 'scale_offset', {}, FLOAT64), [1.5])
})

test('COD-2: a value that has no place in the integer type is refused, and so is an unknown member', async () => {
  await assert.rejects(numbers(bytesOf(Int16Array.of(25)), 'scale_offset', { scale: 10 }, INT16), {
    code: 'malformed-source',
  })
  await assert.rejects(numbers(bytesOf(Int16Array.of(32767)), 'scale_offset', { offset: 1 }, INT16), {
    code: 'malformed-source',
  })
  await assert.rejects(numbers(bytesOf(Int16Array.of(1)), 'scale_offset', { factor: 1 }, INT16), {
    code: 'malformed-source',
  })
})

test('COD-3: cast_value converts by value, exactly for 64-bit integers', async () => {
  assert.deepEqual(await numbers(bytesOf(Int16Array.of(-3, 7)), 'cast_value', { data_type: 'int16' }, FLOAT64), [-3, 7])
  const wide = BigInt64Array.of(9007199254740993n)
  assert.deepEqual(await numbers(bytesOf(wide), 'cast_value', { data_type: 'int64' }, INT64), [9007199254740993n])
})

test('COD-3: rounding follows the named rule, nearest-even by default', async () => {
  const halves = bytesOf(Float64Array.of(0.5, 1.5, 2.5, -0.5, -1.5, 1.2, -1.2))
  const rounded = (rounding?: string) =>
    numbers(halves, 'cast_value', { data_type: 'float64', ...(rounding === undefined ? {} : { rounding }) }, INT16)
  assert.deepEqual(await rounded(), [0, 2, 2, 0, -2, 1, -1])
  assert.deepEqual(await rounded('towards-zero'), [0, 1, 2, 0, -1, 1, -1])
  assert.deepEqual(await rounded('towards-positive'), [1, 2, 3, 0, -1, 2, -1])
  assert.deepEqual(await rounded('towards-negative'), [0, 1, 2, -1, -2, 1, -2])
  assert.deepEqual(await rounded('nearest-away'), [1, 2, 3, -1, -2, 1, -1])
})

test('COD-3: out of range is an error, clamped, or wrapped', async () => {
  const wide = bytesOf(Int16Array.of(300, -1))
  const cast = (configuration: JsonObject) =>
    numbers(wide, 'cast_value', { data_type: 'int16', ...configuration }, UINT8)
  await assert.rejects(cast({}), { code: 'malformed-source' })
  assert.deepEqual(await cast({ out_of_range: 'clamp' }), [255, 0])
  assert.deepEqual(await cast({ out_of_range: 'wrap' }), [44, 255])
})

test('COD-3: NaN has no place in an integer but by the map, whose first match wins', async () => {
  const stored = bytesOf(Float64Array.of(Number.NaN, 2))
  const cast = (configuration: JsonObject) =>
    numbers(stored, 'cast_value', { data_type: 'float64', ...configuration }, INT16)
  await assert.rejects(cast({ out_of_range: 'clamp' }), { code: 'malformed-source' })
  assert.deepEqual(
    await cast({
      scalar_map: {
        decode: [
          ['NaN', -9],
          [2, 5],
          [2, 6],
        ],
      },
    }),
    [-9, 5],
  )
})

test('COD-3: floats keep NaN, infinities and the sign of zero', async () => {
  const stored = bytesOf(Float32Array.of(Number.NaN, Number.NEGATIVE_INFINITY, -0))
  const values = await numbers(stored, 'cast_value', { data_type: 'float32' }, FLOAT64)
  assert.ok(Number.isNaN(values[0]))
  assert.equal(values[1], Number.NEGATIVE_INFINITY)
  assert.ok(Object.is(values[2], -0))
})

test('COD-4: inner chunks of a shard that were never written read as the fill value, through the chain of array codecs', async () => {
  const shard = codec('sharding_indexed', {
    chunk_shape: [1],
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    index_location: 'end',
  })
  const chain = [codec('scale_offset', { scale: 100 }), codec('cast_value', { data_type: 'int16' }), shard]
  const fillValue = { kind: 'number', value: -1.5 } as const
  const elements = await decode(Buffer.alloc(32, 255), chain, layoutOf(FLOAT64, 2), { fillValue })
  assert.ok(elements.kind === 'fixed')
  assert.deepEqual([...new Float64Array(new Uint8Array(elements.bytes).buffer)], [-1.5, -1.5])
})

test('fixed text is cut at its padding, as numpy does, and never inside', async () => {
  const bytes = Buffer.from('ab\0\0a\0b\0\0\0\0\0h\xe4\0\0', 'latin1')
  const text = codec('vz.text', { encoding: 'bytes', length: 4 })
  assert.deepEqual(await decode(bytes, [text, LITTLE], layoutOf({ kind: 'string' }, 4)), {
    kind: 'text',
    values: ['ab', 'a\0b', '', 'hä'],
  })
})

test('fixed text in UTF-32 is read in either byte order', async () => {
  const big = Buffer.alloc(16)
  big.writeUInt32BE(0x1f642)
  big.writeUInt32BE(0x61, 8)
  const text = codec('vz.text', { encoding: 'utf-32', length: 8 })
  const layout = layoutOf({ kind: 'string' }, 2)
  assert.deepEqual(await decode(big, [text, BIG], layout), { kind: 'text', values: ['🙂', 'a'] })
  await assert.rejects(decode(Buffer.alloc(16, 255), [text, LITTLE], layout), { code: 'malformed-source' })
})

const RECORD: JsonObject = {
  kind: 'structured',
  fields: [
    { name: 'a', type: { kind: 'uint', bits: 8 } },
    { name: 'b', type: { kind: 'int', bits: 16 }, shape: [2] },
    { name: 'c', type: { kind: 'structured', fields: [{ name: 'd', type: { kind: 'float', bits: 64 } }] } },
  ],
}

test('one field of big-endian records is picked, with its own dimensions', async () => {
  const records = Buffer.alloc(26)
  for (const at of [0, 13]) {
    records.writeUInt8(1 + at, at)
    records.writeInt16BE(-2 - at, at + 1)
    records.writeInt16BE(300 + at, at + 3)
    records.writeDoubleBE(1.5, at + 5)
  }
  const field = (index: number) => codec('vz.field', { type: RECORD, field: index })
  assert.equal(await decodedHex(records, [field(0), BIG], layoutOf(UINT8, 2)), '010e')
  const pairs = Buffer.from(Int16Array.of(-2, 300, -15, 313).buffer).toString('hex')
  assert.equal(await decodedHex(records, [field(1), BIG], layoutOf(INT16, 2, 2)), pairs)
  await assert.rejects(decode(records, [field(3), BIG], layoutOf(UINT8, 2)), { code: 'malformed-source' })
})

test('complex numbers swap each half', async () => {
  const stored = Buffer.alloc(8)
  stored.writeFloatBE(1)
  stored.writeFloatBE(-2, 4)
  const layout = layoutOf({ kind: 'complex', bits: 64 }, 1)
  assert.equal(await decodedHex(stored, [BIG], layout), Buffer.from(Float32Array.of(1, -2).buffer).toString('hex'))
})

test('what is written is read back: order, byte order and every codec that can be written', async () => {
  const values = bytesOf(Int16Array.from({ length: 60 }, (_, i) => i * 321))
  const layout = layoutOf(INT16, 3, 4, 5)
  for (const outer of [
    'gzip',
    'zstd',
    'blosc',
    'crc32c',
    'numcodecs.zlib',
    'numcodecs.shuffle',
    'numcodecs.fletcher32',
    'numcodecs.crc32',
    'numcodecs.adler32',
    'numcodecs.jenkins_lookup3',
  ]) {
    const encoding = [codec('transpose', { order: [2, 0, 1] }), BIG, codec(outer)]
    const stored = encode(values, encoding, layout)
    assert.equal(await decodedHex(stored, encoding, layout), Buffer.from(values).toString('hex'), outer)
    assert.deepEqual(encode(values, encoding, layout), stored, `${outer} is deterministic`)
  }
})

test('a NaN keeps its payload through a transpose', async () => {
  const signalling = Buffer.from('010000000000f47f020000000000f07f', 'hex')
  const encoding = [codec('transpose', { order: [1, 0] }), LITTLE]
  assert.equal(await decodedHex(signalling, encoding, layoutOf(FLOAT64, 2, 1)), signalling.toString('hex'))
})

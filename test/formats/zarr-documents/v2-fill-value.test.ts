import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { readV2 } from './documents.ts'

const fillOf = (dtype: unknown, fill: string, more: object = {}) =>
  readV2(
    `{"zarr_format":2,"shape":[4],"chunks":[2],"compressor":null,"order":"C","filters":null,"dtype":${JSON.stringify(dtype)},"fill_value":${fill}${Object.entries(
      more,
    )
      .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join('')}}`,
  ).array.fillValue

const VLEN = { filters: [{ id: 'vlen-utf8' }] }

test('V2-1: fill values in every spelling that writers have', () => {
  assert.deepEqual(fillOf('<f4', 'NaN'), { kind: 'number', value: Number.NaN })
  assert.deepEqual(fillOf('<f4', '"NaN"'), { kind: 'number', value: Number.NaN })
  assert.deepEqual(fillOf('<f4', '-Infinity'), { kind: 'number', value: Number.NEGATIVE_INFINITY })
  assert.deepEqual(fillOf('<f4', '0.1'), { kind: 'number', value: Math.fround(0.1) })
  assert.deepEqual(fillOf('<i2', '5.0'), { kind: 'number', value: 5 })
  assert.deepEqual(fillOf('<i8', '9007199254740993'), { kind: 'bigint', value: 9007199254740993n })
  assert.deepEqual(fillOf('<u8', '18446744073709551615'), { kind: 'bigint', value: 2n ** 64n - 1n })
  assert.deepEqual(fillOf('|b1', '1'), { kind: 'bool', value: true })
  assert.deepEqual(fillOf('<c8', '["NaN", 1.5]'), { kind: 'complex', value: [Number.NaN, 1.5] })
  assert.deepEqual(fillOf('<c8', '0'), { kind: 'complex', value: [0, 0] })
  assert.deepEqual(fillOf('<M8[s]', '"NaT"'), { kind: 'bigint', value: -(2n ** 63n) })
  assert.deepEqual(fillOf('|S5', '"eno="'), { kind: 'bytes', value: Uint8Array.of(0x7a, 0x7a) })
  assert.deepEqual(fillOf('|S5', '""'), { kind: 'bytes', value: new Uint8Array() })
  assert.deepEqual(fillOf('<U5', '"ab"'), { kind: 'string', value: 'ab' })
  assert.deepEqual(fillOf('|V2', '"AQI="'), { kind: 'bytes', value: Uint8Array.of(1, 2) })
})

test('the default of 0 is the text "0" in text, and zeros in bytes', () => {
  assert.deepEqual(fillOf('|O', '0', VLEN), { kind: 'string', value: '0' })
  assert.deepEqual(fillOf('<U5', '0'), { kind: 'string', value: '0' })
  assert.deepEqual(fillOf('|S5', '0'), { kind: 'bytes', value: Uint8Array.of(0x30) })
  assert.deepEqual(fillOf('|V2', '0'), { kind: 'bytes', value: Uint8Array.of(0, 0) })
  assert.deepEqual(fillOf([['a', '<i2']], '0'), { kind: 'bytes', value: Uint8Array.of(0, 0) })
})

test('the fill value of a big-endian record is turned like its chunks', () => {
  const dtype = [
    ['a', '>i2'],
    ['b', '|S2'],
    ['c', '>i2'],
  ]
  const fill = JSON.stringify(Buffer.from([1, 2, 3, 4, 5, 6]).toString('base64'))
  assert.deepEqual(fillOf(dtype, fill), { kind: 'bytes', value: Uint8Array.of(2, 1, 3, 4, 6, 5) })
})

for (const [dtype, fill] of [
  ['|i1', '300'],
  ['<i2', '"NaN"'],
  ['<i2', '1.5'],
  ['|b1', '2'],
  ['|S2', '"AQIDBA=="'],
  ['|S2', '"%"'],
  ['|V2', '"AQ=="'],
  ['<f4', '"many"'],
  ['<f4', '{}'],
] as const) {
  test(`a fill value of ${fill} on ${dtype} is malformed`, () => {
    assert.throws(
      () => fillOf(dtype, fill),
      (error) => isVirtualZarrError(error, 'malformed-source'),
    )
  })
}

test('V2-2: null becomes what the request chose', () => {
  const read = (dtype: string, nullFill: 'zero' | 'extreme' | 'refuse' | { text: string }) =>
    readV2({ dtype, fill_value: null }, { _ARRAY_DIMENSIONS: ['y', 'x'] }, { nullFill })
  const zero = read('<i2', 'zero')
  assert.deepEqual(zero.array.fillValue, { kind: 'number', value: 0 })
  assert.equal(zero.array.sentinels.fillValue, undefined)
  assert.deepEqual(zero.warnings, ['null-fill'])
  assert.deepEqual(read('<i2', 'extreme').array.fillValue, { kind: 'number', value: -32768 })
  assert.deepEqual(read('|u1', 'extreme').array.fillValue, { kind: 'number', value: 255 })
  assert.deepEqual(read('<f4', 'extreme').array.fillValue, { kind: 'number', value: Number.NaN })
  assert.deepEqual(read('<U3', 'extreme').array.fillValue, { kind: 'string', value: '' })
  assert.deepEqual(read('<i2', { text: '-9999' }).array.fillValue, { kind: 'number', value: -9999 })
  assert.deepEqual(read('<i2', { text: '-9999' }).warnings, [])
  for (const choice of ['refuse', { text: '300000' }] as const) {
    assert.throws(
      () => read('<i2', choice),
      (error) => isVirtualZarrError(error, 'invalid-request') && error.context.option === 'null_fill',
    )
  }
})

test('V2-1: the storage fill is migrated when xarray wrote the array, or always, or never', () => {
  const fill = (zattrs: object, migrateFill: 'auto' | 'always' | 'never') =>
    readV2({ fill_value: -1 }, zattrs, { migrateFill }).array.sentinels.fillValue
  const value = { kind: 'number', value: -1 }
  const byXarray = { _ARRAY_DIMENSIONS: ['y', 'x'] }
  assert.deepEqual(fill(byXarray, 'auto'), value)
  assert.equal(fill({}, 'auto'), undefined)
  assert.deepEqual(fill({}, 'always'), value)
  assert.equal(fill(byXarray, 'never'), undefined)
})

test('V2-1: a scalar without the mark is not migrated', () => {
  const scalar = { shape: [], chunks: [], fill_value: 0 }
  assert.equal(readV2(scalar).array.sentinels.fillValue, undefined)
  assert.deepEqual(readV2(scalar, { _ARRAY_DIMENSIONS: [] }).array.sentinels.fillValue, { kind: 'number', value: 0 })
})

test('V2-1: an own _FillValue attribute is kept; where it differs from the storage fill that is reported', () => {
  const read = (_FillValue: number) => readV2({ fill_value: -1 }, { _ARRAY_DIMENSIONS: ['y', 'x'], _FillValue })
  assert.deepEqual(read(-9999).array.sentinels.fillValue, { kind: 'number', value: -9999 })
  assert.deepEqual(read(-9999).warnings, ['fill-not-migrated'])
  assert.deepEqual(read(-1).warnings, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float, floatJson, type Json } from '../../src/json/json.ts'
import type { DataType, Scalar } from '../../src/model/data-type.ts'
import { timeReader, valueDecoder, valueMeaning } from '../../src/service/values/decoded-values.ts'
import { virtualArray } from '../helpers/virtual-array.ts'

function decode(dataType: DataType, attributes: Record<string, Json>, stored: Json, sentinel?: Scalar): Json {
  const sentinels = { fillValue: sentinel, missingValue: undefined }
  const value = valueDecoder(valueMeaning(virtualArray({ dataType, sentinels }), attributes), dataType)(stored)
  return value instanceof Float ? value.value : value
}

const int16: DataType = { kind: 'int', bits: 16 }

test('PACK-2: masks in the packed domain, then scales', () => {
  const sentinel = { kind: 'number', value: -32768 } as const
  const attributes = { scale_factor: 0.01, add_offset: 5 }
  assert.equal(decode(int16, attributes, -32768, sentinel), null)
  assert.equal(decode(int16, attributes, 100, sentinel), 6)
  assert.equal(decode(int16, { scale_factor: 2 }, 100), 200)
  assert.equal(decode(int16, {}, 100), 100)
})

test('every value of a list of missing ones is masked', () => {
  const float: DataType = { kind: 'float', bits: 32 }
  for (const value of [-1, -2]) assert.equal(decode(float, { missing_value: [-1, -2] }, floatJson(value)), null)
  assert.equal(decode(float, { missing_value: [-1, -2] }, floatJson(-3)), -3)
  assert.equal(decode({ kind: 'string' }, {}, 'none', { kind: 'string', value: 'none' }), null)
})

test('PACK-4: _Unsigned reads the other kind of integer, its sentinel being of the stored one', () => {
  const minusOne = { kind: 'number', value: -1 } as const
  assert.equal(decode({ kind: 'int', bits: 8 }, { _Unsigned: 'true' }, -2, minusOne), 254)
  assert.equal(decode({ kind: 'int', bits: 8 }, { _Unsigned: 'true' }, -1, minusOne), null)
  assert.equal(decode({ kind: 'uint', bits: 8 }, { _Unsigned: 'false' }, 255), -1)
  const long = decode({ kind: 'int', bits: 64 }, { _Unsigned: 'true' }, -1)
  assert.equal(long, 2n ** 64n - 1n)
  assert.equal(decode({ kind: 'float', bits: 32 }, { _Unsigned: 'true' }, floatJson(-1)), -1)
})

test('packing that is no number changes nothing', () => {
  assert.equal(decode(int16, { scale_factor: [1, 2] }, 100), 100)
  assert.equal(decode({ kind: 'string' }, { scale_factor: 2 }, 'x'), 'x')
})

// As xarray 2026.9 decodes them.
for (const [units, calendar, value, date] of [
  ['days since 2000-01-01', 'standard', 1.5, '2000-01-02T12:00:00'],
  ['days since 2000-02-29 06:30:15', undefined, 0, '2000-02-29T06:30:15'],
  ['hours since 1900-01-01T00:00:00Z', 'gregorian', 1_000_000, '2014-01-29T16:00:00'],
  ['seconds since 1970-01-01 00:00:00.0', 'proleptic_gregorian', 1_700_000_000n, '2023-11-14T22:13:20'],
  ['milliseconds since 1970-01-01', 'standard', 1, '1970-01-01T00:00:00.001'],
  ['days since 2000-01-01 00:00 +05:30', 'standard', 0, '1999-12-31T18:30:00'],
  ['days since 2000-01-01 00:00:00 -5:00', 'standard', 0, '2000-01-01T05:00:00'],
  ['minutes since 1970-1-1 0:0:0 UTC', 'standard', 90, '1970-01-01T01:30:00'],
  ['days since 0001-01-01 00:00:00', 'standard', 730_121, '2000-01-01T00:00:00'],
  ['days since 0001-01-01 00:00:00', 'proleptic_gregorian', 730_119, '2000-01-01T00:00:00'],
  ['hours since 1-1-1 00:00:0.0', 'standard', 17_522_904, '2000-01-01T00:00:00'],
] as const) {
  test(`${value} ${units} (${calendar}) is ${date}`, () => {
    assert.equal(timeReader(units, calendar)?.(value), date)
  })
}

test('what is no date, or one that nobody writes today, stays a number', () => {
  assert.equal(timeReader('metres', undefined), undefined)
  assert.equal(timeReader('months since 2000-01-01', 'standard'), undefined)
  assert.equal(timeReader('days since 2000-01-01', '360_day'), undefined)
  const read = timeReader('days since 2000-01-01', 'standard')
  assert.equal(read?.('NaN'), undefined)
  assert.equal(read?.(1e20), undefined)
  assert.equal(read?.(-200_000), undefined, 'before the Gregorian calendar')
})

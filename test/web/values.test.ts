import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourTable, painted } from '../../web/src/plot/colours.ts'
import { meaningOf, numberText } from '../../web/src/plot/meaning.ts'
import { statisticsOf } from '../../web/src/plot/statistics.ts'
import type { Attributes, Json } from '../../web/src/service/types.ts'

function values(data_type: Json, attributes: Attributes, stored: readonly (number | bigint)[]): number[] {
  const meaning = meaningOf({ data_type, attributes })
  return stored.map((one) => meaning.of(one))
}

test('stored numbers are unpacked, and those that mark missing points are none', () => {
  const packed = { _FillValue: -32768, missing_value: [-1, -2], scale_factor: 0.5, add_offset: 10 }
  assert.deepEqual(values('int16', packed, [-32768, -1, -2, 0, 4]), [Number.NaN, Number.NaN, Number.NaN, 10, 12])
})

test('marks of floats are read as xarray spells them: base64 of a double', () => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(Math.fround(1e20))
  assert.deepEqual(values('float32', { _FillValue: bytes.toString('base64') }, [Math.fround(1e20), 1]), [Number.NaN, 1])
  assert.deepEqual(values('float32', { missing_value: 1e20 }, [Math.fround(1e20), 1]), [Number.NaN, 1])
  assert.deepEqual(values('float32', { _FillValue: 'no base64!' }, [1]), [1])
})

test('signs of the classic model are those that _Unsigned says, and marks are of stored values', () => {
  assert.deepEqual(values('int8', { _Unsigned: 'true', _FillValue: -1 }, [-1, -2, 5]), [Number.NaN, 254, 5])
  assert.deepEqual(values('uint8', { _Unsigned: 'false' }, [255, 127]), [-1, 127])
})

test('integers of 64 bits are shown as the nearest number', () => {
  assert.deepEqual(values('int64', { _FillValue: -9 }, [-9n, 2n ** 60n]), [Number.NaN, 2 ** 60])
})

test('numbers are written short', () => {
  assert.deepEqual([0, 0.1 + 0.2, 1e-9, 123456789012, Number.NaN].map(numberText), [
    '0',
    '0.3',
    '1.0000e-9',
    '1.2346e+11',
    'missing',
  ])
})

test('statistics leave missing points out, and percentiles leave single points out', () => {
  const all = Float64Array.from({ length: 1001 }, (_, at) => at)
  all[500] = Number.NaN
  all[1000] = 1e9
  const { count, missing, least, most, usual, bins } = statisticsOf(all)
  assert.deepEqual([count, missing, least, most], [1000, 1, 0, 1e9])
  assert.ok(Math.abs(usual[0] - 20) <= 1 && Math.abs(usual[1] - 980) <= 1, usual.join())
  assert.equal(
    bins.reduce((sum, one) => sum + one, 0),
    1000,
  )
  assert.equal(statisticsOf(new Float64Array([Number.NaN])).count, 0)
})

test('values are painted between the ends of the scale, beyond them as the ends, missing ones not at all', () => {
  const table = colourTable('viridis')
  const pixels = painted(new Float64Array([0, 10, -5, 20, Number.NaN]), { table, low: 0, high: 10 })
  const at = (i: number) => [...pixels.subarray(i * 4, i * 4 + 4)]
  assert.deepEqual(at(0), [0x44, 0x01, 0x54, 255])
  assert.deepEqual(at(1), [0xfd, 0xe7, 0x25, 255])
  assert.deepEqual([at(2), at(3)], [at(0), at(1)])
  assert.deepEqual(at(4), [0, 0, 0, 0])
  assert.equal(painted(new Float64Array([7]), { table, low: 7, high: 7 })[3], 255)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { castScalar } from '../../src/fill-value/cast.ts'
import { extremeOf } from '../../src/formats/zarr-documents/null-fill.ts'
import type { DataType, Scalar } from '../../src/model/data-type.ts'

const uint8: DataType = { kind: 'uint', bits: 8 }
const int64: DataType = { kind: 'int', bits: 64 }
const float32: DataType = { kind: 'float', bits: 32 }

function number(value: number): Scalar {
  return { kind: 'number', value }
}

test('FV-6: a double is rounded to the float type of the array', () => {
  assert.deepEqual(castScalar(number(0.1), float32), { value: number(Math.fround(0.1)), overflow: false })
  assert.deepEqual(castScalar(number(0.1), { kind: 'float', bits: 64 })?.value, number(0.1))
})

test('FV-16: integers never wrap and never lose a fraction', () => {
  for (const value of [-1, 256, 1.5, Number.NaN, Infinity, -Infinity])
    assert.equal(castScalar(number(value), uint8), undefined)
  assert.deepEqual(castScalar(number(255), uint8)?.value, number(255))
  assert.deepEqual(castScalar(number(-0), uint8)?.value, number(0))
})

test('FV-16: a finite number may become infinite, and says so', () => {
  assert.deepEqual(castScalar(number(1e39), float32), { value: number(Infinity), overflow: true })
  assert.deepEqual(castScalar(number(Infinity), float32), { value: number(Infinity), overflow: false })
  assert.deepEqual(castScalar(number(-65520), { kind: 'float', bits: 16 }), {
    value: number(-Infinity),
    overflow: true,
  })
})

test('64-bit integers are exact', () => {
  const max: Scalar = { kind: 'bigint', value: 2n ** 63n - 1n }
  assert.deepEqual(castScalar(max, int64)?.value, max)
  assert.equal(castScalar({ kind: 'bigint', value: 2n ** 63n }, int64), undefined)
  assert.deepEqual(castScalar(number(5), int64)?.value, { kind: 'bigint', value: 5n })
  assert.deepEqual(castScalar(max, uint8), undefined)
})

test('bool takes 0 and 1 only', () => {
  assert.deepEqual(castScalar(number(1), { kind: 'bool' })?.value, { kind: 'bool', value: true })
  assert.equal(castScalar(number(2), { kind: 'bool' }), undefined)
  assert.deepEqual(castScalar({ kind: 'string', value: '0' }, { kind: 'bool' })?.value, { kind: 'bool', value: false })
})

test('text is read as a number by number types, and a real number as a complex one', () => {
  assert.deepEqual(castScalar({ kind: 'string', value: '-1.5' }, float32)?.value, number(-1.5))
  assert.deepEqual(castScalar({ kind: 'bytes', value: Buffer.from('7\0') }, uint8)?.value, number(7))
  assert.equal(castScalar({ kind: 'string', value: 'none' }, float32), undefined)
  assert.deepEqual(castScalar(number(2), { kind: 'complex', bits: 64 })?.value, { kind: 'complex', value: [2, 0] })
  assert.deepEqual(castScalar({ kind: 'complex', value: [2, 0] }, uint8)?.value, number(2))
  assert.equal(castScalar({ kind: 'complex', value: [2, 1] }, float32), undefined)
})

test('text of fixed length refuses what is too long, and knows no padding', () => {
  const two: DataType = { kind: 'fixed-text', encoding: 'bytes', length: 2 }
  assert.deepEqual(castScalar({ kind: 'string', value: 'a\0\0\0' }, two)?.value, {
    kind: 'bytes',
    value: Uint8Array.of(97),
  })
  assert.equal(castScalar({ kind: 'string', value: 'abc' }, two), undefined)
  const wide: DataType = { kind: 'fixed-text', encoding: 'utf-32', length: 8 }
  assert.deepEqual(castScalar({ kind: 'string', value: '😀é' }, wide)?.value, { kind: 'string', value: '😀é' })
  assert.equal(castScalar({ kind: 'string', value: 'abc' }, wide), undefined)
})

test('V2-2: the extremes of the types', () => {
  assert.deepEqual(extremeOf({ kind: 'int', bits: 16 }), number(-32768))
  assert.deepEqual(extremeOf({ kind: 'uint', bits: 64 }), { kind: 'bigint', value: 2n ** 64n - 1n })
  assert.deepEqual(extremeOf(float32), number(Number.NaN))
  assert.equal(extremeOf({ kind: 'string' }), undefined)
})

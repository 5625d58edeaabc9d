import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scalarFromText } from '../../src/fill-value/from-text.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'

const complex128: DataType = { kind: 'complex', bits: 128 }

function complex(text: string): readonly [number, number] | string {
  const read = scalarFromText(text, complex128)
  return read.kind === 'ok' && read.value.kind === 'complex' ? read.value.value : read.kind
}

test('FV-TIFF-4: complex text is a real number, or a+bj', () => {
  assert.deepEqual(complex('1.5'), [1.5, 0])
  assert.deepEqual(complex('1+2j'), [1, 2])
  assert.deepEqual(complex('-1e-3-2.5e+4j'), [-1e-3, -2.5e4])
  assert.deepEqual(complex('nan+infj'), [Number.NaN, Infinity])
  for (const text of ['1+2', '1+2i', '(1+2j)', '1+j', 'j', '1e+5j', '1++2j', '1 + 2j'])
    assert.equal(complex(text), 'error', text)
})

test('an exponent of a billion costs nothing', () => {
  const int64: DataType = { kind: 'int', bits: 64 }
  assert.deepEqual(scalarFromText('1e999999999', int64), { kind: 'error', reason: 'out-of-range' })
  assert.deepEqual(scalarFromText('1e-999999999', int64), { kind: 'error', reason: 'not-representable' })
  assert.deepEqual(scalarFromText('0e999999999', int64), {
    kind: 'ok',
    value: { kind: 'bigint', value: 0n },
    overflow: false,
  })
  assert.deepEqual(scalarFromText(`1${'0'.repeat(1000)}e-1000`, int64), {
    kind: 'ok',
    value: { kind: 'bigint', value: 1n },
    overflow: false,
  })
})

test('FV-TIFF-4: an exponent that leaves digits out spells a double, as GDAL prints the extremes of 64 bits', () => {
  const read = (text: string, kind: 'int' | 'uint', bits: 8 | 16 | 32 | 64 = 64) => {
    const scalar = scalarFromText(text, { kind, bits })
    if (scalar.kind === 'error') return scalar.reason
    return scalar.kind === 'ok' && 'value' in scalar.value ? BigInt(scalar.value.value as number | bigint) : scalar.kind
  }
  const lowest = -(2n ** 63n)
  for (const text of [
    '-9.2233720368547758e+18', // %.17g
    '-9.2233720368547758E+018', // Microsoft's
    '-9.22337203685477581e+18', // %.18g
    '-9.223372036854776e+18', // Python's repr
    '-922337203685477.58e4',
    '-9.223372036854775808e+18',
    '-9223372036854775808',
    '-9223372036854775808.000',
    '-9223372036854775808e0',
    '-92233720368547758080e-1',
  ]) {
    assert.equal(read(text, 'int'), lowest, text)
    assert.equal(read(text, 'uint'), 'out-of-range', text)
    assert.equal(read(text, 'int', 32), 'out-of-range', text)
    assert.equal(read(text.slice(1), 'uint'), 2n ** 63n, text)
    assert.equal(read(text.slice(1), 'int'), 'out-of-range', text)
  }
  // Digits down to the units are meant as they stand, whether a double can hold them or not.
  for (const text of ['9007199254740993', '9.007199254740993e15', '9007199254740993.0', '0.9007199254740993e+16'])
    assert.equal(read(text, 'int'), 2n ** 53n + 1n, text)
  for (const text of ['9223372036854775807', '9.223372036854775807e18', '9223372036854775807.'])
    assert.equal(read(text, 'int'), 2n ** 63n - 1n, text)
  for (const text of ['18446744073709551615', '1.8446744073709551615e19', '1844674407370955161500e-2'])
    assert.equal(read(text, 'uint'), 2n ** 64n - 1n, text)
  for (const text of ['1.8446744073709552e+19', '1.8446744073709551616e19', '18446744073709551616'])
    assert.equal(read(text, 'uint'), 'out-of-range', text)
  for (const [text, value] of [
    ['1e18', 10n ** 18n],
    ['-1e+17', -(10n ** 17n)],
    ['2.5e1', 25n],
    ['100e-2', 1n],
  ] as const)
    assert.equal(read(text, 'int'), value, text)
  assert.equal(read('9223372036854775807.5', 'int'), 'not-representable')
  assert.equal(read('4.294967295e9', 'uint', 32), 2n ** 32n - 1n)
  assert.equal(read('-2.147483648e9', 'int', 32), -(2n ** 31n))
})

test('hostile text takes linear time', () => {
  const start = processorMilliseconds()
  for (const text of [
    '1'.repeat(1e6),
    `${' '.repeat(1e6)}x${' '.repeat(1e6)}`,
    `${'1+'.repeat(5e5)}j`,
    '\0'.repeat(1e6),
  ]) {
    assert.notEqual(scalarFromText(text, complex128).kind, 'ok')
  }
  assert.ok(processorMilliseconds() - start < 2000)
})

test('times are counts, or NaT', () => {
  const type: DataType = { kind: 'datetime', unit: 's', scale: 1 }
  const nat = { kind: 'ok', value: { kind: 'bigint', value: -(2n ** 63n) }, overflow: false }
  assert.deepEqual(scalarFromText('NaT', type), nat)
  assert.deepEqual(scalarFromText('1.5', type), { kind: 'error', reason: 'not-representable' })
})

test('text types take text as it is', () => {
  assert.deepEqual(scalarFromText(' a ', { kind: 'string' }), {
    kind: 'ok',
    value: { kind: 'string', value: ' a ' },
    overflow: false,
  })
  const three: DataType = { kind: 'fixed-text', encoding: 'bytes', length: 3 }
  assert.equal(scalarFromText('four', three).kind, 'error')
})

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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numbersNamed, orderedNumbers } from '../../src/service/values/numbers.ts'
import { Tally } from '../../src/service/values/tally.ts'

const FLOAT = { kind: 'float', bits: 64 } as const

test('sums keep what rounding would take: a great number that comes and goes leaves the small ones', () => {
  const tally = new Tally(FLOAT, new Set())
  tally.add(Float64Array.of(1, 1e100, 1, -1e100))
  assert.equal(tally.mean, 0.5)
  const many = new Tally(FLOAT, new Set())
  for (let part = 0; part < 100; part++) many.add(new Float64Array(10_000).fill(0.1))
  assert.equal(many.mean, 0.1)
})

test('NaN and sentinels are missing, infinities are values', () => {
  const tally = new Tally(FLOAT, new Set([-9999]))
  tally.add(Float64Array.of(Number.NaN, -9999, 3, Number.POSITIVE_INFINITY))
  assert.deepEqual([tally.missing, tally.valid], [2, 2])
  assert.deepEqual([tally.least, tally.greatest, tally.mean], [3, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
  tally.add(Float64Array.of(Number.NEGATIVE_INFINITY))
  assert.ok(Number.isNaN(tally.mean))
})

test('where all is missing nothing is least, greatest or the mean', () => {
  for (const [type, numbers] of [
    [FLOAT, Float64Array.of(Number.NaN, 0)],
    [{ kind: 'int', bits: 64 }, BigInt64Array.of(0n, 0n)],
  ] as const) {
    const tally = new Tally(type, numbersNamed(['0'], type))
    tally.add(numbers)
    assert.deepEqual([tally.missing, tally.valid], [2, 0])
    assert.deepEqual([tally.least, tally.greatest, tally.mean], [undefined, undefined, undefined])
  }
})

test('whole numbers of 64 bits are compared and added exactly, and no time is missing', () => {
  const most = 2n ** 63n - 1n
  const tally = new Tally({ kind: 'int', bits: 64 }, new Set())
  tally.add(BigInt64Array.of(most, most - 1n, -most))
  assert.deepEqual([tally.least, tally.greatest], [-most, most])
  assert.equal(tally.mean, Number(most - 1n) / 3)
  const times = new Tally({ kind: 'datetime', unit: 's', step: 1 } as never, new Set())
  times.add(BigInt64Array.of(-(2n ** 63n), 5n))
  assert.deepEqual([times.missing, times.least], [1, 5n])
})

test('elements are read as their type has them, wherever they lie in memory', () => {
  const bytes = new Uint8Array(21)
  new DataView(bytes.buffer).setFloat64(5, 1.5, true)
  new DataView(bytes.buffer).setFloat64(13, -2.5, true)
  assert.deepEqual(orderedNumbers(bytes.subarray(5), FLOAT), Float64Array.of(1.5, -2.5))
  assert.deepEqual(orderedNumbers(Uint8Array.of(1, 0), { kind: 'bool' }), Uint8Array.of(1, 0))
  assert.equal(orderedNumbers(new Uint8Array(8), { kind: 'complex', bits: 64 }), undefined)
})

test('sentinels of the other sign are those of the same bits', () => {
  assert.deepEqual(numbersNamed(['-1', '255'], { kind: 'uint', bits: 8 }), new Set([255]))
  assert.deepEqual(numbersNamed(['"NaN"', '-9999.0'], { kind: 'float', bits: 32 }), new Set([Number.NaN, -9999]))
  assert.deepEqual(numbersNamed(['18446744073709551615'], { kind: 'int', bits: 64 }), new Set([-1n]))
})

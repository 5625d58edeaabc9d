import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planChunking } from '../../../src/formats/netcdf3/chunking.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'

const MIB = 2 ** 20

function fixed(shape: number[], item: number, isText = false) {
  const slab = shape.reduce((product, length) => product * length, item)
  return planChunking({ shape, begin: 0, slab, records: undefined }, item, isText)?.shape
}

function recorded(shape: number[], item: number, stride: number, isText = false) {
  const [count = 0, ...inner] = shape
  const slab = inner.reduce((product, length) => product * length, item)
  return planChunking({ shape, begin: 0, slab, records: { count, stride } }, item, isText)
}

test('a variable of up to 4 MiB is one chunk', () => {
  assert.deepEqual(fixed([1024, 1024], 4), [1024, 1024])
  assert.deepEqual(fixed([], 8), [])
})

test('a larger variable is cut along its leading axes into chunks of 1 to 4 MiB that divide the axis', () => {
  assert.deepEqual(fixed([8192, 8192], 4), [128, 8192])
  assert.deepEqual(fixed([100, 721, 1440], 4), [1, 721, 1440])
  assert.deepEqual(fixed([12, 3000, 5000], 4), [1, 200, 5000])
  assert.deepEqual(fixed([6_000_000], 8), [500_000])
})

test('an axis without a good divisor is cut into nearly equal chunks', () => {
  // 1009 is prime: ten chunks of 101, of which the last has 100.
  assert.deepEqual(fixed([1009, 10_000], 4), [101, 10_000])
  const [length = 0] = fixed([1_000_003], 8) ?? []
  assert.deepEqual(length, Math.ceil(1_000_003 / 2))
})

test('cutting a very long axis takes no time', () => {
  const before = processorMilliseconds()
  for (let i = 0; i < 1000; i++) fixed([2 ** 52 - 1 - i], 1)
  assert.ok(processorMilliseconds() - before < 500)
})

test('the strings of a text variable are not cut', () => {
  assert.deepEqual(fixed([1000, 5 * MIB], 1, true), [1, 5 * MIB])
  assert.deepEqual(fixed([5 * MIB], 1, true), [5 * MIB])
  assert.equal(fixed([2, 100 * MIB], 1, true), undefined)
})

test('small records are gathered, so that their span is at most 4 MiB', () => {
  const plan = recorded([1000, 50, 50], 4, 65_536)
  assert.deepEqual(plan, { shape: [50, 50, 50], gathered: true })
})

test('records that lie side by side are cut like a fixed variable', () => {
  assert.deepEqual(recorded([1000, 1024], 4, 4096), { shape: [1000, 1024], gathered: false })
})

test('a record of more than 4 MiB is cut within', () => {
  assert.deepEqual(recorded([7, 2000, 2000], 4, 20_000_000), { shape: [1, 500, 2000], gathered: false })
})

test('a record of 1 MiB among larger ones is a chunk of its own', () => {
  assert.deepEqual(recorded([7, 512, 512], 4, 50 * MIB), { shape: [1, 512, 512], gathered: true })
})

test('the tiny slabs of huge records are gathered by the hundred', () => {
  assert.deepEqual(recorded([8760], 8, 50 * MIB), { shape: [219], gathered: true })
  assert.deepEqual(recorded([100], 8, 50 * MIB), { shape: [100], gathered: true })
})

test('one character a record is one string', () => {
  assert.deepEqual(recorded([2000], 1, 50 * MIB, true), { shape: [2000], gathered: true })
  assert.deepEqual(recorded([30_000_000], 1, 2, true), { shape: [30_000_000], gathered: true })
  assert.equal(recorded([100_000], 1, 50 * MIB, true), undefined)
})

test('an array without records has chunks of length 1', () => {
  assert.deepEqual(recorded([0, 5], 4, 64)?.shape, [1, 5])
  assert.deepEqual(recorded([0], 1, 1, true)?.shape, [1])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { parseHeader } from '../../../src/formats/netcdf3/header.ts'
import { layoutOf, type VariableLayout } from '../../../src/formats/netcdf3/layout.ts'
import { header, type TestHeader, type TestVariable } from './build.ts'

const DIMS = [
  { name: 't', length: 0 },
  { name: 'x', length: 5 },
  { name: 'huge', length: 2 ** 31 - 8 },
]

function layout(variables: TestVariable[], more: TestHeader = {}, size = 2 ** 40): VariableLayout[] {
  const bytes = header({ records: 4, dims: DIMS, variables, ...more })
  return layoutOf(parseHeader(bytes, size), size)
}

function variable(name: string, type: number, dims: number[], begin: number): TestVariable {
  return { name, type, dims, begin }
}

function refuses(variables: TestVariable[], message: RegExp, more: TestHeader = {}) {
  assert.throws(
    () => layout(variables, more),
    (error) => isVirtualZarrError(error, 'malformed-source') && message.test(error.message),
  )
}

test('the slabs of a record are padded to four bytes each', () => {
  const [bytes, shorts, doubles] = layout([
    variable('bytes', 1, [0, 1], 1000),
    variable('shorts', 3, [0, 1], 1008),
    variable('doubles', 6, [0], 1020),
  ])
  assert.deepEqual(bytes, { shape: [4, 5], begin: 1000, slab: 5, records: { count: 4, stride: 28 } })
  assert.deepEqual(shorts, { shape: [4, 5], begin: 1008, slab: 10, records: { count: 4, stride: 28 } })
  assert.deepEqual(doubles, { shape: [4], begin: 1020, slab: 8, records: { count: 4, stride: 28 } })
})

test('a record variable that is the only one is packed, whatever its type', () => {
  for (const [type, size] of [
    [1, 5],
    [2, 5],
    [3, 10],
    [6, 40],
  ] as const) {
    const [only] = layout([variable('v', type, [0, 1], 1000), variable('fixed', 4, [1], 600)])
    assert.deepEqual(only?.records, { count: 4, stride: size })
  }
})

test('a fixed variable has no records, and a scalar has one value', () => {
  assert.deepEqual(layout([variable('v', 5, [1], 1000), variable('s', 6, [], 1020)]), [
    { shape: [5], begin: 1000, slab: 20, records: undefined },
    { shape: [], begin: 1020, slab: 8, records: undefined },
  ])
})

test('a number of records that is not known comes from the size of the file', () => {
  const pair = [variable('a', 1, [0], 1000), variable('b', 1, [0, 1], 1004)]
  const records = (size: number) => layout(pair, { records: -1 }, size)[0]?.records?.count
  assert.equal(records(1000 + 12 * 3), 3)
  assert.equal(records(1000 + 12 * 3 - 3), 3, 'the padding of the last value is missing')
  assert.equal(records(1000 + 12 * 3 - 4), 2, 'the last value is missing')
  assert.equal(records(1000), 0)
  assert.equal(records(600), 0)
})

test('variables may lie in any order', () => {
  assert.equal(layout([variable('a', 4, [1], 2000), variable('b', 4, [1], 1000)]).length, 2)
})

test('variables that lie on each other, or in the header, are malformed', () => {
  refuses(
    [variable('a', 4, [1], 1000), variable('b', 4, [1], 1016)],
    /"b" begins at 1016, inside of "a" that ends at 1020/,
  )
  refuses([variable('a', 1, [1], 1000), variable('b', 1, [1], 1005)], /inside of "a"/)
  refuses([variable('a', 4, [1], 8)], /inside of "the header"/)
  refuses([variable('a', 4, [0], 1000), variable('b', 4, [0], 1000)], /inside of "a"/)
  refuses([variable('a', 4, [0], 1000), variable('fixed', 4, [1], 1012)], /inside of "the records"/)
  refuses([variable('a', 4, [0], 1000), variable('b', 4, [0], 1400)], /"b" reaches out of its record of 8 bytes/)
})

test('sizes beyond 2^53 are malformed', () => {
  refuses([variable('v', 6, [2, 2], 1000)], /"v" takes more than 2\^53 bytes/)
  const records = [variable('a', 6, [0, 2], 1000), variable('b', 6, [0], 1000 + 8 * (2 ** 31 - 8))]
  refuses(records, /records of 17179869128 bytes take more than 2\^53/, { records: 2 ** 32 - 2 })
})

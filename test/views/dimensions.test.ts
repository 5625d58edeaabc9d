import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member, VirtualNode } from '../../src/model/virtual-store.ts'
import { withDimensionNames } from '../../src/views/dimensions.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'
import { listener, virtualArray, virtualGroup } from '../helpers/virtual-array.ts'

type Dims = readonly (string | null)[] | undefined

function array(shape: readonly number[], dimensionNames?: Dims): Member {
  return virtualArray({ shape, dimensionNames })
}

function namesIn(root: VirtualNode, path = ''): Record<string, Dims> {
  if (root.kind === 'array') return { [path]: root.dimensionNames }
  const entries = [...root.members].map(([name, member]) =>
    member.kind === 'skipped' ? {} : namesIn(member, path === '' ? name : `${path}/${name}`),
  )
  return Object.assign({}, ...entries)
}

function named(members: Record<string, Member>, sharedLengths = true) {
  const heard = listener()
  const group = virtualGroup(members)
  const root = withDimensionNames(sharedLengths ? group : { ...group, lengthsDiffer: true }, heard.warn)
  return { names: namesIn(root), codes: heard.codes(), seen: heard.seen }
}

test('DM-3: invented names go by length, and an array never uses one twice', () => {
  const { names } = named({ a: array([10, 20]), b: array([20]), c: array([10, 10]), d: array([10]) })
  assert.deepEqual(names, {
    a: ['phony_dim_0', 'phony_dim_1'],
    b: ['phony_dim_1'],
    c: ['phony_dim_0', 'phony_dim_2'],
    d: ['phony_dim_0'],
  })
})

test('DM-1: null, empty and absent names are invented, and invented ones keep clear of real ones', () => {
  const { names, codes } = named({ a: array([3, 4], [null, '']), b: array([5], ['phony_dim_0']), c: array([], []) })
  assert.deepEqual(names, { a: ['phony_dim_1', 'phony_dim_2'], b: ['phony_dim_0'], c: [] })
  assert.deepEqual(codes, [])
})

test('DM-2: one name has one length in a group; the coordinate of that name keeps it', () => {
  const { names, codes, seen } = named({ v: array([7, 3], ['x', 'y']), w: array([7], ['x']), x: array([5], ['x']) })
  assert.deepEqual(names, { v: ['x_2', 'y'], w: ['x_2'], x: ['x'] })
  assert.deepEqual(codes, ['dimension-renamed', 'dimension-renamed'])
  assert.equal(seen[0]?.path, 'v')
})

test('a name that an array uses twice gets a number, the same one in every array', () => {
  const { names } = named({ a: array([4, 4, 4], ['x', 'x', 'x']), b: array([4, 4], ['x', 'x']) })
  assert.deepEqual(names, { a: ['x', 'x_2', 'x_3'], b: ['x', 'x_2'] })
})

test('a number never makes a name that the source uses for something else', () => {
  const { names } = named({ a: array([4, 4], ['x', 'x']), b: array([9], ['x_2']) })
  assert.deepEqual(names, { a: ['x', 'x_3'], b: ['x_2'] })
})

test('a dimension that is called like a scalar variable is renamed, as xarray can not open it', () => {
  const { names } = named({ time: array([], []), v: array([4], ['time']) })
  assert.deepEqual(names, { time: [], v: ['time_2'] })
})

test('DM-2: layout=ifd keeps one name for several lengths', () => {
  const { names, codes } = named({ 0: array([8, 8], ['y', 'x']), 1: array([4, 4], ['y', 'x']) }, false)
  assert.deepEqual(names, { 0: ['y', 'x'], 1: ['y', 'x'] })
  assert.deepEqual(codes, [])
})

test('invented names keep one length on the way from the root, names of the source are only reported', () => {
  const below = virtualGroup({ b: array([7, 5]), c: array([6], ['x']) })
  const { names, codes } = named({ a: array([5]), v: array([2], ['x']), g: below })
  assert.deepEqual(names, { a: ['phony_dim_0'], v: ['x'], 'g/b': ['phony_dim_1', 'phony_dim_0'], 'g/c': ['x'] })
  assert.deepEqual(codes, ['dimension-not-aligned'])
})

test('a root array is named too', () => {
  const { warn } = listener()
  const root = withDimensionNames(virtualArray({ shape: [2, 2], dimensionNames: ['x', 'x'] }), warn)
  assert.deepEqual(namesIn(root), { '': ['x', 'x_2'] })
})

test('thousands of arrays of different lengths are named in reasonable time', () => {
  const start = processorMilliseconds()
  const members = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [
      `v${index}`,
      array([index + 1, index + 2], index % 2 ? ['x', null] : undefined),
    ]),
  )
  const { names } = named(members)
  assert.equal(Object.keys(names).length, 20_000)
  assert.ok(processorMilliseconds() - start < 4000)
})

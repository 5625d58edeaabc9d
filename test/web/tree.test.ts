import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArrayInfo, Inspection } from '../../web/src/service/types.ts'
import { mainArray, treeOf } from '../../web/src/store/nodes.ts'
import { afterKey, firstOpen, rowsOf } from '../../web/src/store/tree-rows.ts'

function array(names: readonly string[], shape: readonly number[], more: Partial<ArrayInfo> = {}): ArrayInfo {
  const text = { edges: 'padded' as const, fill_value: 0, fill_value_from: '', data_type: 'float32' }
  const lists = {
    codecs: [],
    stored: [],
    delivery: [],
    sentinels: [],
    chunk_shape: shape,
    chunk_grid: shape.map(() => 1),
  }
  return { ...text, ...lists, dimension_names: names, shape, attributes: {}, ...more }
}

function store(arrays: Readonly<Record<string, ArrayInfo>>, groups: readonly string[] = ['']): Inspection {
  const all = Object.fromEntries(groups.map((path) => [path, { attributes: {} }]))
  return { source: '', format: '', version: '', groups: all, arrays, skipped: {}, warnings: [] }
}

test('a tree lists each group before what is in it, and groups that only paths name', () => {
  const nodes = treeOf(store({ 'g/h/a': array(['x'], [2]), b: array(['x'], [2]) }))
  assert.deepEqual(
    nodes.map(({ path, depth, kind }) => [path, depth, kind]),
    [
      ['', 0, 'group'],
      ['b', 1, 'array'],
      ['g', 1, 'group'],
      ['g/h', 2, 'group'],
      ['g/h/a', 3, 'array'],
    ],
  )
})

test('closed groups hide what is below them; a search finds it there, with the way to it', () => {
  const nodes = treeOf(store({ 'g/h/Alpha': array(['x'], [2]), b: array(['x'], [2]) }))
  const shown = (open: readonly string[], search = '') => rowsOf(nodes, new Set(open), search).map(({ path }) => path)
  assert.deepEqual(shown([]), [''])
  assert.deepEqual(shown(['', 'g']), ['', 'b', 'g', 'g/h'])
  assert.deepEqual(shown([], 'alph'), ['', 'g', 'g/h', 'g/h/Alpha'])
  assert.deepEqual(shown([], 'nothing'), [])
})

test('the keys of a tree move, open and close', () => {
  const nodes = treeOf(store({ 'g/a': array(['x'], [2]) }))
  const open = new Set([''])
  const rows = rowsOf(nodes, open, '')
  assert.deepEqual(afterKey('ArrowDown', rows, 0, open), { at: 1 })
  assert.deepEqual(afterKey('ArrowDown', rows, 1, open), { at: 1 })
  assert.deepEqual(afterKey('ArrowRight', rows, 1, open), { toggle: 'g' })
  assert.deepEqual(afterKey('ArrowLeft', rows, 1, open), { at: 0 })
  assert.deepEqual(afterKey('ArrowLeft', rows, 0, open), { toggle: '' })
  assert.deepEqual(afterKey('End', rows, 0, open), { at: 1 })
  assert.equal(afterKey('x', rows, 0, open), undefined)
})

test('25,000 nodes are a tree in less than half a second, and start closed', () => {
  const arrays = Object.fromEntries(
    Array.from({ length: 25_000 }, (_, at) => [`g${at % 50}/s${at % 500}/a${at}`, array(['x'], [1])]),
  )
  const before = process.cpuUsage()
  const nodes = treeOf(store(arrays))
  const open = firstOpen(nodes)
  assert.equal(rowsOf(nodes, open, '').length, 51)
  assert.equal(rowsOf(nodes, open, 'a24999').length, 4)
  const { user } = process.cpuUsage(before)
  assert.ok(user < 500_000, `${user / 1000} ms`)
  assert.equal(nodes.length, 1 + 50 + 500 + 25_000)
})

test('the array shown first is the fullest of numbers that is no coordinate of others', () => {
  const arrays = {
    lat: array(['lat'], [900]),
    time_bounds: array(['time', 'bnds'], [9000, 2]),
    names: array(['time', 'lat', 'lon'], [9, 90, 90], { data_type: 'string' }),
    nav: array(['time', 'lat', 'lon'], [9, 99, 99]),
    sst: array(['time', 'lat', 'lon'], [9, 90, 90], { attributes: { coordinates: 'nav', bounds: '' } }),
    '1/sst': array(['time', 'lat', 'lon'], [9, 45, 45]),
  }
  assert.equal(mainArray(store(arrays)), 'sst')
  assert.equal(mainArray(store({})), undefined)
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findChunk } from '../../src/compose/find-chunk.ts'
import type { Dataset, DatasetVariable } from '../helpers/netcdf-dataset.ts'
import { JoinWorld, month, numbers } from './helpers.ts'

describe('align: outer', () => {
  const world = new JoinWorld()
  before(() => world.start())
  after(() => world.close())

  const sources = (...names: readonly string[]) => ({ sources: names, along: 'time', align: 'outer' })
  const N = Number.NaN

  test('sources of other coordinates stand among those of all, and what none has reads as missing', async () => {
    world.put('a.nc', month('2000-01-01', 2, { lat: [0, 10, 20] }))
    world.put('b.nc', month('2000-01-03', 1, { lat: [10, 20, 30], first: 100 }))
    world.put('c.nc', month('2000-01-04', 1, { lat: [5, 10, 40], first: 200 }))
    world.put('d.nc', month('2000-01-05', 1, { lat: [0, 20], first: 300 }))
    const store = world.join(sources('a.nc', 'b.nc', 'c.nc', 'd.nc'))
    assert.deepEqual(await numbers(store, 'lat'), [0, 5, 10, 20, 30, 40])
    assert.deepEqual(await numbers(store, 'time'), [0, 1, 2, 3, 4])
    assert.deepEqual(await numbers(store, 't'), [
      ...[0, N, 1, 2, N, N],
      ...[10, N, 11, 12, N, N],
      ...[N, N, 100, 101, 102, N],
      ...[N, 200, 201, N, N, 202],
      ...[300, N, N, 301, N, N],
    ])
    const exact = world.join({ ...sources('a.nc', 'b.nc'), align: 'exact' })
    await assert.rejects(exact.describe(), { message: /the values of lat differ between .*a\.nc and .*b\.nc/ })
  })

  test('descending coordinates stay descending; one file the other way round is refused by name', async () => {
    world.put('down1.nc', month('2000-01-01', 1, { lat: [20, 10, 0] }))
    world.put('down2.nc', month('2000-01-02', 1, { lat: [30, 20], first: 100 }))
    const store = world.join(sources('down1.nc', 'down2.nc'))
    assert.deepEqual(await numbers(store, 'lat'), [30, 20, 10, 0])
    assert.deepEqual(await numbers(store, 't'), [N, 0, 1, 2, 100, 101, N, N])
    await assert.rejects(world.join(sources('a.nc', 'down1.nc')).describe(), {
      code: 'malformed-source',
      message: /lat ascends in .*a\.nc and descends in .*down1\.nc/,
    })
    world.put('mixed.nc', month('2000-01-02', 1, { lat: [0, 20, 10] }))
    await assert.rejects(world.join(sources('a.nc', 'mixed.nc')).describe(), { message: /in no order in .*mixed\.nc/ })
  })

  test('chunks that are whole chunks of one source are passed on', async () => {
    const lat = (from: number) => Array.from({ length: 4 }, (_none, at) => from + at)
    world.put('low.nc', month('2000-01-01', 1, { lat: lat(0) }))
    world.put('high.nc', month('2000-01-02', 1, { lat: lat(4), first: 100 }))
    const store = world.join(sources('low.nc', 'high.nc'))
    assert.deepEqual(await numbers(store, 't'), [0, 1, 2, 3, N, N, N, N, N, N, N, N, 100, 101, 102, 103])
    const node = (await store.describe()).store.nodes.get('t')
    assert(node?.kind === 'array')
    assert.deepEqual(node.array.chunkShape, [1, 4])
    assert.equal(await store.chunk('t', [0, 1]), undefined, 'nothing is stored there')
    const found = await findChunk(node.array, [1, 1], undefined)
    assert(found.kind === 'stored')
    assert.deepEqual([found.ref.kind, found.file], ['range', 1])
  })

  test('whole numbers that can not say "missing" are refused, those that can are padded with that', async () => {
    const withCount = (lat: readonly number[], attributes: Readonly<Record<string, number>>): Dataset => {
      const n: DatasetVariable = {
        dims: ['time', 'lat'],
        type: 'short',
        values: lat.map((_none, at) => at + 1),
        attributes,
      }
      return month('2000-01-01', 1, { lat, variables: { n } })
    }
    world.put('i1.nc', withCount([0, 1], {}))
    world.put('i2.nc', withCount([1, 2], {}))
    await assert.rejects(world.join(sources('i1.nc', 'i2.nc')).describe(), {
      code: 'malformed-source',
      message: /n would be padded, and in .*i1\.nc no value of it says that it is missing/,
    })
    world.put('m1.nc', withCount([0, 1], { _FillValue: -9 }))
    world.put('m2.nc', withCount([1, 2], { _FillValue: -9 }))
    assert.deepEqual(await numbers(world.join(sources('m1.nc', 'm2.nc')), 'n'), [1, 2, -9, -9, 1, 2])
  })

  test('times of runs that begin later count from one date, and stand among all times', async () => {
    for (const run of [1, 2]) {
      world.put(`run_${run}.nc`, month(`2000-01-0${run}`, 3, { first: 100 * run }))
    }
    const store = world.join({
      sources: ['run_1.nc', 'run_2.nc'],
      along: { new: 'run', from: 'run_(\\d+)' },
      align: 'outer',
    })
    assert.deepEqual(await numbers(store, 'time'), [0, 1, 2, 3])
    assert.deepEqual((await store.document('t'))['shape'], [2, 4, 2])
    assert.deepEqual(await numbers(store, 't'), [
      ...[100, 101, 110, 111, 120, 121, N, N],
      ...[N, N, 200, 201, 210, 211, 220, 221],
    ])
  })

  test('variables that describe the grid are put together, and must agree where they meet', async () => {
    const withBounds = (lat: readonly number[], shift = 0): Dataset => {
      const variables: Record<string, DatasetVariable> = {
        lat_bnds: { dims: ['lat', 'nv'], type: 'float', values: lat.flatMap((at) => [at - 5, at + 5 + shift]) },
      }
      const made = month('2000-01-01', 1, { lat, variables })
      return { ...made, dims: { ...made.dims, nv: 2 } }
    }
    world.put('b1.nc', withBounds([0, 10]))
    world.put('b2.nc', withBounds([10, 20]))
    world.put('b3.nc', withBounds([10, 20], 1))
    const store = world.join(sources('b1.nc', 'b2.nc'))
    assert.deepEqual(await numbers(store, 'lat_bnds'), [-5, 5, 5, 15, 15, 25])
    await assert.rejects(world.join(sources('b1.nc', 'b3.nc')).describe(), {
      message: /the values of lat_bnds differ between .*b1\.nc and .*b3\.nc/,
    })
  })
})

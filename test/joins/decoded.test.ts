import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { object } from '../corpus/golden.ts'
import type { DatasetVariable } from '../helpers/netcdf-dataset.ts'
import { JoinWorld, month, numbers } from './helpers.ts'

describe('packing=decoded', () => {
  const world = new JoinWorld()
  before(() => world.start())
  after(() => world.close())
  const N = Number.NaN

  const packed = (
    attributes: Readonly<Record<string, string | number>>,
    values: readonly number[],
  ): DatasetVariable => ({
    dims: ['time'],
    type: 'short',
    values,
    attributes,
  })

  test('PACK-6: files of any packing are served as what they mean, in one float type', async () => {
    const first = packed({ scale_factor: 0.25, _FillValue: -1 }, [1, -1])
    const other = packed({ scale_factor: 0.5, _FillValue: -2 }, [1, -2])
    world.put('p1.nc', month('2000-01-01', 2, { variables: { p: first } }))
    world.put('p2.nc', month('2000-01-03', 2, { variables: { p: other } }))
    const document = { sources: ['p1.nc', 'p2.nc'], along: 'time' }
    world.join(document, 'packed.json')
    const store = world.open('packed.json', { packing: 'decoded' })
    assert.deepEqual(await numbers(store, 'p'), [0.25, N, 0.5, N])
    const about = await store.document('p')
    assert.equal(about['data_type'], 'float64')
    assert.equal(about['fill_value'], 'NaN')
    assert.deepEqual({ ...object(about['attributes']) }, {})
    assert.deepEqual(await numbers(store, 'time'), [0, 1, 2, 3])
    assert.deepEqual(await numbers(store, 't'), [0, 1, 10, 11, 0, 1, 10, 11])
    // -1 may be a number of either, in the packing of the first.
    assert.deepEqual(await numbers(world.open('packed.json'), 'p'), [1, -(2 ** 31), 2, -(2 ** 31)])
  })

  test('factors that are texts count as the numbers they spell, in joins and decoded', async () => {
    world.put('t1.nc', month('2000-01-01', 1, { variables: { p: packed({ scale_factor: '0.5' }, [3]) } }))
    world.put('t2.nc', month('2000-01-02', 1, { variables: { p: packed({ scale_factor: 1 }, [3]) } }))
    world.join({ sources: ['t1.nc', 't2.nc'], along: 'time' }, 'texts.json')
    assert.deepEqual(await numbers(world.open('texts.json'), 'p'), [3, 6])
    assert.deepEqual(await numbers(world.open('texts.json', { packing: 'decoded' }), 'p'), [1.5, 3])
  })

  test('several sentinels, and those of the other sign, are missing; without packing or sentinel nothing changes', async () => {
    const variables: Record<string, DatasetVariable> = {
      signed: { dims: ['time'], type: 'byte', values: [-1, -2], attributes: { _Unsigned: 'true', _FillValue: -1 } },
      unsigned: { dims: ['time'], type: 'byte', values: [-1, 2], attributes: { _Unsigned: 'true' } },
      plain: { dims: ['time'], type: 'short', values: [1, 2] },
    }
    world.put('s.nc', month('2000-01-01', 2, { variables }))
    const store = world.open('s.nc', { packing: 'decoded' })
    assert.deepEqual(await numbers(store, 'signed'), [N, 254])
    assert.deepEqual(await numbers(store, 'unsigned'), [255, 2])
    assert.equal((await store.document('unsigned'))['data_type'], 'uint8')
    assert.equal((await store.document('plain'))['data_type'], 'int16')
  })

  test('sources whose packing differs and whose bits are of the other sign keep their missing points', async () => {
    const signed = (scale: number): DatasetVariable => ({
      dims: ['time'],
      type: 'byte',
      values: [-1, 2],
      attributes: { _Unsigned: 'true', _FillValue: -1, scale_factor: scale },
    })
    world.put('u1.nc', month('2000-01-01', 2, { variables: { p: signed(0.3) } }))
    world.put('u2.nc', month('2000-01-03', 2, { variables: { p: signed(0.7) } }))
    const store = world.join({ sources: ['u1.nc', 'u2.nc'], along: 'time' })
    const values = (await numbers(store, 'p')).map((value) => Math.round(value * 1000) / 1000)
    assert.deepEqual(values, [N, 0.6, N, 1.4])
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { numbersOf } from '../../src/codecs/numbers.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { object } from '../corpus/golden.ts'
import type { DatasetVariable } from '../helpers/netcdf-dataset.ts'
import { readWithZarrita } from '../helpers/read-with-zarrita.ts'
import { JoinWorld } from '../joins/helpers.ts'

const N = Number.NaN
const FLOAT64: DataType = { kind: 'float', bits: 64 }

function packed(
  type: DatasetVariable['type'],
  values: readonly number[],
  attributes: Readonly<Record<string, string | number>>,
): DatasetVariable {
  return { dims: ['x'], type, values, attributes }
}

describe('packing=codecs', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    const variables = {
      t: packed('short', [1000, -9, 3000, 7, -32768], { scale_factor: 0.25, add_offset: 10, _FillValue: -9 }),
      u: packed('byte', [-1, 0, 100, -100, 5], { scale_factor: 2, _Unsigned: 'true', _FillValue: -1 }),
      large: packed('int', [2_000_000, 4, 5, 6, 7], { scale_factor: 1000 }),
      f: packed('float', [1.5, -9, 2.5, 3, 4], { add_offset: 1, _FillValue: -9 }),
      plain: packed('short', [1, 2, 3, 4, 5], { _FillValue: 3 }),
    }
    world.put('packed.nc', { dims: { x: 5 }, variables })
  })
  after(() => world.close())

  const read = async (path: string, options: Readonly<Record<string, string>> = {}) => {
    const values = await readWithZarrita(world.open('packed.nc', { packing: 'codecs', ...options }), path)
    assert.ok(values?.kind === 'fixed')
    return [...numbersOf(values.bytes, FLOAT64)]
  }

  for (const codecs of ['portable', 'native', 'raw']) {
    test(`COD-1, COD-2, COD-4: zarrita undoes scale, offset, sign and sentinel under codecs=${codecs}`, async () => {
      assert.deepEqual(await read('t', { codecs }), [260, N, 760, 11.75, -8182])
      assert.deepEqual(await read('u', { codecs }), [N, 0, 200, 312, 10])
      assert.deepEqual(await read('f', { codecs }), [2.5, N, 3.5, 4, 5])
    })
  }

  test('COD-1: the document has the physical type, two codecs more, and no factors', async () => {
    const document = await world.open('packed.nc', { packing: 'codecs', codecs: 'raw' }).document('t')
    assert.equal(document['data_type'], 'float64')
    assert.equal(document['fill_value'], 'NaN')
    assert.equal(object(document['attributes'])['scale_factor'], undefined)
    assert.equal(object(document['attributes'])['_FillValue'], undefined)
    const codecs = document['codecs'] as readonly { name: string; configuration: object }[]
    assert.deepEqual(
      codecs.map(({ name }) => name),
      ['scale_offset', 'cast_value', 'bytes'],
    )
    const map = { encode: [['NaN', -9]], decode: [[-9, 'NaN']] }
    const configuration = { data_type: 'int16', rounding: 'nearest-even', out_of_range: 'clamp', scalar_map: map }
    assert.equal(JSON.stringify(codecs[1]), JSON.stringify({ name: 'cast_value', configuration }))
  })

  test('COD-4: a fill value that the packed type would hold only when it is scaled does not stop readers', async () => {
    assert.deepEqual((await read('large')).slice(0, 2), [2_000_000_000, 4000])
  })

  test('what is not packed stays as it is, and parts and overviews are told alike', async () => {
    const store = world.open('packed.nc', { packing: 'codecs' })
    assert.equal((await store.document('plain'))['data_type'], 'int16')
    assert.deepEqual(await read('t', { select: 'x:2..4' }), [760, 11.75])
    assert.deepEqual(await read('t', { chunks: 'x:2' }), [260, N, 760, 11.75, -8182])
  })
})

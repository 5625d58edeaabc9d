import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Dataset } from '../helpers/netcdf-dataset.ts'
import { JoinWorld, numbers } from './helpers.ts'

const FIXTURES = new URL('../fixtures/grib/', import.meta.url)

interface Joined {
  readonly along: string
  readonly files: number
  readonly dims: readonly string[]
  readonly shape: readonly number[]
  readonly values: readonly number[]
}

const { joined } = JSON.parse(readFileSync(new URL('runs.json', FIXTURES), 'utf8')) as {
  readonly joined: Readonly<Record<string, Joined>>
}

describe('files that have one value of what they are joined along', () => {
  const world = new JoinWorld()
  before(() => world.start())
  after(() => world.close())

  for (const [name, { along, files, dims, shape, values }] of Object.entries(joined)) {
    test(`GRIB: ${name} of several files is what cfgrib and xarray.concat make of it`, async () => {
      const [stem = '', variable = ''] = name.split('/')
      const sources = Array.from({ length: files }, (_none, n) => `${stem}_${n}.grib`)
      for (const file of sources) world.origin.put(file, readFileSync(new URL(`runs/${file}`, FIXTURES)))
      const store = world.join({ sources, along })
      const { store: opened } = await store.describe()
      const path = [...opened.nodes.keys()].find((key) => key === variable || key.endsWith(`/${variable}`)) ?? ''
      const about = await store.document(path)
      assert.deepEqual([about['dimension_names'], about['shape']], [dims, shape])
      assert.deepEqual(await numbers(store, path), values)
    })
  }

  test('a single time becomes the dimension, counted from the first file’s date; it may be lazily so', async () => {
    const moment = (units: string, first: number): Dataset => ({
      dims: { x: 2 },
      variables: {
        time: { dims: [], type: 'int', values: [0], attributes: { units } },
        x: { dims: ['x'], type: 'float', values: [1, 2] },
        t: { dims: ['x'], type: 'float', values: [first, first + 1], attributes: { coordinates: 'time' } },
      },
    })
    for (let day = 1; day <= 5; day++) world.put(`s${day}.nc`, moment(`days since 2000-01-0${day}`, 10 * day))
    const store = world.join({ sources: { template: 's{n}.nc', n: '1..5' }, along: 'time' })
    world.origin.forget()
    assert.deepEqual((await store.document('t'))['dimension_names'], ['time', 'x'])
    const read = new Set(world.origin.requests.map(({ path }) => path).filter((path) => path.startsWith('/s')))
    assert.deepEqual([...read].sort(), ['/s1.nc', '/s5.nc'])
    assert.deepEqual(await numbers(store, 'time'), [0, 1, 2, 3, 4])
    assert.deepEqual(await numbers(store, 't'), [10, 11, 20, 21, 30, 31, 40, 41, 50, 51])
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { writeJson } from '../../src/json/write.ts'
import { object } from '../corpus/golden.ts'
import { putStore, v3Array, v3Group } from '../helpers/zarr-store.ts'
import { JoinWorld, month, numbers } from '../joins/helpers.ts'

const ROWS = 1030
const COLUMNS = 6

/** A grid of 1030 x 6 whose value is row * 10 + column, and a smaller one in another group of dimensions. */
function grid(attributes: Readonly<Record<string, string | number>> = {}) {
  const values = Array.from({ length: ROWS * COLUMNS }, (_, i) => Math.floor(i / COLUMNS) * 10 + (i % COLUMNS))
  const axis = (name: string, length: number, units: string) => ({
    dims: [name],
    type: 'double' as const,
    values: Array.from({ length }, (_, i) => i * 0.25),
    attributes: { units },
  })
  return {
    dims: { lat: ROWS, lon: COLUMNS, time: 4 },
    variables: {
      lat: axis('lat', ROWS, 'degrees_north'),
      lon: axis('lon', COLUMNS, 'degrees_east'),
      v: { dims: ['lat', 'lon'], type: 'short' as const, values, attributes },
      t: { dims: ['time'], type: 'int' as const, values: [5, 6, 7, 8] },
    },
  }
}

describe('views of a file', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    world.put('grid.nc', grid())
    world.put('sparse.nc', grid({ _FillValue: 0 }))
  })
  after(() => world.close())

  const rejects = async (path: string, options: Readonly<Record<string, string>>, words: RegExp) => {
    await assert.rejects(world.open(path, options).document(''), (error: Error & { code?: string }) => {
      assert.match(error.message, words)
      assert.equal(error.code, 'invalid-request')
      return true
    })
  }

  test('select takes a part of every array that has the dimension, and says where it lies', async () => {
    const store = world.open('grid.nc', { select: 'lat:2..4,lon:1..' })
    assert.deepEqual(await numbers(store, 'v'), [21, 22, 23, 24, 25, 31, 32, 33, 34, 35])
    assert.deepEqual(await numbers(store, 'lat'), [0.5, 0.75])
    assert.deepEqual(await numbers(store, 't'), [5, 6, 7, 8])
    const { attributes } = await store.document('')
    assert.deepEqual(object(attributes)['spatial:shape'], [2, 5])
    assert.equal(writeJson(object(attributes)['spatial:transform'] ?? null), '[0.25,0.0,0.125,0.0,0.25,0.375]')
  })

  test('parts of the same shape are other bytes under other names', async () => {
    const [one, other] = ['lat:0..2', 'lat:2..4'].map((select) => world.open('grid.nc', { select }))
    assert.ok(one !== undefined && other !== undefined)
    assert.deepEqual((await numbers(one, 'v')).slice(0, 2), [0, 1])
    assert.deepEqual((await numbers(other, 'v')).slice(0, 2), [20, 21])
    const tags = await Promise.all(
      [one, other].map(async (store) => {
        const node = (await store.describe()).store.nodes.get('v')
        return node?.kind === 'array' ? node.tag : undefined
      }),
    )
    assert.notEqual(tags[0], tags[1])
  })

  test('dimensions and ranges that do not exist are refused with those that do', async () => {
    await rejects('grid.nc', { select: 'rows:0..2' }, /no dimension "rows"; its dimensions are lat \(1030\), lon \(6\)/)
    await rejects('grid.nc', { select: 'lat:1000..1031' }, /allowed: a\.\.b with 0 <= a < b <= 1030/)
    await rejects('grid.nc', { chunks: 'rows:5' }, /no dimension "rows"; its dimensions are lat/)
    for (const select of [
      'lat',
      'lat:',
      'lat:3..3',
      'lat:4..3',
      'lat:-1..3',
      'lat:1..2,lat:2..3',
      ':1..2',
      'lat:1..2,',
    ])
      assert.throws(() => world.open('grid.nc', { select }), /option select is .* allowed: dim:a\.\.b/, select)
    for (const chunks of ['lat', 'lat:0', 'lat:-4', 'lat:1.5', 'lat:x', 'lat:1e3', 'lat:99999999999999999'])
      assert.throws(() => world.open('grid.nc', { chunks }), /option chunks is .* allowed: dim:n/, chunks)
  })

  test('what lines up with chunks of the source stays a byte range of it', async () => {
    const store = world.open('grid.nc', { select: 'lat:..515', chunks: 'lat:1030,lon:6' })
    const node = (await store.describe()).store.nodes.get('v')
    assert.deepEqual(node?.kind === 'array' && node.plan.ways.map(({ kind }) => kind), ['pass'])
    const same = world.open('grid.nc', { chunks: 'lat:5000' })
    const whole = (await same.describe()).store.nodes.get('v')
    assert.deepEqual(whole?.kind === 'array' && [whole.array.chunkShape, whole.array.operation], [[1030, 6], undefined])
  })

  test('a part whose chunk is longer than itself gets the shorter chunks that are asked for', async () => {
    for (const [select, chunks, shape] of [
      ['lat:..515', 'lat:515', [515, 6]],
      ['lat:..515', 'lat:600', [515, 6]],
      ['lat:..515', 'lat:100', [100, 6]],
      ['lat:..515', 'lat:1030', [1030, 6]],
      ['lat:..515,lon:0..2', 'lat:515,lon:3', [515, 2]],
    ] as const) {
      const store = world.open('grid.nc', { select, chunks })
      const grid = object((await store.document('v'))['chunk_grid'])
      assert.deepEqual(object(grid['configuration'])['chunk_shape'], shape, `${select};${chunks}`)
      const rows = await numbers(world.open('grid.nc', { select }), 'v')
      assert.deepEqual(await numbers(store, 'v'), rows)
    }
  })

  test('a burst of chunks of a view reads nothing that came with the metadata', async () => {
    world.put('burst.nc', grid())
    const store = world.open('burst.nc', { chunks: 'lat:100,lon:2' })
    await store.document('')
    const before = world.origin.requests.length
    const values = await numbers(store, 'v')
    assert.equal(values[ROWS * COLUMNS - 1], 1029 * 10 + 5)
    assert.equal(world.origin.requests.length - before, 0)
  })

  test('a chunk that would be made of too many is refused with words', async () => {
    const folder = 'tiny.zarr'
    const series = v3Array({ shape: [20_000], chunk_grid: { name: 'regular', configuration: { chunk_shape: [1] } } })
    putStore(world.origin, folder, { 'zarr.json': v3Group({ s: series }), 's/zarr.json': series })
    const store = world.open(`${folder}/`, { chunks: 'x:20000' })
    await assert.rejects(store.document(''), (error: Error & { code?: string }) => {
      assert.match(error.message, /chunks of 20000 would each be made of up to 20000 chunks of the source/)
      assert.equal(error.code, 'limit-exceeded')
      return true
    })
    assert.deepEqual((await world.open(`${folder}/`, { chunks: 'x:16384' }).document('s'))['shape'], [20_000])
  })

  test('a join is cut, and the chunks that lie in one file pass', async () => {
    for (const [i, first] of ['2000-01-01', '2000-01-04', '2000-01-07'].entries())
      world.put(`days${i}.nc`, month(first, 3, { first: i * 100 }))
    const document = { sources: ['days0.nc', 'days1.nc', 'days2.nc'], along: 'time' }
    world.join(document, 'days.json')
    const whole = await numbers(world.open('days.json'), 't')
    for (const [select, from, to] of [
      ['time:3..9', 3, 9],
      ['time:1..8', 1, 8],
      ['time:4..5', 4, 5],
    ] as const) {
      assert.deepEqual(await numbers(world.open('days.json', { select }), 't'), whole.slice(from * 2, to * 2))
      const both = world.open('days.json', { select, chunks: 'time:4,lat:1' })
      assert.deepEqual(await numbers(both, 't'), whole.slice(from * 2, to * 2))
    }
  })

  test('pyramid makes the groups and attributes of stored overviews', async () => {
    const store = world.open('grid.nc', { pyramid: 'auto' })
    const root = object((await store.document(''))['attributes'])
    const { layout } = object(root['multiscales'] ?? {})
    assert.ok(Array.isArray(layout))
    assert.deepEqual(
      layout.map((level) => [object(level)['asset'], object(level)['spatial:shape']]),
      [
        ['0', [ROWS, COLUMNS]],
        ['1', [515, 3]],
      ],
    )
    assert.deepEqual((await numbers(store, '1/v')).slice(0, 4), [6, 8, 10, 26])
    assert.deepEqual(await numbers(store, '1/lon'), [0.125, 0.625, 1.125])
    assert.deepEqual(await numbers(store, '1/t'), [5, 6, 7, 8])
    const level = object((await store.document('1'))['attributes'])
    assert.equal(writeJson(level['spatial:transform'] ?? null), '[0.5,0.0,-0.125,0.0,0.5,-0.125]')
    assert.equal(level['multiscales'], undefined)
  })

  test('ways of making overviews are kept apart, and missing points are left out of means', async () => {
    const first = async (path: string, pyramid: string) => (await numbers(world.open(path, { pyramid }), '1/v'))[0]
    assert.deepEqual([await first('grid.nc', 'mean'), await first('grid.nc', 'nearest')], [6, 0])
    // 0 is missing: the mean of 1, 10 and 11.
    assert.equal(await first('sparse.nc', 'auto'), 7)
    world.put('names.nc', grid({ flag_meanings: 'a b' }))
    assert.equal(await first('names.nc', 'auto'), 0)
  })

  test('what a view does not touch is told', async () => {
    const codes = async (options: Readonly<Record<string, string>>) =>
      (await world.open('grid.nc', options).describe()).store.diagnostics.map(({ code }) => code)
    assert.ok((await codes({ pyramid: 'auto', select: 'lat:0..20' })).includes('pyramid-not-needed'))
  })
})

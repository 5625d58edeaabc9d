import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ChunkSurvey, Inspection } from '../../src/service/api-schemas.ts'
import { type RunningApp, runApp } from '../helpers/app.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))

let app: RunningApp
before(async () => {
  app = await runApp({}, { VZ_CONFIG: `${EXAMPLES}catalog.yaml`, VZ_FILE_ROOT: EXAMPLES })
})
after(async () => await app.close())

async function json<Value>(url: string): Promise<Value> {
  const answer = await app.http.inject({ url })
  assert.equal(answer.statusCode, 200, `${url}: ${answer.body}`)
  return answer.json()
}

test('a store is inspected by the name that it has in its URL, with options', async () => {
  const named = await json<Inspection>('/inspect?store=sea-surface')
  assert.equal(named.arrays['sst']?.data_type, 'int16')
  const raw = await json<Inspection>(`/inspect?store=${encodeURIComponent('sea-surface;variables=lat')}`)
  assert.deepEqual(Object.keys(raw.arrays), ['lat'])
  assert.equal(named.source, 'sea-surface.nc', 'without the folder of the service')
})

test('a name beside options, no such name, and no name at all are refused', async () => {
  for (const [query, status] of [
    ['store=sea-surface&codecs=raw', 400],
    ['store=sea-surface&store=buoy', 400],
    ['store=sea-surface&url=https://example.org/a.nc', 400],
    ['store=nothing', 404],
    ['', 400],
  ] as const) {
    const answer = await app.http.inject({ url: `/inspect?${query}` })
    assert.equal(answer.statusCode, status, query)
    assert.match(String(answer.headers['content-type']), /problem\+json/)
  }
})

test('what marks missing points is told with what says so', async () => {
  const marks = async (store: string, path: string) =>
    (await json<Inspection>(`/inspect?store=${store}`)).arrays[path]?.sentinels
  assert.deepEqual(await marks('sea-surface', 'sst'), [
    { value: '-32768', from: 'attribute _FillValue' },
    { value: '-32768', from: 'attribute missing_value' },
  ])
  assert.deepEqual(await marks('harvest', 'band_data'), [{ value: '-32768', from: 'the nodata value of GDAL' }])
  assert.deepEqual(await marks('relief', 'elevation'), [])
})

test('a survey of chunks says of each what its own key answers', async () => {
  let [missing, stored] = [0, 0]
  for (const store of ['relief', 'harvest', 'currents', 'atmosphere', 'nebula', 'vegetation']) {
    const { arrays } = await json<Inspection>(`/inspect?store=${store}`)
    for (const [path, { chunk_grid: grid }] of Object.entries(arrays)) {
      const survey = await json<ChunkSurvey>(`/inspect/chunks?store=${store}&array=${encodeURIComponent(path)}`)
      assert.deepEqual(survey.grid, grid)
      assert.equal(survey.kinds.length, survey.total)
      for (const [position, kind] of [...survey.kinds].entries()) {
        const key = ['c', ...coordsOf(grid, position)].join('/')
        const { statusCode } = await app.http.inject({ url: `/zarr/${store}/${path}/${key}` })
        assert.equal(statusCode, kind === '-' ? 404 : 200, `${store} ${path} ${key}`)
        assert.ok(kind === '-' || kind === 'a' || (survey.bytes[position] ?? 0) > 0)
        if (kind === '-') missing++
        else stored++
      }
    }
  }
  assert.ok(missing > 5 && stored > 50, `${missing} missing, ${stored} stored`)
})

test('a survey begins where it is asked to, and is of an array', async () => {
  const all = await json<ChunkSurvey>('/inspect/chunks?store=harvest&array=band_data')
  const rest = await json<ChunkSurvey>('/inspect/chunks?store=harvest&array=band_data&first=7')
  assert.equal(rest.kinds, all.kinds.slice(7))
  for (const [query, status] of [
    ['array=nothing', 404],
    ['array=0', 404],
    ['', 400],
    ['array=band_data&first=-1', 400],
    ['array=band_data&first=31', 400],
    ['array=band_data&first=1e3', 400],
  ] as const) {
    assert.equal((await app.http.inject({ url: `/inspect/chunks?store=harvest&${query}` })).statusCode, status, query)
  }
})

function coordsOf(grid: readonly number[], position: number): number[] {
  let rest = position
  const coords = grid.map(() => 0)
  for (let axis = grid.length - 1; axis >= 0; axis--) {
    coords[axis] = rest % (grid[axis] ?? 1)
    rest = Math.floor(rest / (grid[axis] ?? 1))
  }
  return coords
}

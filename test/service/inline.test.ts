import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exportKerchunk } from '../../src/service/export/export.ts'
import type { TestStore } from '../helpers/test-stores.ts'
import { putStore, v3Array, v3Group } from '../helpers/zarr-store.ts'
import { JoinWorld, month, numbers } from '../joins/helpers.ts'

const STEPS = 60
const bytesOf = (values: readonly number[]) => Buffer.from(Int32Array.from(values).buffer)

/** A time axis, a series and a large array, in chunks of one. */
function series(world: JoinWorld, folder: string): void {
  const array = (name: string, length: number, chunk: number) =>
    v3Array({
      shape: [length],
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [chunk] } },
      data_type: 'int32',
      fill_value: -1,
      codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
      dimension_names: [name],
    })
  const arrays = { time: array('time', STEPS, 1), flow: array('time', STEPS, 1), large: array('far', 40_000, 20_000) }
  const files: Record<string, unknown> = { 'zarr.json': v3Group(arrays) }
  for (const [name, document] of Object.entries(arrays)) files[`${name}/zarr.json`] = document
  for (let step = 0; step < STEPS; step++) {
    files[`time/c/${step}`] = bytesOf([step * 3])
    // Some were never written.
    if (step % 7 !== 0) files[`flow/c/${step}`] = bytesOf([step])
  }
  for (const part of [0, 1])
    files[`large/c/${part}`] = bytesOf(Array.from({ length: 20_000 }, (_, i) => part * 20_000 + i))
  putStore(world.origin, folder, files as never)
}

const times = Array.from({ length: STEPS }, (_, step) => step * 3)
const flows = Array.from({ length: STEPS }, (_, step) => (step % 7 === 0 ? -1 : step))

async function chunkShapes(store: TestStore): Promise<Record<string, readonly number[]>> {
  const shapes: Record<string, readonly number[]> = {}
  for (const [path, node] of (await store.describe()).store.nodes)
    if (node.kind === 'array') shapes[path] = node.array.chunkShape
  return shapes
}

async function exported(store: TestStore): Promise<Readonly<Record<string, unknown>>> {
  const { pieces } = await exportKerchunk(await store.describe())
  return (JSON.parse(pieces.join('')) as { refs: Record<string, unknown> }).refs
}

describe('inlined arrays', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    series(world, 'series.zarr')
    for (const [i, first] of ['2000-01-01', '2000-01-04', '2000-01-09'].entries())
      world.put(`days${i}.nc`, month(first, 3 + i, { first: i * 100 }))
    world.join({ sources: ['days0.nc', 'days1.nc', 'days2.nc'], along: 'time' }, 'days.json')
  })
  after(() => world.close())
  const open = (inline: string, options: Readonly<Record<string, string>> = {}) =>
    world.open('series.zarr/', { inline, ...options })
  const rejects = async (inline: string, words: RegExp, code: string) => {
    await assert.rejects(open(inline).document(''), (error: Error & { code?: string }) => {
      assert.match(error.message, words)
      assert.equal(error.code, code)
      return true
    })
  }

  test('auto takes coordinates and small arrays, a size those up to it, a name that one', async () => {
    const one = [STEPS]
    assert.deepEqual(await chunkShapes(open('auto')), { time: one, flow: one, large: [20_000] })
    assert.deepEqual(await chunkShapes(open('160k')), { time: one, flow: one, large: [40_000] })
    assert.deepEqual(await chunkShapes(open('flow')), { time: [1], flow: one, large: [20_000] })
    assert.deepEqual(await chunkShapes(open('/large,time')), { time: one, flow: [1], large: [40_000] })
    assert.deepEqual(await chunkShapes(open('0')), { time: [1], flow: [1], large: [20_000] })
  })

  test('they hold what the chunks hold, in every profile, and what was never written reads as fill', async () => {
    for (const codecs of ['portable', 'native', 'raw']) {
      const store = open('auto,large', { codecs })
      assert.deepEqual(await numbers(store, 'time'), times, codecs)
      assert.deepEqual(await numbers(store, 'flow'), flows, codecs)
      assert.equal((await numbers(store, 'large')).at(-1), 39_999)
    }
  })

  test('the first request reads what there is, and no other reads any', async () => {
    for (const [i, first] of ['2000-01-01', '2000-01-04'].entries()) world.put(`counted${i}.nc`, month(first, 3))
    world.join({ sources: ['counted0.nc', 'counted1.nc'], along: 'time' }, 'counted.json')
    const store = world.open('counted.json', { inline: 't' })
    await store.document('')
    const before = world.origin.requests.length
    const first = await numbers(store, 't')
    const read = world.origin.requests.length - before
    assert.ok(read <= 2, `${read} requests`)
    assert.deepEqual(await numbers(store, 't'), first)
    assert.equal(world.origin.requests.length - before, read)
  })

  test('they are what the other views leave', async () => {
    const cut = open('time', { select: 'time:10..20', chunks: 'time:3' })
    assert.deepEqual(await numbers(cut, 'time'), times.slice(10, 20))
    assert.deepEqual(await chunkShapes(cut), { time: [10], flow: [3], large: [20_000] })
  })

  test('what can not be one chunk is refused by name, and left as it is otherwise', async () => {
    await rejects('rivers', /no variable rivers; its variables are time, flow, large/, 'invalid-request')
    for (const bad of ['', 'time,', '17M', '99999k'])
      assert.throws(() => open(bad), /option inline is .* allowed: auto/, bad)
    const huge = v3Array({
      shape: [20_000_000],
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [20_000_000] } },
    })
    const many = v3Array({ shape: [20_000], chunk_grid: { name: 'regular', configuration: { chunk_shape: [1] } } })
    putStore(world.origin, 'much.zarr', {
      'zarr.json': v3Group({ huge, many }),
      'huge/zarr.json': huge,
      'many/zarr.json': many,
    })
    for (const name of ['huge', 'many'])
      await assert.rejects(world.open('much.zarr/', { inline: name }).document(''), {
        code: 'limit-exceeded',
        message: new RegExp(`${name} can't be inlined: it has \\d+ (bytes|chunks), at most`),
      })
    const store = world.open('much.zarr/', { inline: '16M' })
    const { diagnostics } = (await store.describe()).store
    assert.deepEqual(
      diagnostics.map(({ code }) => code).filter((code) => code === 'not-inlined'),
      ['not-inlined'],
    )
    assert.deepEqual(await chunkShapes(store), { huge: [20_000_000], many: [1] })
  })

  test('an export holds their values, and refers to all others', async () => {
    const refs = await exported(open('time', { codecs: 'native' }))
    assert.deepEqual(refs['time/0'], `base64:${bytesOf(times).toString('base64')}`)
    assert.deepEqual((JSON.parse(String(refs['time/.zarray'])) as { chunks: unknown }).chunks, [STEPS])
    assert.ok(Array.isArray(refs['flow/1']))
    assert.equal(refs['time/1'], undefined)
  })

  test('of a join every part is in one chunk, and what lies over cuts can be exported', async () => {
    const days = (options: Readonly<Record<string, string>>) => world.open('days.json', options)
    const whole = await numbers(days({}), 't')
    const store = days({ inline: 't' })
    assert.deepEqual(await numbers(store, 't'), whole)
    assert.equal((await chunkShapes(store))['t']?.[0], 12)
    const cut = { select: 'time:1..11', codecs: 'native' }
    const refs = await exported(days({ ...cut, inline: 't' }))
    const floats = Float32Array.from(whole.slice(2, 22))
    assert.equal(refs['t/0.0'], `base64:${Buffer.from(floats.buffer).toString('base64')}`)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findChunk } from '../../src/compose/find-chunk.ts'
import { joinedChunks } from '../../src/service/export/joined.ts'
import { ReferenceExporter } from '../../src/service/export/references.ts'
import { object } from '../corpus/golden.ts'
import { type BuiltField, buildTiff, dataStart, greyFields } from '../formats/tiff/build.ts'
import { JoinWorld, numbers } from './helpers.ts'

interface Raster {
  readonly at: readonly [column: number, row: number]
  readonly size?: readonly [width: number, height: number]
  readonly value: (column: number, row: number) => number
  readonly nodata?: number
  readonly pixel?: readonly [number, number]
}

/** A grey image in one strip, in pixels of 10 from (1000, 2000) on. */
function raster({
  at: [column, row],
  size: [width, height] = [4, 4],
  value,
  nodata,
  pixel = [10, 10],
}: Raster): Uint8Array {
  const data = Uint8Array.from({ length: width * height }, (_none, at) => value(at % width, Math.floor(at / width)))
  const changes: BuiltField[] = [
    { tag: 273, type: 4, values: [dataStart()] },
    { tag: 33550, type: 12, values: [...pixel, 0] },
    { tag: 33922, type: 12, values: [0, 0, 0, 1000 + 10 * column, 2000 - 10 * row, 0] },
    ...(nodata === undefined ? [] : [{ tag: 42113, type: 2, values: `${nodata}\0` }]),
  ]
  return buildTiff([{ fields: greyFields(width, height, changes) }], { data })
}

const flat = (value: number) => () => value

describe('mosaics', () => {
  const world = new JoinWorld()
  before(() => world.start({ freshSeconds: 0 }))
  after(() => world.close())

  const put = (name: string, of: Raster, etag = '"v1"') => world.origin.put(name, { bytes: raster(of), etag })
  const mosaic = (sources: unknown, members: object = {}) => world.join({ sources, along: ['y', 'x'], ...members })
  const rows = async (store: Parameters<typeof numbers>[0], width: number) => {
    const all = await numbers(store, 'band_data')
    return Array.from({ length: all.length / width }, (_none, row) =>
      all.slice(row * width, (row + 1) * width).join(' '),
    )
  }

  test('an export is refused before any of the sources is opened for it', async () => {
    put('e1.tif', { at: [0, 0], value: flat(1) })
    put('e2.tif', { at: [4, 0], value: flat(2) })
    const described = await mosaic(['e1.tif', 'e2.tif']).describe()
    const node = described.store.nodes.get('band_data')
    assert.ok(node?.kind === 'array' && node.array.operation?.kind === 'mosaic')
    let opened = 0
    const members = {
      ...node.array.operation.members,
      open: async () => {
        opened++
        return undefined
      },
    }
    const operation = { ...node.array.operation, members }
    const references = new ReferenceExporter(described)
    const exported = joinedChunks({ ...node, array: { ...node.array, operation } }, references)
    await assert.rejects(exported, { message: /its sources lie over each other/ })
    assert.equal(opened, 0)
  })

  test('a chunk that lies in one file goes out as it is stored; where none lies nothing is written', async () => {
    put('a.tif', { at: [0, 0], value: (x, y) => 10 + 4 * y + x })
    put('d.tif', { at: [4, 4], value: flat(7) })
    const store = mosaic(['a.tif', 'd.tif'])
    assert.deepEqual(await rows(store, 8), [
      '10 11 12 13 0 0 0 0',
      '14 15 16 17 0 0 0 0',
      '18 19 20 21 0 0 0 0',
      '22 23 24 25 0 0 0 0',
      ...Array.from({ length: 4 }, () => '0 0 0 0 7 7 7 7'),
    ])
    assert.equal(await store.chunk('band_data', [0, 1]), undefined)
    world.origin.forget()
    assert.deepEqual(await store.chunk('band_data', [1, 1]), new Uint8Array(16).fill(7))
    assert.deepEqual(
      world.origin.requests.map(({ path }) => path),
      ['/d.tif'],
    )
    const { store: opened } = await store.describe()
    const node = opened.nodes.get('band_data')
    assert(node?.kind === 'array')
    assert.deepEqual(
      [
        ...(await Promise.all(
          [
            [0, 0],
            [0, 1],
          ].map((at) => findChunk(node.array, at, undefined)),
        )),
      ].map(({ kind }) => kind),
      ['stored', 'missing'],
    )
    assert.deepEqual(
      opened.diagnostics.flatMap(({ code }) => (code === 'mosaic-gaps' ? [code] : [])),
      ['mosaic-gaps'],
    )
  })

  test('coordinates and attributes say where all of it lies', async () => {
    put('e.tif', { at: [-3, 2], size: [5, 3], value: flat(1) })
    const store = mosaic(['a.tif', 'e.tif'])
    assert.deepEqual(await numbers(store, 'x'), [975, 985, 995, 1005, 1015, 1025, 1035])
    assert.deepEqual(await numbers(store, 'y'), [1995, 1985, 1975, 1965, 1955])
    const attributes = object((await store.document(''))['attributes'])
    assert.deepEqual(attributes['spatial:shape'], [5, 7])
    assert.deepEqual(
      JSON.parse(JSON.stringify(attributes['spatial:transform'], (_key, value) => value?.value ?? value)),
      [10, 0, 970, 0, -10, 2000],
    )
    const mapping = object((await store.document('spatial_ref'))['attributes'])
    assert.equal(mapping['GeoTransform'], '970 10 0 2000 0 -10')
  })

  test('where they overlap the later one wins wherever it is valid', async () => {
    put('low.tif', { at: [0, 0], value: flat(1), nodata: 9 })
    put('high.tif', { at: [2, 1], value: (x, y) => (x === y ? 9 : 5), nodata: 9 })
    assert.deepEqual(await rows(mosaic(['low.tif', 'high.tif']), 6), [
      '1 1 1 1 9 9',
      '1 1 1 5 5 5',
      '1 1 5 1 5 5',
      '1 1 5 5 9 5',
      '9 9 5 5 5 9',
    ])
    assert.deepEqual((await rows(mosaic(['high.tif', 'low.tif']), 6))[1], '1 1 1 1 5 5')
    // A file without a value for "missing" is valid everywhere; where the mosaic has one, that is no number of it.
    put('solid.tif', { at: [2, 1], value: flat(3) })
    assert.deepEqual((await rows(mosaic(['low.tif', 'solid.tif']), 6))[2], '1 1 3 3 3 3')
    put('clash.tif', { at: [2, 1], value: flat(9) })
    await assert.rejects(rows(mosaic(['low.tif', 'clash.tif']), 6), { message: /9 .* marks missing points/ })
  })

  test('sentinels that differ become that of the first file', async () => {
    put('other.tif', { at: [2, 0], value: (x) => (x === 1 ? 0 : 4), nodata: 0 })
    assert.deepEqual((await rows(mosaic(['low.tif', 'other.tif']), 6))[0], '1 1 4 1 4 4')
    assert.deepEqual((await rows(mosaic(['other.tif', 'low.tif']), 6))[0], '1 1 1 1 4 4')
  })

  test('COMB-1: what lies on no common grid is refused with both files', async () => {
    put('wide.tif', { at: [4, 0], value: flat(1), pixel: [20, 10] })
    put('beside.tif', { at: [4.3, 0], value: flat(1) })
    world.origin.put(
      'nowhere.tif',
      Buffer.from(buildTiff([{ fields: greyFields(4, 4) }], { data: new Uint8Array(16) })),
    )
    for (const [name, message] of [
      ['wide.tif', /the pixel size in x is 10 in .*a\.tif and 20 in .*wide\.tif/],
      ['beside.tif', /beside\.tif lies 0\.30 pixels in x beside the pixel grid of .*a\.tif/],
      ['nowhere.tif', /nowhere\.tif does not say where it lies/],
    ] as const) {
      await assert.rejects(mosaic(['a.tif', name]).describe(), { code: 'malformed-source', message })
    }
    await assert.rejects(world.join({ sources: ['a.tif', 'd.tif'], along: ['lat', 'lon'] }).describe(), {
      message: /rows and columns are y, x in .*a\.tif, expected lat, lon/,
    })
    // Transforms are written with some digits only.
    put('near.tif', { at: [4.004, 0], value: flat(1) })
    assert.deepEqual((await numbers(mosaic(['a.tif', 'near.tif']), 'x')).length, 8)
  })

  test('a file that is down or has changed costs its own chunks; one that was never there reads as a gap, if the document says so', async () => {
    put('p.tif', { at: [0, 0], value: flat(1) })
    put('q.tif', { at: [4, 0], value: flat(2) })
    const store = mosaic(['p.tif', 'q.tif'])
    await store.describe()
    world.origin.faultOf = ({ path }) => (path === '/q.tif' ? { kind: 'status', status: 503 } : undefined)
    assert.deepEqual(await store.chunk('band_data', [0, 0]), new Uint8Array(16).fill(1))
    await assert.rejects(store.chunk('band_data', [0, 1]), { code: 'source-unavailable' })
    world.origin.faultOf = () => undefined
    put('q.tif', { at: [4, 0], value: flat(3) }, '"v2"')
    await assert.rejects(store.chunk('band_data', [0, 1]), { code: 'source-changed' })
    assert.deepEqual(await store.chunk('band_data', [0, 0]), new Uint8Array(16).fill(1))
    await assert.rejects(mosaic(['p.tif', 'absent.tif']).describe(), { code: 'source-not-found' })
    assert.deepEqual(await rows(mosaic(['p.tif', 'absent.tif'], { missing: 'fill' }), 4), Array(4).fill('1 1 1 1'))
  })

  test('mosaics are rows of a further dimension', async () => {
    put('t1.tif', { at: [0, 0], value: flat(1) })
    put('t2.tif', { at: [4, 0], value: flat(2) })
    put('t3.tif', { at: [0, 0], size: [8, 4], value: flat(3) })
    const along = [{ new: 'time', values: [5, 6] }, 'y', 'x']
    const store = world.join({ sources: [['t1.tif', 't2.tif'], ['t3.tif']], along })
    assert.deepEqual((await numbers(store, 'band_data')).join(''), `${'11112222'.repeat(4)}${'3'.repeat(32)}`)
    assert.deepEqual(await numbers(store, 'time'), [5, 6])
    // What marks missing points in one row lets what lies below show through, whatever it becomes in the other.
    const other = world.join({
      sources: [
        ['high.tif', 'low.tif'],
        ['low.tif', 'other.tif'],
      ],
      along,
    })
    await assert.rejects(other.describe(), { message: /length of y of band_data is 5 .* and 4/ })
    put('broad.tif', { at: [0, 0], size: [6, 4], value: (x) => x, nodata: 0 })
    put('over.tif', { at: [1, 0], value: (x) => (x === 1 ? 0 : 4), nodata: 0 })
    put('nine.tif', { at: [0, 0], size: [6, 4], value: (x) => x + 4, nodata: 9 })
    const mixed = world.join({ sources: [['nine.tif'], ['broad.tif', 'over.tif']], along })
    assert.deepEqual(
      (await numbers(mixed, 'band_data')).filter((_value, at) => at % 24 < 6).join(' '),
      '4 5 6 7 8 9 9 4 2 4 4 5',
    )
  })
})

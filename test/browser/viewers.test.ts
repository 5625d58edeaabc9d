import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Expected, makeCogs } from './expected.ts'
import { checkMap } from './map-check.ts'
import type { ShownStore, ViewerName } from './viewer.ts'
import { NO_CHROMIUM, viewerWorld } from './viewer-world.ts'

const CASES = ['rgb', 'rgb-nodata', 'photo', 'counts', 'heights', 'lowest', 'not-a-number', 'odd-size', 'packed']
const MASKED = ['photo-masked', 'grey-masked']
const VIEWERS: readonly ViewerName[] = ['openlayers', 'zarr-layer']
/** zarr-layer knows two EPSG codes, and of images in 3857 it finds only some chunks (0.5.0), unless it is told this. */
const PROJ4: Readonly<Record<string, string>> = {
  'EPSG:3857': '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +no_defs',
  'EPSG:32633': '+proj=utm +zone=33 +datum=WGS84 +units=m +no_defs',
  'EPSG:32719': '+proj=utm +zone=19 +south +datum=WGS84 +units=m +no_defs',
}
const FULL_PIXELS = 600
const SMALL_PIXELS = 128

describe('COGs in map viewers, straight from their store URLs', { skip: NO_CHROMIUM }, () => {
  let expected: Readonly<Record<string, Expected>>
  const world = viewerWorld((folder) => {
    expected = makeCogs(folder)
  })

  for (const name of CASES) {
    test(`TEST-1: zarrita in the page reads every level of ${name} as rasterio does`, async () => {
      const known = expectedOf(name)
      for (const [level, { height, width, sha256 }] of known.levels.entries()) {
        const read = await world.page.read(urlOf(name), String(level), [])
        assert.deepEqual(read.shape.slice(-2), [height, width])
        assert.equal(read.sha256, sha256, `level ${level}`)
      }
    })

    for (const viewer of VIEWERS) {
      test(`CONV-8: ${viewer} shows ${name} in its place and colours, and nothing where there is no data`, async () => {
        const known = expectedOf(name)
        const opened = world.page.requests.length
        await world.page.open(viewer, storeOf(viewer, name, known, ''))
        await world.page.show(known.corners, FULL_PIXELS)
        await checkMap(world.page, `${name}-${viewer}-full`, [...known.centres, ...known.borders], known)
        await world.page.settled()
        const shownSmall = world.page.requests.length
        await world.page.show(known.corners, SMALL_PIXELS)
        await checkMap(world.page, `${name}-${viewer}-small`, known.centres, known)
        assert.ok(!levelsOf(world.page.requests.slice(shownSmall)).has('0'), 'a small map needs no full resolution')
        assert.ok(levelsOf(world.page.requests.slice(opened)).size > 1, 'overviews were read')
      })
    }
  }

  for (const viewer of VIEWERS) {
    for (const name of MASKED) {
      test(`CONV-8: ${viewer} shows ${name} with missing=mask, and nothing where its mask is zero`, async () => {
        const known = expectedOf(name)
        assert.ok(known.centres.some(([, , values]) => values === null))
        await world.page.open(viewer, storeOf(viewer, name, known, ';missing=mask'))
        for (const pixels of [FULL_PIXELS, SMALL_PIXELS]) {
          await world.page.show(known.corners, pixels)
          await checkMap(world.page, `${name}-${viewer}-${pixels}`, known.centres, known)
        }
      })
    }

    test(`CONV-8: ${viewer} shows layout=levels as it shows the default layout`, async () => {
      const known = expectedOf('heights')
      const opened = world.page.requests.length
      await world.page.open(viewer, storeOf(viewer, 'heights', known, ';layout=levels'))
      await world.page.show(known.corners, SMALL_PIXELS)
      await checkMap(world.page, `heights-${viewer}-levels`, known.centres, known)
      assert.ok(levelsOf(world.page.requests.slice(opened)).size > 0, 'overviews were read')
    })
  }

  test('no viewer asked for anything beyond this machine, and none complained', () => {
    const foreign = world.page.requests.filter((url) => !/^(http:\/\/127\.0\.0\.1:|blob:|data:)/.test(url))
    assert.deepEqual(foreign, [])
    assert.deepEqual(world.page.errors, [])
  })

  function expectedOf(name: string): Expected {
    const known = expected[name]
    assert.ok(known !== undefined)
    return known
  }

  function urlOf(name: string): string {
    return world.storeOf(`${name}.tif`)
  }

  function storeOf(viewer: ViewerName, name: string, known: Expected, options: string): ShownStore {
    const { crs, range, scale, offset } = known
    const proj4 = viewer === 'zarr-layer' ? PROJ4[crs] : undefined
    // zarr-layer applies `scale_factor` and `add_offset`, OpenLayers shows what is stored.
    const unpacked = (value: number) => (viewer === 'zarr-layer' ? value * (scale ?? 1) + (offset ?? 0) : value)
    const colours = range === null ? 'rgb' : ([unpacked(range[0]), unpacked(range[1])] as const)
    return { url: `${urlOf(name)}${options}`, colours, ...(proj4 !== undefined && { proj4 }) }
  }
})

function levelsOf(urls: readonly string[]): ReadonlySet<string | undefined> {
  return new Set(urls.flatMap((url) => /\/(\d+)\/band_data\/c\//.exec(url)?.[1] ?? []))
}

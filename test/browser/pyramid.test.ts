import { join } from 'node:path'
import { describe, test } from 'node:test'
import { writeStripTiff } from '../../bench/strip-tiff.ts'
import type { Expected, Probe } from './expected.ts'
import { checkMap } from './map-check.ts'
import type { LonLat, ViewerName } from './viewer.ts'
import { NO_CHROMIUM, viewerWorld } from './viewer-world.ts'

/** `PYRAMID_SIZE=16384` for the size of the goal. */
const SIZE = Number(process.env['PYRAMID_SIZE'] ?? '3000')
const PIXEL_METRES = 100
const TOP_METRES = 1_600_000
const MEAN_NOISE = 7.5
const EARTH_METRES = 6_378_137
const VIEWERS: readonly ViewerName[] = ['openlayers', 'zarr-layer']

function placeOf(row: number, column: number): LonLat {
  const [x, y] = [column * PIXEL_METRES, TOP_METRES - row * PIXEL_METRES]
  const latitude = Math.atan(Math.sinh(y / EARTH_METRES))
  return [((x / EARTH_METRES) * 180) / Math.PI, (latitude * 180) / Math.PI]
}

function expected(): Expected {
  const centres = [0.1, 0.35, 0.6, 0.9].flatMap((down) =>
    [0.15, 0.5, 0.8].map((right): Probe => {
      const [row, column] = [down * SIZE, right * SIZE]
      const [longitude, latitude] = placeOf(row, column)
      return [longitude, latitude, [Math.floor(((row + column) * 112) / SIZE) + MEAN_NOISE]]
    }),
  )
  const corners = [placeOf(0, 0), placeOf(0, SIZE), placeOf(SIZE, 0), placeOf(SIZE, SIZE)]
  return {
    crs: 'EPSG:3857',
    dtype: 'uint8',
    tolerance: 32,
    levels: [],
    range: [0, 239],
    scale: null,
    offset: null,
    centres,
    borders: [],
    outside: [placeOf(-SIZE * 0.03, SIZE / 2), placeOf(SIZE * 1.03, SIZE / 2)],
    corners,
  }
}

describe('an image in strips without overviews, in map viewers', { skip: NO_CHROMIUM }, () => {
  const world = viewerWorld(async (folder) => {
    for (const viewer of VIEWERS) await writeStripTiff(join(folder, `${viewer}.tif`), SIZE, true)
  })

  for (const viewer of VIEWERS) {
    test(`CONV-8: ${viewer} shows it by levels that are made on request`, async (context) => {
      const known = expected()
      const proj4 = '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +no_defs'
      const start = performance.now()
      const url = `${world.storeOf(`${viewer}.tif`)};pyramid=auto`
      const colours = known.range ?? 'rgb'
      await world.page.open(viewer, { url, colours, ...(viewer === 'zarr-layer' && { proj4 }) })
      await world.page.show(known.corners, 600)
      await checkMap(world.page, `pyramid-${viewer}`, known.centres, known)
      context.diagnostic(`${SIZE} x ${SIZE} shown after ${((performance.now() - start) / 1000).toFixed(1)} s`)
    })
  }
})

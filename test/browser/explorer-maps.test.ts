import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { colourTable } from '../../web/src/plot/colours.ts'
import { interopPython } from '../interop/venv.ts'
import { canvasBox, pixelsAt } from './explorer-page.ts'
import { explorerWorld } from './explorer-world.ts'
import { NO_CHROMIUM } from './viewer-world.ts'
import { writeZarrFolder } from './zarr-folder.ts'

const [ROWS, COLUMNS] = [20, 30]
const GREY = colourTable('grey')

/** How large a grid is, and the degrees of its points. */
interface Grid {
  readonly rows: number
  readonly columns: number
  at(row: number, column: number): { readonly lat: number; readonly lon: number }
}
const SWATH: Grid = {
  rows: ROWS,
  columns: COLUMNS,
  at: (row, column) => ({
    lat: 40 + row * 0.8 - column * 0.3 + row * column * 0.005,
    lon: 5 + column * 0.9 + row * 0.4,
  }),
}
const TURNED: Grid = {
  rows: ROWS,
  columns: COLUMNS,
  at: (row, column) => ({
    lat: 50 - (row + 0.5) * 0.4 - (column + 0.5) * 0.2,
    lon: 10 + (column + 0.5) * 0.5 - (row + 0.5) * 0.15,
  }),
}
const storedAt = (index: number) => (index * 7) % 251

/** An image whose rows and columns run askew: its transformation has all six numbers. */
const WRITE_TURNED = `
import sys, numpy as np, rasterio
from affine import Affine
rows, columns = ${ROWS}, ${COLUMNS}
values = (np.arange(rows * columns) * 7 % 251).astype("uint8").reshape(rows, columns)
transform = Affine(0.5, -0.15, 10, -0.2, -0.4, 50)
with rasterio.open(sys.argv[1], "w", driver="GTiff", width=columns, height=rows, count=1, dtype="uint8", crs="EPSG:4326", transform=transform) as file:
    file.write(values, 1)
`

describe('grids that lie askew, on the map', { skip: NO_CHROMIUM }, () => {
  const world = explorerWorld((folder) => {
    execFileSync(interopPython(), ['-W', 'ignore', '-c', WRITE_TURNED, join(folder, 'turned.tif')])
    writeSwath(join(folder, 'swath.zarr'), SWATH)
    return {}
  })

  test('points that have latitudes and longitudes of their own are drawn as their cells lie', async () => {
    await check(`${pathToFileURL(join(world.folder, 'swath.zarr')).href}/`, 'count', SWATH)
  })

  test('an image that is turned is drawn turned', async () => {
    await check(pathToFileURL(join(world.folder, 'turned.tif')).href, 'band_data', TURNED)
  })

  test('a swath is drawn from its own points where it is looked at closely, and not from every second', async () => {
    const fine: Grid = {
      rows: 1500,
      columns: 1000,
      at: (row, column) => ({ lat: 40 + row * 0.01 - column * 0.003, lon: 170 + column * 0.012 + row * 0.004 }),
    }
    writeSwath(join(world.folder, 'fine.zarr'), fine)
    await world.opened(async ({ page, go, drawn }) => {
      const source = encodeURIComponent(`${pathToFileURL(join(world.folder, 'fine.zarr')).href}/`)
      await go(`/?source=${source}&path=count&colours=grey&range=0,250&map=yes`)
      await drawn()
      // Not by a function in the page: what polls one evaluates text, which the page's policy forbids.
      await page.getByRole('button', { name: 'Map', pressed: true }).waitFor()
      await page.locator('.plot canvas').focus()
      for (let time = 0; time < 8; time++) await page.keyboard.press('+')
      const near = Array.from({ length: 121 }, (_, i) => [745 + Math.floor(i / 11), 495 + (i % 11)] as const)
      const places = placesOf(fine, near, await canvasBox(page), 1.5 ** 8)
      await untilColoured(
        page,
        places,
        near.map(([row, column]) => storedAt(row * fine.columns + column)),
      )
    })
  })

  async function check(source: string, path: string, grid: Grid): Promise<void> {
    await world.opened(async ({ page, go, drawn, complaints }) => {
      await go(`/?source=${encodeURIComponent(source)}&path=${path}&colours=grey&range=0,250&map=yes`)
      await drawn()
      const all = Array.from({ length: ROWS * COLUMNS }, (_, i) => [Math.floor(i / COLUMNS), i % COLUMNS] as const)
      const places = placesOf(grid, all, await canvasBox(page), 1)
      await untilColoured(
        page,
        places,
        all.map((_, at) => storedAt(at)),
      )
      assert.deepEqual(complaints, [])
    })
  }
})

async function untilColoured(
  page: Page,
  places: readonly (readonly [number, number])[],
  values: readonly number[],
): Promise<void> {
  for (const deadline = Date.now() + 45_000; ; ) {
    const pixels = await pixelsAt(page, places)
    const wrong = pixels.filter((pixel, at) => {
      const grey = GREY[Math.round(((values[at] ?? 0) / 250) * 255) * 3] ?? 0
      return pixel[3] !== 255 || Math.abs((pixel[0] ?? 0) - grey) > 2
    })
    // Coasts and meridians lie over some.
    if (wrong.length < places.length * 0.12) return
    assert.ok(Date.now() < deadline, `${wrong.length} of ${places.length} cells have other colours`)
    await page.waitForTimeout(250)
  }
}

/** The middles of cells on the canvas: all of the grid is shown, in the middle, at one scale both ways, before it is looked at closely. */
function placesOf(
  { rows, columns, at }: Grid,
  cells: readonly (readonly [number, number])[],
  { width, height }: { readonly width: number; readonly height: number },
  zoom: number,
) {
  // Corners of the outermost cells lie half a cell beyond their middles: of those of each n-th point, in a large grid.
  const step = Math.ceil(Math.max(rows, columns) / 960)
  const last = (length: number) => Math.floor((length - 1) / step) * step + step / 2
  const edge = [-step / 2, last(rows)].flatMap((row) => [-step / 2, last(columns)].map((column) => at(row, column)))
  const [left, right] = [Math.min(...edge.map(({ lon }) => lon)), Math.max(...edge.map(({ lon }) => lon))]
  const [bottom, top] = [Math.min(...edge.map(({ lat }) => lat)), Math.max(...edge.map(({ lat }) => lat))]
  const scale = zoom * Math.min(width / (right - left), height / (top - bottom))
  return cells.map(([row, column]) => {
    const { lat, lon } = at(row, column)
    const [x, y] = [lon - (left + right) / 2, lat - (top + bottom) / 2]
    return [width / 2 + x * scale, height / 2 - y * scale] as const
  })
}

function writeSwath(folder: string, { rows, columns, at }: Grid): void {
  const cells = Array.from({ length: rows * columns }, (_, i) => at(Math.floor(i / columns), i % columns))
  const plane = { shape: [rows, columns], names: ['line', 'pixel'] }
  const degrees = (values: readonly number[], units: string) => ({
    ...plane,
    type: 'float32' as const,
    values: Float32Array.from(values),
    attributes: { units },
  })
  writeZarrFolder(folder, {
    lat: degrees(
      cells.map(({ lat }) => lat),
      'degrees_north',
    ),
    lon: degrees(
      cells.map(({ lon }) => (lon > 180 ? lon - 360 : lon)),
      'degrees_east',
    ),
    count: {
      ...plane,
      type: 'uint8',
      values: Uint8Array.from(cells, (_, i) => storedAt(i)),
      attributes: { coordinates: 'lat lon' },
    },
  })
}

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { colourTable } from '../../web/src/plot/colours.ts'
import { type ServerProcess, startServer } from '../interop/server-process.ts'
import { interopPython } from '../interop/venv.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { cellPlace, type KnownArray, type KnownLine, linePlace } from './explorer-geometry.ts'
import { canvasBox, type ExplorerPage, openExplorer, pixelsAt, textOf } from './explorer-page.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))
const VALUES = fileURLToPath(new URL('explorer_values.py', import.meta.url))
const GREY = colourTable('grey')
/** Chromium's canvases give back what was drawn, but for rounding by their alpha. */
const TOLERANCE = 2

/** Examples that say where they lie, and those that don't. */
const PLACED = 'sea-surface relief atmosphere currents harvest meadow chlorophyll rain coast vegetation forecast'.split(
  ' ',
)
const UNPLACED = 'nebula forest storms rivers tides'.split(' ')
const chromium = findChromium()
const skip = chromium === undefined && 'Chromium is not on this machine (PATH, or the variable CHROMIUM)'
if (skip) console.log(`skipped: ${skip}`)

describe('the explorer on the examples', { skip }, () => {
  let known: Readonly<Record<string, KnownArray | KnownLine>>
  let server: ServerProcess
  let browser: Browser
  let explorer: ExplorerPage

  before(async () => {
    const text = execFileSync(interopPython(), ['-W', 'ignore', VALUES, EXAMPLES], { encoding: 'utf8' })
    known = JSON.parse(text) as typeof known
    server = await startServer()
    browser = await launchChromium(chromium ?? '')
    explorer = await openExplorer(browser, server.url)
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('the catalog has a card and a picture of each example', async () => {
    const { page } = explorer
    await explorer.go('/')
    await page.waitForSelector('.card strong')
    const { datasets } = (await (await fetch(`${server.url}datasets`)).json()) as { datasets: { id: string }[] }
    assert.equal(await page.locator('.card').count(), datasets.length)
    for (const card of await page.locator('.card').all()) {
      await card.scrollIntoViewIfNeeded()
      await card.locator('img').waitFor()
    }
  })

  test('every example opens and is drawn', async () => {
    const { datasets } = (await (await fetch(`${server.url}datasets`)).json()) as { datasets: { id: string }[] }
    assert.ok(datasets.length >= 15)
    for (const { id } of datasets) {
      await explorer.go(`/?source=${id}`)
      await explorer.drawn()
      const text = await textOf(explorer.page.locator('main'))
      assert.doesNotMatch(text, /could not be read|failed/i, id)
    }
  })

  for (const name of [...PLACED, ...UNPLACED]) {
    test(`${name} has the colours of the values that other readers find, as a grid`, async () =>
      await check(name, false))
  }
  for (const name of PLACED) {
    test(`${name} has them on the map, in its place`, async () => await check(name, true))
  }

  test('buoy is a line through the values that netCDF4 finds, with a gap wherever one is missing', async () => {
    const { page } = explorer
    const line = known['buoy']
    assert.ok(line !== undefined && 'values' in line)
    const { path, values } = line
    await explorer.go(`/?source=buoy&path=${path}`)
    await explorer.drawn()
    const area = await canvasBox(page)
    const ink = await inkOf(page)
    const places = values.map((_, index) => linePlace(values, index, area))
    const isThere = await touchesInk(page, places, ink)
    const wrong = values.flatMap((value, index) => (value !== null && isThere[index] !== true ? [index] : []))
    assert.deepEqual(wrong, [], 'indexes beside the line')
    // A line elsewhere would not pass: few of its points lie on it when it is turned upside down.
    const turned = await touchesInk(
      page,
      places.map(({ x, y }) => ({ x, y: area.height - 20 - y })),
      ink,
    )
    assert.ok(turned.filter(Boolean).length < values.length / 3, `${turned.filter(Boolean).length} of ${values.length}`)
    // The middle of the long gap, from top to bottom.
    const { x } = linePlace(values, 309, area)
    const column = Array.from({ length: Math.floor(area.height) - 50 }, (_, y) => ({ x, y: y + 14 }))
    assert.ok(values.slice(302, 317).every((value) => value === null))
    assert.ok((await touchesInk(page, column, ink)).every((one) => !one))
  })

  for (const name of ['sea-surface', 'harvest', 'nebula']) {
    test(`the value under the pointer is that of ${name}`, async () => {
      const array = knownOf(name)
      await show(name, array, false)
      const box = await canvasBox(explorer.page)
      for (const [row, column, value] of array.probes.slice(4, 9)) {
        const place = cellPlace(upright(name, array), [row, column], box, false)
        await explorer.page.mouse.move(box.x + place.x, box.y + place.y)
        const readout = explorer.page.locator('.readout', { hasText: `${row}, ${column}]` })
        const text = await textOf(readout)
        const [, said = ''] = /^(\S+)/.exec(text) ?? []
        if (value === null) assert.equal(said, 'missing', text)
        else assert.ok(Math.abs(Number(said) - value) <= Math.abs(value) * 1e-6 + 1e-9, `${text}: expected ${value}`)
      }
    })
  }

  for (const [name, file] of [
    ['sea-surface', 'sea-surface.nc'],
    ['harvest', 'harvest.tif'],
    ['atmosphere', 'atmosphere.nc'],
    ['nebula', 'nebula.fits'],
  ] as const) {
    test(`a dropped ${file} is read by the page itself, and has the same colours`, async () => {
      const { page, requests } = explorer
      await explorer.go('/')
      await page.waitForSelector('.card img')
      const before = requests.length
      await page.evaluate(dropping(file, readFileSync(join(EXAMPLES, file))))
      await explorer.drawn()
      // The page forgets files when it is loaded: the view is changed as "back" does.
      const query = queryOf(`dropped:${file}`, knownOf(name), false)
      await page.evaluate(
        `history.pushState(null, '', '?' + ${JSON.stringify(query)}); dispatchEvent(new PopStateEvent('popstate'))`,
      )
      await explorer.drawn()
      await checkColours(name, false)
      await page.getByRole('tab', { name: 'Code' }).click()
      assert.match(await textOf(page.locator('.panel code').first()), /^npx virtual-zarr open /)
      const asked = requests.slice(before).map((url) => new URL(url).pathname)
      assert.deepEqual(
        asked.filter((path) => !/^\/(?:assets|library)\//.test(path)),
        [],
      )
      assert.ok(asked.includes('/library/index.js'))
    })
  }

  test('no page asked for anything beyond the service, and none complained', () => {
    const foreign = explorer.requests.filter((url) => !url.startsWith(server.url) && !/^(blob|data):/.test(url))
    assert.deepEqual(foreign, [])
    assert.deepEqual(explorer.complaints, [])
  })

  function knownOf(name: string): KnownArray {
    const array = known[name]
    assert.ok(array !== undefined && 'probes' in array)
    return array
  }

  /** FITS counts its rows from below. */
  function upright(name: string, array: KnownArray): KnownArray {
    const isUnnamed = array.steps[0] === 1 && name !== 'nebula'
    return { ...array, steps: [isUnnamed ? -1 : array.steps[0], array.steps[1]] }
  }

  async function show(name: string, array: KnownArray, isMap: boolean): Promise<void> {
    await explorer.go(`/?${queryOf(name, array, isMap)}`)
    await explorer.drawn()
  }

  function queryOf(source: string, { path, at, axes, range }: KnownArray, isMap: boolean): string {
    const query = new URLSearchParams({
      source,
      path,
      colours: 'grey',
      range: range.join(','),
      map: isMap ? 'yes' : 'no',
    })
    const indexes = Object.entries(at).map(([dimension, index]) => `${dimension}:${index}`)
    if (indexes.length > 0) query.set('at', indexes.join(','))
    for (const axis of axes ?? []) query.append('axis', axis)
    return query.toString()
  }

  async function check(name: string, isMap: boolean): Promise<void> {
    const array = knownOf(name)
    await show(name, array, isMap)
    await checkColours(name, isMap)
  }

  async function checkColours(name: string, isMap: boolean): Promise<void> {
    const array = knownOf(name)
    const box = await canvasBox(explorer.page)
    // On maps a line may lie over the very middle of a cell.
    const spots = isMap
      ? [
          [0, 0],
          [0.3, 0.3],
          [-0.3, 0.3],
          [0.3, -0.3],
          [-0.3, -0.3],
        ]
      : [[0, 0]]
    const deadline = Date.now() + 30_000
    for (;;) {
      const places = array.probes.flatMap(([row, column]) => {
        const { x, y, cell } = cellPlace(upright(name, array), [row, column], box, isMap)
        return spots.map(([dx = 0, dy = 0]) => [x + dx * cell.width, y + dy * cell.height] as const)
      })
      const pixels = await pixelsAt(explorer.page, places)
      const wrong = array.probes.flatMap(([row, column, value, around], at) => {
        const seen = pixels.slice(at * spots.length, (at + 1) * spots.length)
        const { cell } = cellPlace(upright(name, array), [row, column], box, isMap)
        const isTiny = Math.min(cell.width, cell.height) < 1.5
        const wanted = (isTiny ? around : [value]).map((one) => wantedColour(one, array.range))
        const isRight = seen.some((pixel) => wanted.some((colour) => isLike(pixel, colour)))
        return isRight ? [] : [`[${row}, ${column}] ${value}: ${seen[0]} is not ${wanted[0]}`]
      })
      // The name of a meridian may hide one of them.
      if (wrong.length <= (isMap ? 1 : 0)) return
      if (Date.now() > deadline)
        assert.fail(`${wrong.length} of ${array.probes.length} places: ${wrong.slice(0, 6).join('; ')}`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
})

/** Drops a file with these bytes on the page. */
function dropping(name: string, bytes: Buffer): string {
  return `{
    const bytes = Uint8Array.from(atob(${JSON.stringify(bytes.toString('base64'))}), (sign) => sign.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], ${JSON.stringify(name)}))
    dispatchEvent(new DragEvent('drop', { dataTransfer: data }))
  }`
}

/** The colour of lines. */
async function inkOf(page: Page): Promise<readonly number[]> {
  const text = String(
    await page.evaluate(`getComputedStyle(document.querySelector('canvas')).getPropertyValue('--accent')`),
  )
  const [, hex = ''] = /^light-dark\(#([0-9a-f]{6})/.exec(text.trim()) ?? /^#([0-9a-f]{6})/.exec(text.trim()) ?? []
  assert.equal(hex.length, 6, text)
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
}

/** Whether there is a pixel of that colour at places, or next to them. */
async function touchesInk(
  page: Page,
  places: readonly { readonly x: number; readonly y: number }[],
  ink: readonly number[],
) {
  const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const))
  const pixels = await pixelsAt(
    page,
    places.flatMap(({ x, y }) => around.map(([dx, dy]) => [x + dx, y + dy] as const)),
  )
  return places.map((_, at) =>
    pixels
      .slice(at * around.length, (at + 1) * around.length)
      .some((pixel) => (pixel[3] ?? 0) > 60 && ink.every((channel, i) => Math.abs(channel - (pixel[i] ?? 0)) < 24)),
  )
}

function wantedColour(value: number | null, [low, high]: readonly [number, number]): readonly number[] {
  if (value === null) return [0, 0, 0, 0]
  const step = Math.round(((value - low) / (high - low)) * 255)
  return [...GREY.subarray(step * 3, step * 3 + 3), 255]
}

/** One step of the scale beside it is the same value, rounded. */
function isLike(pixel: readonly number[], wanted: readonly number[]): boolean {
  return wanted.every((channel, at) => Math.abs(channel - (pixel[at] ?? -99)) <= TOLERANCE)
}

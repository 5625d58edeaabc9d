import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { blocksOf } from '../interop/docs/blocks.ts'
import { type ServerProcess, startServer } from '../interop/server-process.ts'
import { interopPython } from '../interop/venv.ts'
import { findChromium, launchChromium } from './chromium.ts'
import type { KnownArray } from './explorer-geometry.ts'
import { decodePng, type Picture } from './png.ts'
import { startSite } from './site.ts'
import { BACKGROUND, RAMP, WINDOW_SIZE } from './viewer.ts'
import { NO_CHROMIUM } from './viewer-world.ts'

/** Between which the colours of the guide run. */
const [LOW, HIGH] = [-2, 30]
const TOLERANCE = 8
const PATIENCE_MS = 30_000

/** What a page has besides the guide's own code: where MapLibre's worker is, and how the test finds a place. */
const AROUND: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'ol/Map.js': ['', 'globalThis.pixelOf = (place) => map.getPixelFromCoordinate(place)'],
  'maplibre-gl': [
    'import { setWorkerUrl } from "maplibre-gl"; setWorkerUrl("/maplibre-worker.js")',
    'globalThis.pixelOf = (place) => { const { x, y } = map.project(place); return [x, y] }',
  ],
}

describe('the maps of docs/map-viewers.md', { skip: NO_CHROMIUM }, () => {
  let known: KnownArray
  let server: ServerProcess
  let browser: Browser
  before(async () => {
    const script = fileURLToPath(new URL('explorer_values.py', import.meta.url))
    const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
    const text = execFileSync(interopPython(), ['-W', 'ignore', script, examples], { encoding: 'utf8' })
    known = (JSON.parse(text) as { 'sea-surface': KnownArray })['sea-surface']
    server = await startServer()
    browser = await launchChromium(findChromium() ?? '')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  const blocks = blocksOf('docs/map-viewers.md').filter(({ language }) => language === 'js')
  test('each of its maps is here', () => {
    assert.equal(blocks.length, Object.keys(AROUND).length)
  })
  for (const [library, [before, after]] of Object.entries(AROUND)) {
    test(`the map of ${library} has the colours of the values that netCDF4 finds`, async () => {
      const block = blocks.find(({ code }) => code.includes(`from "${library}"`))
      assert.ok(block !== undefined)
      const code = block.code.replaceAll('http://127.0.0.1:8080/', server.url)
      const site = await startSite(`${before}\n${code}\n${after}`)
      try {
        const page = await browser.newPage({ viewport: { width: WINDOW_SIZE, height: WINDOW_SIZE } })
        const errors: string[] = []
        page.on('pageerror', (error) => errors.push(error.message))
        await page.goto(site.url)
        await untilRight(page)
        assert.deepEqual(errors, [])
        await page.close()
      } finally {
        await site.close()
      }
    })
  }

  async function untilRight(page: Page): Promise<void> {
    const probes = known.probes.map(([row, column, value]) => ({
      place: [-177.5 + 5 * column, 87.5 - 5 * row] as const,
      value,
    }))
    for (const deadline = Date.now() + PATIENCE_MS; ; ) {
      await page.waitForTimeout(250)
      const pixels = (await page.evaluate(
        `globalThis.pixelOf && ${JSON.stringify(probes.map(({ place }) => place))}.map((place) => pixelOf(place))`,
      )) as readonly (readonly [number, number] | null)[] | undefined
      const picture = decodePng(await page.screenshot())
      const isSeen = ([x = -1, y = -1]: readonly number[]) => Math.min(x, y) > 0 && Math.max(x, y) < WINDOW_SIZE
      // Mercator ends before the poles, and at its first zoom the world may be larger than the window.
      const seen = probes.flatMap((probe, at) => {
        const pixel = pixels?.[at] ?? []
        return isSeen(pixel) && Math.abs(probe.place[1]) < 75 ? [{ ...probe, colour: colourAt(picture, pixel) }] : []
      })
      const isEnough = seen.length >= 6 && seen.some(({ value }) => value === null)
      const wrong = seen.flatMap(({ place, value, colour }) => {
        const wanted = colourOf(value)
        const isRight = wanted.every((channel, i) => Math.abs(channel - (colour[i] ?? 0)) <= TOLERANCE)
        return isRight ? [] : [`${place}: ${colour} is not ${wanted}`]
      })
      if (isEnough && wrong.length === 0) return
      if (Date.now() > deadline) assert.fail(`${wrong.length} of ${seen.length}: ${wrong.slice(0, 6).join('; ')}`)
    }
  }
})

function colourOf(value: number | null): readonly number[] {
  if (value === null) return BACKGROUND
  const part = (value - LOW) / (HIGH - LOW)
  return RAMP[0].map((from, channel) => from + ((RAMP[1][channel] ?? 0) - from) * part)
}

function colourAt({ width, channels, data }: Picture, [x = 0, y = 0]: readonly number[]): readonly number[] {
  const at = (Math.floor(y) * width + Math.floor(x)) * channels
  return [...data.subarray(at, at + 3)]
}

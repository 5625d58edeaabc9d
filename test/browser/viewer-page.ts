import { mkdirSync, writeFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { decodePng, type Picture } from './png.ts'
import {
  type LonLat,
  type PageApi,
  type ReadLevel,
  type ScreenPoint,
  type ShownStore,
  type Viewer,
  type ViewerName,
  WINDOW_SIZE,
} from './viewer.ts'

/** So long asks for nothing who has all that he shows. */
const QUIET_MS = 400
const MOST_UNREST_MS = 45_000

const FAILURES = new URL('../../node_modules/.cache/browser-failures/', import.meta.url)

/** What `window` has in the page. */
type PageWindow = typeof globalThis & { viewers: PageApi; viewer: Viewer }

/** A browser's page with the viewers. */
export interface ViewerPage {
  readonly requests: string[]
  /** Errors of scripts, and what viewers write to the console as errors. */
  readonly errors: string[]
  open(name: ViewerName, store: ShownStore): Promise<void>
  show(corners: readonly LonLat[], pixels: number): Promise<void>
  /** Waits until it asks for nothing more. */
  settled(): Promise<void>
  /** The window as it is now. */
  picture(): Promise<Picture>
  pixelsOf(places: readonly LonLat[]): Promise<readonly ScreenPoint[]>
  read(url: string, level: string, places: readonly (readonly [number, number])[]): Promise<ReadLevel>
  /** Keeps the window as it is for those who look for a failure. */
  keep(name: string): Promise<string>
  close(): Promise<void>
}

/** Opens the site and waits until its scripts are there. */
export async function openPage(browser: Browser, site: string): Promise<ViewerPage> {
  const page = await browser.newPage({ viewport: { width: WINDOW_SIZE, height: WINDOW_SIZE } })
  const requests: string[] = []
  const errors: string[] = []
  let lastAt = 0
  page.on('request', (request) => {
    requests.push(request.url())
    lastAt = performance.now()
  })
  // Not when it has ended: of a request whose answer is dropped in the page nobody hears that.
  page.on('response', () => {
    lastAt = performance.now()
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // A chunk that was never written is a 404, of which Chromium writes a line.
    if (message.type() === 'error' && !message.text().includes('404')) errors.push(message.text())
  })
  await page.goto(site)
  await page.waitForFunction(() => (globalThis as PageWindow).viewers !== undefined)
  return {
    requests,
    errors,
    async open(name, store) {
      await page.evaluate(
        async (given) => {
          await (globalThis as PageWindow).viewers.open(given.name, given.store)
        },
        { name, store },
      )
    },
    async show(corners, pixels) {
      await page.evaluate((given) => (globalThis as PageWindow).viewer.show(given.corners, given.pixels), {
        corners,
        pixels,
      })
    },
    async settled() {
      const deadline = performance.now() + MOST_UNREST_MS
      while (performance.now() - lastAt < QUIET_MS) {
        if (performance.now() > deadline) throw new Error(`it still asks: ${requests.at(-1)}`)
        await page.waitForTimeout(100)
      }
    },
    picture: async () => decodePng(await page.screenshot()),
    pixelsOf: (places) => page.evaluate((given) => (globalThis as PageWindow).viewer.pixelsOf(given), places),
    read: (url, level, places) =>
      page.evaluate((given) => (globalThis as PageWindow).viewers.read(given.url, given.level, given.places), {
        url,
        level,
        places,
      }),
    async keep(name) {
      mkdirSync(FAILURES, { recursive: true })
      const file = new URL(`${name}.png`, FAILURES)
      writeFileSync(file, await page.screenshot())
      return `node_modules/.cache/browser-failures/${name}.png`
    },
    close: () => page.close(),
  }
}

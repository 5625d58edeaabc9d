import type { Browser, Locator, Page } from 'playwright-core'

/** The explorer in a page of a browser, with what it complained about. */
export interface ExplorerPage {
  readonly page: Page
  /** Errors of scripts and violations of the page's policy. */
  readonly complaints: readonly string[]
  /** What it asked for. */
  readonly requests: readonly string[]
  go(query: string): Promise<void>
  /** Waits until a picture is drawn from all that it needs. */
  drawn(): Promise<void>
}

export interface PageLooks {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
}

const PATIENCE_MS = 30_000

export async function openExplorer(
  browser: Browser,
  url: string,
  { width = 1280, height = 900, scheme = 'light' }: PageLooks = {},
): Promise<ExplorerPage> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' })
  page.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    // A chunk that was never written is 404, which is no complaint of the page's.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return {
    page,
    complaints,
    requests,
    async go(query) {
      await page.goto(new URL(query, url).href)
    },
    async drawn() {
      await page.waitForSelector('canvas[data-loaded="true"], canvas.line, .texts tbody, .scalar')
    },
  }
}

/** What an element says. */
export async function textOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? ''
}

/** Runs in the page, which alone has a document. */
const PIXELS = `(places) => {
  const canvas = document.querySelector('canvas')
  const { width, data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return places.map(([x, y]) => {
    const at = (Math.floor(y * devicePixelRatio) * width + Math.floor(x * devicePixelRatio)) * 4
    return [...data.subarray(at, at + 4)]
  })
}`

const BOX = `() => {
  const canvas = document.querySelector('canvas')
  const { left, top } = canvas.getBoundingClientRect()
  return { x: left + canvas.clientLeft, y: top + canvas.clientTop, width: canvas.clientWidth, height: canvas.clientHeight }
}`

/** Red, green, blue and alpha of places of the picture, in pixels from its upper left. */
export async function pixelsAt(page: Page, places: readonly (readonly [number, number])[]): Promise<number[][]> {
  return await page.evaluate(`(${PIXELS})(${JSON.stringify(places)})`)
}

/** The inside of the picture, in pixels of the page. */
export async function canvasBox(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  return await page.evaluate(`(${BOX})()`)
}

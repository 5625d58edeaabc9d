// What a person waits for: `node bench/explorer.ts [FOLDER]`, two minutes. Chromium opens the explorer on images of 16384 x 16384 whose origin
// takes 50 ms for each answer: time to the first view and to the first picture, and bytes on both sides of the service. Each time of
// each row has a service and a browser that were started for it, and a source that neither has seen. FOLDER keeps the images.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, launchChromium } from '../test/browser/chromium.ts'
import { interopPython } from '../test/interop/venv.ts'
import type { OriginCounts } from './latency-origin.ts'
import { startService } from './service.ts'

const LATENCY_MILLISECONDS = 50
const TIMES = Number(process.env['BENCH_TIMES'] ?? 5)

/** What is opened, and the sign that it is there. */
interface Page {
  readonly what: string
  readonly sign: string
  query(time: number): string
}

interface Once {
  readonly milliseconds: number
  readonly kilobytes: number
  readonly origin: OriginCounts
}

async function main(): Promise<void> {
  const chromium = findChromium()
  if (chromium === undefined) throw new Error('Chromium is not on this machine')
  const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'vz-explorer-bench-'))
  makeImages(folder)
  const origin = fork(fileURLToPath(new URL('latency-origin.ts', import.meta.url)), [folder])
  const [{ url }] = (await once(origin, 'message')) as [{ url: string }]
  const counts = async (): Promise<OriginCounts> => {
    origin.send({ latencyMilliseconds: LATENCY_MILLISECONDS })
    return ((await once(origin, 'message')) as [OriginCounts])[0]
  }
  const image = (file: string) => (time: number) => `?source=${encodeURIComponent(`${url}${time}/${file}`)}`
  const picture = 'canvas[data-loaded="true"]'
  const pages: readonly Page[] = [
    { what: 'the catalog: first view', sign: '.card strong', query: () => '' },
    { what: 'with overviews: first picture', sign: picture, query: image('overviews.tif') },
    { what: 'without overviews: its middle', sign: picture, query: image('plain.tif') },
  ]
  try {
    const rows: object[] = []
    for (const page of pages) {
      const all: Once[] = []
      for (let time = 0; time < TIMES; time++) all.push(await opened(chromium, url, page, time, counts))
      rows.push(summary(page.what, all))
    }
    console.table(rows)
    console.log(`${TIMES} times each; load at the end ${loadavg()[0]?.toFixed(1)}`)
  } finally {
    origin.kill()
    if (process.argv[2] === undefined) rmSync(folder, { recursive: true })
  }
}

function makeImages(folder: string): void {
  if (existsSync(join(folder, 'overviews.tif'))) return
  mkdirSync(folder, { recursive: true })
  const script = fileURLToPath(new URL('explorer_images.py', import.meta.url))
  execFileSync(interopPython(), [script, folder], { stdio: 'inherit' })
}

/** Opens a page in a browser that has nothing of it yet, of a service that has opened nothing. */
async function opened(
  chromium: string,
  originUrl: string,
  { sign, query }: Page,
  time: number,
  counts: () => Promise<OriginCounts>,
): Promise<Once> {
  const service = await startService([originUrl])
  const browser = await launchChromium(chromium)
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const tab = await context.newPage()
    let bytes = 0
    const session = await context.newCDPSession(tab)
    await session.send('Network.enable')
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await counts()
    const start = performance.now()
    await tab.goto(`${service.url}${query(time)}`, { waitUntil: 'commit' })
    await tab.locator(sign).first().waitFor({ timeout: 60_000 })
    // What the sign says is on the screen by the second frame.
    await tab.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const milliseconds = performance.now() - start
    return { milliseconds, kilobytes: bytes / 1000, origin: await counts() }
  } finally {
    await browser.close()
    await service.stop()
  }
}

/** Medians; of the time also the least and the most. */
function summary(what: string, all: readonly Once[]): object {
  const times = all.map(({ milliseconds }) => milliseconds)
  const median = (value: (one: Once) => number) => Math.round(medianOf(all.map(value)))
  return {
    what,
    'ms, median': median(({ milliseconds }) => milliseconds),
    least: Math.round(Math.min(...times)),
    most: Math.round(Math.max(...times)),
    'kB in the browser': median(({ kilobytes }) => kilobytes),
    'requests to the origin': median(({ origin }) => origin.requests),
    rounds: median(({ origin }) => origin.rounds),
    'kB from the origin': median(({ origin }) => origin.bytes / 1000),
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

await main()

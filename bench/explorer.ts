// What a person waits for: `node bench/explorer.ts [FOLDER]`. Chromium opens the explorer on images of 16384 x 16384 whose origin takes 50 ms
// for each answer: time to the first view and to the first picture, and bytes on both sides of the service.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { findChromium, launchChromium } from '../test/browser/chromium.ts'
import { interopPython } from '../test/interop/venv.ts'
import type { OriginCounts } from './latency-origin.ts'
import { startService } from './service.ts'

const LATENCY_MILLISECONDS = 50
const TIMES = 3

interface Measured {
  readonly what: string
  readonly milliseconds: readonly number[]
  readonly kilobytes: number
  readonly origin: string
}

async function main(): Promise<void> {
  const chromium = findChromium()
  if (chromium === undefined) throw new Error('Chromium is not on this machine')
  const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'vz-explorer-bench-'))
  if (!existsSync(join(folder, 'overviews.tif'))) {
    mkdirSync(folder, { recursive: true })
    const script = fileURLToPath(new URL('explorer_images.py', import.meta.url))
    execFileSync(interopPython(), [script, folder], { stdio: 'inherit' })
  }
  const origin = fork(fileURLToPath(new URL('latency-origin.ts', import.meta.url)), [folder])
  const [{ url: originUrl }] = (await once(origin, 'message')) as [{ url: string }]
  const counts = async (): Promise<OriginCounts> => {
    origin.send({ latencyMilliseconds: LATENCY_MILLISECONDS })
    return ((await once(origin, 'message')) as [OriginCounts])[0]
  }
  const service = await startService([originUrl])
  const browser = await launchChromium(chromium)
  try {
    const rows = [await measured(browser, 'the catalog: first view', counts, () => [service.url, '.card strong'])]
    let name = 0
    for (const file of ['overviews.tif', 'plain.tif']) {
      const page = (): [string, string] => [
        `${service.url}?source=${encodeURIComponent(`${originUrl}${name++}/${file}`)}`,
        'canvas[data-loaded="true"]',
      ]
      rows.push(await measured(browser, `${file}: first picture, cold`, counts, page))
    }
    console.table(rows.map((row) => ({ ...row, milliseconds: row.milliseconds.map(Math.round).join(' ') })))
  } finally {
    await browser.close()
    await service.stop()
    origin.kill()
  }
}

/** Opens a page some times, each in a browser that has nothing of it yet. */
async function measured(
  browser: Browser,
  what: string,
  counts: () => Promise<OriginCounts>,
  page: () => readonly [url: string, sign: string],
): Promise<Measured> {
  const milliseconds: number[] = []
  let [bytes, origin] = [0, '']
  for (let time = 0; time < TIMES; time++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const tab = await context.newPage()
    bytes = 0
    const session = await context.newCDPSession(tab)
    await session.send('Network.enable')
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await counts()
    const [url, sign] = page()
    const start = performance.now()
    await tab.goto(url)
    await tab.locator(sign).first().waitFor({ timeout: 60_000 })
    milliseconds.push(performance.now() - start)
    const { requests, rounds, bytes: read } = await counts()
    origin = `${requests} requests, ${rounds} rounds, ${Math.round(read / 1000)} kB`
    await context.close()
  }
  return { what, milliseconds, kilobytes: Math.round(bytes / 1000), origin }
}

await main()

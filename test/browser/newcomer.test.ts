import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../helpers/ports.ts'
import { interopPython } from '../interop/venv.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { canvasBox, type ExplorerPage, openExplorer, textOf } from './explorer-page.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const chromium = findChromium()
const skip = chromium === undefined && 'Chromium is not on this machine (PATH, or the variable CHROMIUM)'
/** It takes a minute on a machine that does nothing else: this is for what hangs. */
const HANG_MS = 600_000

/** In the Atlantic. */
const [LATITUDE, LONGITUDE] = [47.5, -32.5]

describe('the first minute of a newcomer', { skip, timeout: HANG_MS }, () => {
  test('npm start, a card, the map, a value under the pointer, a copied snippet: the same value in xarray', async (context) => {
    const python = interopPython()
    const start = performance.now()
    const port = await freePort()
    const server = spawn('npm', ['start'], { cwd: ROOT, env: { ...process.env, PORT: String(port) }, stdio: 'ignore' })
    const ended = once(server, 'exit')
    const browser = await launchChromium(chromium ?? '')
    try {
      const url = `http://127.0.0.1:${port}/`
      await untilReady(url)
      const explorer = await openExplorer(browser, url)
      const { value, index } = await valueOnTheMap(explorer)
      await explorer.page.getByRole('tab', { name: 'Code' }).click()
      await explorer.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await explorer.page.getByRole('button', { name: 'Copy the xarray snippet' }).click()
      const code = String(await explorer.page.evaluate('navigator.clipboard.readText()'))
      const { stdout } = await promisify(execFile)(python, [
        '-W',
        'ignore',
        '-c',
        `${code}\nprint(float(ds.sst[${index}]))`,
      ])
      assert.ok(Math.abs(Number(stdout.trim().split('\n').at(-1)) - value) < 1e-9, `${stdout} is not ${value}`)
      context.diagnostic(`${((performance.now() - start) / 1000).toFixed(1)} s`)
    } finally {
      await browser.close()
      server.kill('SIGTERM')
      await ended
    }
  })
})

/** Opens a card, waits for the map, and points at the sea. */
async function valueOnTheMap({ page, go, drawn }: ExplorerPage): Promise<{ value: number; index: string }> {
  await go('/')
  await page.getByRole('link', { name: /Sea surface temperature/ }).click()
  await drawn()
  assert.equal(await page.getByRole('button', { name: 'Map' }).getAttribute('aria-pressed'), 'true')
  const { x, y, width, height } = await canvasBox(page)
  // The whole world is shown, in the middle.
  const pixels = Math.min(width / 360, height / 180)
  await page.mouse.move(x + width / 2 + LONGITUDE * pixels, y + height / 2 - LATITUDE * pixels)
  const text = await textOf(page.locator('.readout', { hasText: `lat ${LATITUDE}°, lon ${LONGITUDE}°` }))
  const [, value, index] = /^(-?[\d.]+) .*\[([\d, ]+)\]$/.exec(text) ?? assert.fail(text)
  return { value: Number(value), index: index ?? '' }
}

async function untilReady(url: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const isReady = await fetch(`${url}health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('npm start was not ready within a minute')
}

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { everySource } from '../every-source/sources.ts'
import { type ServerProcess, startServer } from '../interop/server-process.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { openExplorer } from './explorer-page.ts'

// The first view of every file in a real page. `test/every-source` has the page's requests and its arithmetic; here is what is left:
// that components show whatever an inspection says.

const PROJECT = new URL('../../', import.meta.url)
/** The one folder that holds the project and the corpora. */
const ROOT = existsSync(new URL('../shared/corpus/', PROJECT)) ? new URL('../', PROJECT) : PROJECT
const PAGES = 2
/** A picture of very many chunks may take longer: what is there by then is looked at. */
const MAX_WAIT_MS = 5000
const OWN_FAILURE = /This page failed|Internal Server Error|The service does not answer/

const chromium = findChromium()
const skip = chromium === undefined && 'Chromium is not on this machine (PATH, or the variable CHROMIUM)'
if (skip) console.log(`skipped: ${skip}`)

/** Runs in the page: whether its main part is there, and nothing of it still under way. */
const IS_SETTLED = `() => {
  const main = document.querySelector('main')
  if (main === null || main.querySelector('h1, h2') === null) return false
  const isBusy = document.querySelector('main[aria-busy=true], main [aria-busy=true], canvas[data-loaded=false]') !== null
  return !isBusy
}`

describe('the explorer on every source', { skip }, () => {
  let server: ServerProcess
  let browser: Browser
  before(async () => {
    server = await startServer({ VZ_FILE_ROOT: fileURLToPath(ROOT), VZ_LOG_LEVEL: 'silent' })
    browser = await launchChromium(chromium ?? '')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('shows it, or what is wrong with it, and never fails itself', async () => {
    const queue = everySource().values()
    const wrong: string[] = []
    let shown = 0
    const work = async () => {
      const explorer = await openExplorer(browser, server.url)
      const { page, complaints } = explorer
      await explorer.go('/')
      let known = 0
      for (const source of queue) {
        const query = new URLSearchParams({ source: source.href }).toString()
        await page.evaluate(
          `history.pushState(null, '', ${JSON.stringify(`/?${query}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
        )
        await page.waitForFunction(IS_SETTLED, undefined, { timeout: MAX_WAIT_MS, polling: 30 }).catch(() => undefined)
        const text = (await page.locator('#app, body').first().textContent()) ?? ''
        if (OWN_FAILURE.test(text) || text.trim() === '') wrong.push(`${source.pathname}: ${text.slice(0, 300)}`)
        for (const complaint of complaints.slice(known)) wrong.push(`${source.pathname}: ${complaint}`)
        known = complaints.length
        shown++
      }
    }
    await Promise.all(Array.from({ length: PAGES }, work))
    assert.deepEqual(wrong, [])
    assert.ok(shown > 300, `${shown} sources`)
  })
})

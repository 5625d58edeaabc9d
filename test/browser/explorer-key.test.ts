import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Request } from 'playwright-core'
import { type ServerProcess, startServer } from '../interop/server-process.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { openExplorer, textOf } from './explorer-page.ts'

const KEY = 'canary-of-the-explorer-0123456789'
const chromium = findChromium()
const skip = chromium === undefined && 'Chromium is not on this machine (PATH, or the variable CHROMIUM)'

describe('the explorer of a service that wants a key', { skip }, () => {
  let server: ServerProcess
  let browser: Browser
  before(async () => {
    server = await startServer({ VZ_API_KEYS: `tester:${KEY}` })
    browser = await launchChromium(chromium ?? '')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('PROC-2: it says that a key is wanted, and tells nothing else', async () => {
    const { page } = await openExplorer(browser, server.url)
    for (const query of ['', '?source=sea-surface']) {
      const answer = await page.goto(`${server.url}${query}`)
      assert.equal(answer?.status(), 401)
      await page.getByRole('alert').waitFor()
      assert.match(
        await textOf(page.getByRole('alert')),
        /A key or a signature is needed.*open to those who have a key/,
      )
      assert.doesNotMatch(await page.content(), /Sea surface temperature/)
      await page.getByLabel('API key').waitFor()
    }
    await page.close()
  })

  test('PROC-2: a wrong key is said to be wrong; the right one opens all of it, and travels in a header alone', async () => {
    const { page, drawn, complaints } = await openExplorer(browser, server.url)
    const asked: Request[] = []
    page.on('request', (request) => asked.push(request))
    await page.goto(server.url)
    await page.getByLabel('API key').fill('not-a-key-of-this-service')
    await page.keyboard.press('Enter')
    await page.getByText('is not one of this service’s').waitFor()
    await page.getByLabel('API key').fill(KEY)
    await page.keyboard.press('Enter')
    await page.locator('.card img').first().waitFor()
    await page.getByRole('link', { name: /Sea surface temperature/ }).click()
    await drawn()
    await page.getByRole('tab', { name: 'Storage' }).click()
    await page.locator('.chunk-map canvas').waitFor()
    await page.getByRole('tab', { name: 'Code' }).click()
    const code = await textOf(page.getByRole('tabpanel'))
    assert.match(code, /os\.environ\['API_KEY'\]/)
    assert.ok(!(await page.content()).includes(KEY))
    const paths = asked.map((request) => new URL(request.url()).pathname)
    assert.ok(paths.some((path) => path.startsWith('/zarr/sea-surface/sst/c/')))
    assert.ok(paths.includes('/inspect/chunks'))
    for (const request of asked) assert.ok(!request.url().includes(KEY))
    assert.equal(await page.evaluate('localStorage.length + document.cookie.length'), 0)
    // It stays for this tab, and goes when that is wished.
    await page.reload()
    await page.getByRole('tab', { name: 'Code' }).waitFor()
    await page.getByRole('button', { name: 'Forget it' }).click()
    await page.getByLabel('API key').waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
  })

  test('a tab of its own knows no key of another', async () => {
    const { page } = await openExplorer(browser, server.url)
    await page.goto(`${server.url}?source=relief`)
    await page.getByLabel('API key').waitFor()
    await page.close()
  })
})

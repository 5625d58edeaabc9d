import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { textOf } from './explorer-page.ts'
import { explorerWorld } from './explorer-world.ts'
import { NO_CHROMIUM } from './viewer-world.ts'

/** What the page says of an opening, until that is over. */
const COUNTED = `new Promise((resolve) => {
  const seen = new Set()
  const look = () => {
    const status = document.querySelector('.opening [role=status]')
    if (status !== null) seen.add(status.textContent)
    else if (document.querySelector('article, [role=alert]') !== null) return resolve([...seen].join('; '))
    requestAnimationFrame(look)
  }
  look()
})`

describe('the explorer on what fails, or takes long', { skip: NO_CHROMIUM }, () => {
  let origin: Server
  let originUrl: string
  before(async () => {
    const part = netcdf3File({ rows: 2, columns: 3 })
    origin = createServer((request, response) => {
      if (request.url === '/page.nc') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>')
      else if (request.url === '/failing.nc') response.writeHead(500).end()
      else if (request.url?.startsWith('/parts/'))
        setTimeout(() => response.writeHead(200, { etag: '"1"' }).end(part), 400)
      // Never answers.
      else if (request.url !== '/slow.nc') response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
    originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`
  })
  after(() => {
    origin?.closeAllConnections()
    origin?.close()
  })
  const world = explorerWorld(() => ({ VZ_ALLOW_SOURCES: `${originUrl}/` }))

  const FAILURES: readonly (readonly [what: string, source: () => string, title: RegExp, advice: RegExp])[] = [
    ['an address that is none', () => 'not a url', /makes no sense/, /absolute URL/],
    ['a private address', () => 'http://10.0.0.1/a.nc', /may not be read/, /--allow/],
    ['a file that is not there', () => `${originUrl}/none.nc`, /no such source/, /spelling/],
    ['a host that fails', () => `${originUrl}/failing.nc`, /fail|origin|host/i, /Try again/],
    ['a page instead of a file', () => `${originUrl}/page.nc`, /fails/, /Try again/],
    ['a catalog id that is not there', () => 'nothing-of-that-name', /no such source/, /spelling/],
  ]
  for (const [what, source, title, advice] of FAILURES) {
    test(`${what} is told in words, with what to try`, async () => {
      await world.opened(async ({ page, go }) => {
        await go(`/?source=${encodeURIComponent(source())}`)
        const note = page.locator('[role=alert]')
        await note.waitFor()
        assert.match(await textOf(note.locator('h2')), title)
        assert.match(await textOf(note), advice)
      })
    })
  }

  test('an opening that takes long says so, and is left by Cancel', async () => {
    await world.opened(async ({ page, go }) => {
      await go(`/?source=${encodeURIComponent(`${originUrl}/slow.nc`)}`)
      await page.locator('progress').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.waitForSelector('.cards')
      assert.equal(new URL(page.url()).search, '')
    })
  })

  test('a join tells how many of its files are read, until it is open', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      await go(
        `/?source=${encodeURIComponent(`${originUrl}/parts/{000..239}.nc`)}&options=${encodeURIComponent('along=y')}`,
      )
      const counts = await page.evaluate(COUNTED)
      const read = [...String(counts).matchAll(/(\d+) of (\d+)/g)].map(
        ([, one, of]) => [Number(one), Number(of)] as const,
      )
      assert.ok(read.length > 1, String(counts))
      assert.deepEqual(
        read,
        read.toSorted(([a], [b]) => a - b),
      )
      assert.ok(read.every(([one, of]) => of === 240 && one <= of))
      await drawn()
      assert.match(await textOf(page.locator('.facts')), /y.*480/)
    })
  })

  test('Cancel leaves a join while its files are read: nothing more is asked', async () => {
    await world.opened(async ({ page, go, requests }) => {
      await go(
        `/?source=${encodeURIComponent(`${originUrl}/parts/{300..699}.nc`)}&options=${encodeURIComponent('along=y')}`,
      )
      await page.locator('[role=status]', { hasText: /\d+ of 400/ }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.waitForSelector('.card strong')
      const before = requests.length
      await page.waitForTimeout(1000)
      // What is asked now is for the pictures of the cards.
      assert.ok(requests.slice(before).every((url) => !decodeURIComponent(url).includes('parts')))
      assert.equal(new URL(page.url()).search, '')
    })
  })
})

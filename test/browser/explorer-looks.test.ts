import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { PageLooks } from './explorer-page.ts'
import { explorerWorld } from './explorer-world.ts'
import { NO_CHROMIUM } from './viewer-world.ts'

/** Adds up how far things moved that nobody asked to move. */
const SHIFTS = `
window.shifts = { total: 0, moved: [] }
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue
    window.shifts.total += value
    window.shifts.moved.push(...sources.map(({ node }) => (node?.className || node?.nodeName || 'gone') + ' ' + value.toFixed(4) + ' ' + ((node?.parentElement ?? {}).className ?? '')))
  }
}).observe({ type: 'layout-shift', buffered: true })`
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

describe('how the explorer looks', { skip: NO_CHROMIUM }, () => {
  const world = explorerWorld()

  test('nothing moves while a page comes: no layout shift that a person would see', async () => {
    for (const looks of [{}, { width: 400, height: 800 }] as const) {
      await world.opened(async ({ page, go, drawn }) => {
        await page.addInitScript(SHIFTS)
        for (const query of [
          '/',
          '/?source=sea-surface',
          '/?source=atmosphere&path=',
          '/?source=buoy&path=wave_height',
          '/?source=currents&path=u&tab=storage',
        ]) {
          await go(query)
          if (query === '/') await page.waitForSelector('.card img')
          else if (/path=$/.test(query)) await page.waitForSelector('article')
          else if (query.includes('tab=')) await page.locator('.chunk-map canvas').waitFor()
          else await drawn()
          await page.waitForTimeout(500)
          const { total, moved } = (await page.evaluate('window.shifts')) as { total: number; moved: string[] }
          assert.ok(total < 0.01, `${query} at ${JSON.stringify(looks)}: ${total} (${moved.join(', ')})`)
        }
      }, looks)
    }
  })

  const IMAGES: readonly (readonly [name: string, query: string, looks: PageLooks])[] = [
    ['explorer', '/?source=sea-surface&at=time:6', { width: 1120, height: 760 }],
    ['explorer-dark', '/?source=currents&path=u&colours=blue-red', { width: 1120, height: 760, scheme: 'dark' }],
    ['explorer-storage', '/?source=currents&path=u&tab=storage', { width: 1120, height: 700 }],
    ['explorer-phone', '/?source=atmosphere&path=cloud', { width: 400, height: 760 }],
  ]
  test('the pictures of the documents are small; EXPLORER_IMAGES=docs/images writes them', async () => {
    for (const [name, query, looks] of IMAGES) {
      await world.opened(async ({ page, go, drawn }) => {
        await go(query)
        if (query.includes('tab=')) await page.locator('.chunk-map canvas').waitFor()
        else await drawn()
        await page.waitForTimeout(1500)
        const image = await page.screenshot()
        assert.ok(image.length > 10_000 && image.length < 150_000, `${name}: ${image.length} bytes`)
        const folder = process.env['EXPLORER_IMAGES']
        if (folder !== undefined) writeFileSync(join(folder, `${name}.png`), image)
      }, looks)
    }
  })

  const LOOKS: readonly PageLooks[] = [{}, { scheme: 'dark' }, { width: 400, height: 800 }]
  for (const looks of LOOKS) {
    const name = JSON.stringify(looks)
    test(`axe finds nothing serious, and nothing is wider than the page: ${name}`, async () => {
      await world.opened(async ({ page, go, drawn, complaints }) => {
        const pages = [
          '/',
          '/?source=atmosphere&path=',
          '/?source=atmosphere',
          '/?source=atmosphere&path=cloud',
          '/?source=buoy',
          '/?source=forest&path=plots/species',
          '/?source=chlorophyll&tab=storage',
          '/?source=sea-surface&tab=missing',
          '/?source=sea-surface&tab=code',
          '/?source=sea-surface&versus=relief',
          '/?source=http://10.0.0.1/a.nc',
        ]
        for (const query of pages) {
          await go(query)
          await page.waitForSelector('.card, article, [role=alert], .compare table').catch((error: unknown) => {
            throw new Error(`${query} shows nothing`, { cause: error })
          })
          if (/source=(atmosphere|buoy|forest)(?!&path=$)/.test(query)) await drawn()
          assert.deepEqual(await seriousFindings(page), [], query)
          const width = await page.evaluate('document.scrollingElement.scrollWidth')
          assert.ok(Number(width) <= (looks.width ?? 1280), `${query} is ${width} wide`)
        }
        assert.deepEqual(complaints, [])
      }, looks)
    })
  }
})

async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const found = (await page.evaluate('axe.run()')) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

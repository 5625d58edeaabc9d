import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { textOf } from './explorer-page.ts'
import { explorerWorld } from './explorer-world.ts'
import { NO_CHROMIUM } from './viewer-world.ts'

describe('files of the own computer', { skip: NO_CHROMIUM }, () => {
  const world = explorerWorld((folder) => {
    for (const [name, rows] of [
      ['one', 4],
      ['two', 6],
    ] as const) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'my grid.nc'), netcdf3File({ rows, columns: 3 }))
    }
    return {}
  })
  const pathOf = (...names: readonly string[]) => join(world.folder, ...names)

  test('a dropped file that is no data says so, and one that is gone asks to be dropped again', async () => {
    await world.opened(async ({ page, go }) => {
      await go('/')
      await page.waitForSelector('.card strong')
      await choose(page, "it's mine.nc", 'plain text')
      await page.locator('[role=alert]', { hasText: 'the source is text' }).waitFor()
      await page.reload()
      await page.locator('[role=alert]', { hasText: 'Drop it on the page again' }).waitFor()
    })
  })

  test('a file that a page forgot when it was loaded again is dropped there, and shown as before', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      await go('/')
      await drop(page, pathOf('one', 'my grid.nc'))
      await drawn()
      await page.getByRole('tab', { name: 'Missing values' }).click()
      await page.reload()
      await page.getByRole('alert').waitFor()
      await drop(page, pathOf('one', 'my grid.nc'))
      await page.getByRole('heading', { name: 'What clients make of it' }).waitFor()
    })
  })

  test('a second file of the same name is another one, also for those who go back', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      await go('/')
      await drop(page, pathOf('one', 'my grid.nc'))
      await drawn()
      const facts = page.locator('.facts')
      assert.match(await textOf(facts), /4 × /)
      await drop(page, pathOf('two', 'my grid.nc'))
      await page.locator('.facts', { hasText: /6 × / }).waitFor()
      await page.goBack()
      await page.locator('.facts', { hasText: /4 × / }).waitFor()
      await page.goForward()
      await page.locator('.facts', { hasText: /6 × / }).waitFor()
    })
  })

  test('a dropped folder is answered with the command that opens it, and leaves what is open', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      mkdirSync(pathOf('it is a.zarr'))
      await go('/?source=relief')
      await drawn()
      await drop(page, pathOf('it is a.zarr'))
      await page.getByText('is a folder').waitFor()
      assert.match(await textOf(page.locator('.notice code')), /^npx virtual-zarr open '\.\/it is a\.zarr'$/)
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByText('is a folder').waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).searchParams.get('source'), 'relief')
    })
  })

  test('a file that changes after it was dropped is said to have changed, and never shown as it was half', async () => {
    await world.opened(async ({ page, go }) => {
      const path = pathOf('fleeting.nc')
      writeFileSync(path, readFileSync(pathOf('one', 'my grid.nc')))
      await go('/')
      await page.evaluate(`addEventListener('drop', () => { window.taken = true }, { once: true })`)
      await page.route('**/library/index.js', async (route) => {
        // The file changes while the page is still loading what reads it.
        writeFileSync(path, netcdf3File({ rows: 9, columns: 9 }))
        await route.continue()
      })
      await drop(page, path)
      await page.locator('[role=alert]', { hasText: 'changed or moved' }).waitFor()
    })
  })

  test('where the package for pages was not built, a dropped file is answered with the command that opens it', async () => {
    await world.opened(async ({ page, go }) => {
      await page.route('**/library/index.js', (route) => route.fulfill({ status: 404 }))
      await go('/')
      await page.waitForSelector('.card strong')
      await choose(page, "it's mine.nc", 'x')
      assert.match(await textOf(page.locator('.notice code')), /^npx virtual-zarr open '\.\/it'\\''s mine\.nc'$/)
    })
  })
})

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.setInputFiles('input[type=file]', { name, mimeType: '', buffer: Buffer.from(text) })
}

/** Drops a file or a folder of this machine on the middle of the page, as a person does. */
async function drop(page: Page, path: string): Promise<void> {
  await page.waitForSelector('footer a')
  const session = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', {
      type,
      x: 300,
      y: 200,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    })
}

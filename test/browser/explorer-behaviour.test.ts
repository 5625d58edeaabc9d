import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { interopPython } from '../interop/venv.ts'
import { canvasBox, pixelsAt, textOf } from './explorer-page.ts'
import { explorerWorld } from './explorer-world.ts'
import { EVIL, writeHostileStore } from './hostile-store.ts'
import { NO_CHROMIUM } from './viewer-world.ts'

/** 4096 x 4096 in tiles of 256, without overviews. */
const LARGE_IMAGE = `
import sys, numpy as np, tifffile
image = np.add.outer(np.arange(4096), np.arange(4096)).astype("uint16") + 1
tifffile.imwrite(sys.argv[1], image, tile=(256, 256), compression="zlib")
`
/** As many objects as the service reads of an HDF5 file, in 50 groups. */
const MANY_ARRAYS = `
import sys, h5py
with h5py.File(sys.argv[1], "w", libver="latest") as file:
    groups = [file.create_group(f"g{i}") for i in range(50)]
    for i in range(24900):
        groups[i % 50].create_dataset(f"array{i}", (2,), "u1")
`

describe('the explorer, whatever a store holds', { skip: NO_CHROMIUM }, () => {
  const world = explorerWorld((folder) => {
    mkdirSync(join(folder, 'hostile.zarr'))
    writeHostileStore(join(folder, 'hostile.zarr'))
    execFileSync(interopPython(), ['-W', 'ignore', '-c', LARGE_IMAGE, join(folder, 'large.tif')])
    return {}
  })

  test('the field opens what is pasted, and says what is wrong with it in place', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      await go('/')
      await page.getByLabel('URL of a file or store').fill(`${world.url}zarr/sea-surface/zarr.json`)
      await page.keyboard.press('Enter')
      await drawn()
      assert.equal(new URL(page.url()).searchParams.get('source'), 'sea-surface')
      await page.goBack()
      await page.waitForSelector('.cards')
    })
  })

  test('nothing that a file says becomes markup, on any page of it', async () => {
    await world.opened(async ({ page, go, drawn, complaints }) => {
      const source = `source=${encodeURIComponent(`${pathToFileURL(join(world.folder, 'hostile.zarr')).href}/`)}`
      await go(`/?${source}&path=`)
      await page.waitForSelector('article')
      for (const fold of await page.locator('details.fold > summary').all()) await fold.click()
      assert.ok((await textOf(page.locator('main'))).includes(EVIL))
      const links = await Promise.all((await page.locator('.variable').all()).map((link) => link.getAttribute('href')))
      const paths = links.map((link) => new URL(link ?? '', page.url()).searchParams.get('path') ?? '')
      assert.equal(paths.length, 2)
      for (const path of paths) {
        for (const tab of ['data', 'storage', 'missing', 'code']) {
          await go(`/?${source}&path=${encodeURIComponent(path)}&tab=${tab}`)
          if (tab === 'data') await drawn()
          await page.waitForSelector('article')
        }
      }
      await go(`/?${source}&versus=sea-surface`)
      await page.waitForSelector('.compare table')
      assert.equal(await page.evaluate('window.pwned'), undefined)
      assert.equal(await page.locator('main img, main b b, main script, [onerror], [onload]').count(), 0)
      assert.deepEqual(complaints, [])
    })
  })

  test('the address is the view: a slider, a colour and a tab are in it, and are found again', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      await go('/?source=sea-surface')
      await drawn()
      await page.getByLabel('time', { exact: true }).fill('5')
      await page.locator('.slider output', { hasText: '2024-06' }).waitFor()
      await page.getByLabel('colours').selectOption('magma')
      const address = page.url()
      assert.match(address, /at=time%3A5/)
      await page.goto(address)
      await drawn()
      assert.equal(await page.getByLabel('colours').inputValue(), 'magma')
      assert.match(await textOf(page.locator('.slider output')), /^2024-06/)
      await page.getByRole('tab', { name: 'Missing values' }).click()
      assert.match(page.url(), /tab=missing/)
      assert.match(await textOf(page.getByRole('tabpanel')), /-32768 from: attribute _FillValue/)
    })
  })

  test('the keyboard reaches everything: the tree, the tabs, the picture', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      await go('/?source=atmosphere&path=')
      await page.getByRole('tree').focus()
      for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter'])
        await page.keyboard.press(key)
      await drawn()
      assert.equal(new URL(page.url()).searchParams.get('path'), 'air_temperature')
      await page.getByRole('tab', { name: 'Data' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: 'Chunk map' }).waitFor()
      await page.locator('.chunk-map canvas').focus()
      await page.keyboard.press('ArrowRight')
      assert.match(await textOf(page.locator('.readout')), /^time 0.*: stored/)
      await page.getByLabel('Find a group or an array').fill('pressure')
      assert.deepEqual(
        await page.getByRole('treeitem').allInnerTexts(),
        ['▾Overview', '▾stations', '▾hourly', 'pressure'].map((text) => text),
      )
    })
  })

  test('with the keyboard alone a source is opened, drawn at another time, moved, and its snippet copied', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      await go('/')
      await page.waitForSelector('.card strong')
      await tabTo(page, '#source')
      await page.keyboard.type('sea-surface')
      await page.keyboard.press('Enter')
      await drawn()
      await tabTo(page, '#slider-time')
      await page.keyboard.press('End')
      await page.locator('.slider output', { hasText: '2024-12' }).waitFor()
      await drawn()
      const before = await pixelsAt(page, [[300, 200]])
      await tabTo(page, '.plot canvas')
      for (const key of ['+', '+', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key)
      for (let time = 0; isDeepStrictEqual(await pixelsAt(page, [[300, 200]]), before); time++) {
        assert.ok(time < 100, 'the picture has not moved')
        await page.waitForTimeout(100)
      }
      await tabTo(page, '.limit[aria-label="Highest value"]')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('20')
      await page.keyboard.press('Enter')
      await page.waitForURL(/range=/)
      await tabTo(page, '[role=tab][aria-selected=true]', 'Shift+Tab')
      for (let time = 0; time < 3; time++) await page.keyboard.press('ArrowRight')
      await tabTo(page, '.snippet button')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.keyboard.press('Enter')
      await page.getByText('Copied').waitFor()
      assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^import xarray as xr/)
    })
  })

  test('the picture and the values shown are saved', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      await go('/?source=sea-surface&at=time:0')
      await drawn()
      const [picture] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save picture' }).click(),
      ])
      assert.deepEqual(readFileSync(await picture.path()).subarray(0, 4), Buffer.from([0x89, 0x50, 0x4e, 0x47]))
      const [values] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save values' }).click(),
      ])
      const rows = readFileSync(await values.path(), 'utf8')
        .trim()
        .split('\r\n')
        .map((row) => row.split(','))
      assert.deepEqual([rows.length, rows[0]?.length], [37, 73])
      assert.equal(rows[1]?.[0], '87.5')
    })
  })

  test('24,900 arrays are listed, found and moved through without delay', async () => {
    execFileSync(interopPython(), ['-c', MANY_ARRAYS, join(world.folder, 'many.h5')])
    await world.opened(async ({ page, go }) => {
      await go(`/?source=${encodeURIComponent(`${pathToFileURL(join(world.folder, 'many.h5')).href}`)}&path=`)
      const field = page.getByLabel('Find a group or an array')
      await field.waitFor({ timeout: 180_000 })
      assert.match((await field.getAttribute('placeholder')) ?? '', /24950/)
      assert.ok((await page.getByRole('treeitem').count()) < 100)
      await field.fill('array24899')
      await page.getByRole('treeitem', { name: 'array24899' }).waitFor()
      await field.fill('array')
      const spent = Number(
        await page.evaluate(`new Promise((resolve) => {
        const rows = document.querySelector('.tree-rows')
        const start = performance.now()
        let frames = 0
        const step = () => {
          rows.scrollTop = frames * 20_000
          if (++frames < 30) requestAnimationFrame(step)
          else resolve((performance.now() - start) / frames)
        }
        requestAnimationFrame(step)
      })`),
      )
      assert.ok((await page.getByRole('treeitem').count()) < 100)
      assert.ok(spent < 250, `${spent} ms a frame`)
    })
  })

  test('an image without overviews is shown in its middle, and as a whole when that is asked for', async () => {
    await world.opened(async ({ page, go, drawn }) => {
      await go(`/?source=${encodeURIComponent(pathToFileURL(join(world.folder, 'large.tif')).href)}`)
      await drawn()
      await page.getByText('This is the middle of the array').waitFor()
      await page.getByRole('button', { name: 'Read all of it' }).click()
      await page.getByText('This is the middle of the array').waitFor({ state: 'detached', timeout: 60_000 })
      await drawn()
      const { width, height } = await canvasBox(page)
      const [left, right] = [(width - 84) / 2 + 72 - (height - 44) / 2, (width - 84) / 2 + 72 + (height - 44) / 2]
      const corners = [
        [left + 4, 16],
        [right - 4, height - 36],
      ] as const
      for (let time = 0; ; time++) {
        const colours = await pixelsAt(page, corners)
        if (colours.every(([, , , alpha]) => alpha === 255)) break
        assert.ok(time < 60, JSON.stringify(colours))
        await page.waitForTimeout(250)
      }
    })
  })

  test('sources are compared, side by side', async () => {
    await world.opened(async ({ page, go }) => {
      await go('/?source=chlorophyll&versus=chlorophyll;codecs=raw')
      await page.getByRole('heading', { name: /^\d+ difference/ }).waitFor()
      assert.match(await textOf(page.locator('.compare table')), /arrays › chlorophyll › codecs/)
      await go('/?source=sea-surface&versus=sea-surface')
      await page.getByRole('heading', { name: 'No differences' }).waitFor()
    })
  })
})

/** Presses a key until an element has the focus, which then can be seen. */
async function tabTo(page: Page, element: string, key = 'Tab'): Promise<void> {
  const isThere = `document.activeElement.matches(${JSON.stringify(element)})`
  for (let presses = 0; !(await page.evaluate(isThere)); presses++) {
    assert.ok(presses < 60, `${element} is not reached`)
    await page.keyboard.press(key)
  }
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  assert.notEqual(outline, 'none', `${element} shows no focus`)
}

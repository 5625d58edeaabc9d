import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { colourTable } from '../../web/src/plot/colours.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type ServerProcess, startServer } from '../interop/server-process.ts'
import { interopPython } from '../interop/venv.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { canvasBox, type ExplorerPage, openExplorer, type PageLooks, pixelsAt, textOf } from './explorer-page.ts'
import { EVIL, writeHostileStore } from './hostile-store.ts'
import { writeZarrFolder } from './zarr-folder.ts'

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
const chromium = findChromium()
const skip = chromium === undefined && 'Chromium is not on this machine (PATH, or the variable CHROMIUM)'
if (skip) console.log(`skipped: ${skip}`)

describe('the explorer, whatever happens', { skip }, () => {
  let folder: string
  let origin: Server
  let originUrl: string
  let server: ServerProcess
  let browser: Browser

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vz-explorer-'))
    mkdirSync(join(folder, 'hostile.zarr'))
    writeHostileStore(join(folder, 'hostile.zarr'))
    execFileSync(interopPython(), ['-W', 'ignore', '-c', LARGE_IMAGE, join(folder, 'large.tif')])
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
    server = await startServer({ VZ_FILE_ROOT: folder, VZ_ALLOW_SOURCES: `${originUrl}/` })
    browser = await launchChromium(chromium ?? '')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    origin?.closeAllConnections()
    origin?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  async function opened<Value>(use: (explorer: ExplorerPage) => Promise<Value>, looks: PageLooks = {}): Promise<Value> {
    const explorer = await openExplorer(browser, server.url, looks)
    try {
      return await use(explorer)
    } finally {
      await explorer.page.close()
    }
  }

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
      await opened(async ({ page, go }) => {
        await go(`/?source=${encodeURIComponent(source())}`)
        const note = page.locator('[role=alert]')
        await note.waitFor()
        assert.match(await textOf(note.locator('h2')), title)
        assert.match(await textOf(note), advice)
      })
    })
  }

  test('an opening that takes long says so, and is left by Cancel', async () => {
    await opened(async ({ page, go }) => {
      await go(`/?source=${encodeURIComponent(`${originUrl}/slow.nc`)}`)
      await page.locator('progress').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.waitForSelector('.cards')
      assert.equal(new URL(page.url()).search, '')
    })
  })

  test('a join tells how many of its files are read, until it is open', async () => {
    await opened(async ({ page, go, drawn }) => {
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
    await opened(async ({ page, go, requests }) => {
      await go(
        `/?source=${encodeURIComponent(`${originUrl}/parts/{300..699}.nc`)}&options=${encodeURIComponent('along=y')}`,
      )
      await page.locator('[role=status]', { hasText: /\d+ of 400/ }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.waitForSelector('.card')
      const asked = () => requests.filter((url) => url.includes('/inspect')).length
      const before = asked()
      await page.waitForTimeout(1000)
      // What is asked now is for the pictures of the cards.
      assert.ok(requests.slice(before).every((url) => !decodeURIComponent(url).includes('parts')))
      assert.equal(new URL(page.url()).search, '')
    })
  })

  test('nothing moves while a page comes: no layout shift that a person would see', async () => {
    for (const looks of [{}, { width: 400, height: 800 }] as const) {
      await opened(async ({ page, go, drawn }) => {
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

  test('the field opens what is pasted, and says what is wrong with it in place', async () => {
    await opened(async ({ page, go, drawn }) => {
      await go('/')
      await page.getByLabel('URL of a file or store').fill(`${server.url}zarr/sea-surface/zarr.json`)
      await page.keyboard.press('Enter')
      await drawn()
      assert.equal(new URL(page.url()).searchParams.get('source'), 'sea-surface')
      await page.goBack()
      await page.waitForSelector('.cards')
    })
  })

  test('a dropped file that is no data says so, and one that is gone asks to be dropped again', async () => {
    await opened(async ({ page, go }) => {
      await go('/')
      await page.waitForSelector('.card')
      await page.setInputFiles('input[type=file]', {
        name: "it's mine.nc",
        mimeType: '',
        buffer: Buffer.from('plain text'),
      })
      await page.locator('[role=alert]', { hasText: 'the source is text' }).waitFor()
      await page.reload()
      await page.locator('[role=alert]', { hasText: 'Drop it on the page again' }).waitFor()
    })
  })

  test('where the package for pages was not built, a dropped file is answered with the command that opens it', async () => {
    await opened(async ({ page, go }) => {
      await page.route('**/library/index.js', (route) => route.fulfill({ status: 404 }))
      await go('/')
      await page.waitForSelector('.card')
      await page.setInputFiles('input[type=file]', { name: "it's mine.nc", mimeType: '', buffer: Buffer.from('x') })
      assert.match(await textOf(page.locator('.notice code')), /^npx virtual-zarr open '\.\/it'\\''s mine\.nc'$/)
    })
  })

  test('nothing that a file says becomes markup, on any page of it', async () => {
    await opened(async ({ page, go, drawn, complaints }) => {
      const source = `source=${encodeURIComponent(`${pathToFileURL(join(folder, 'hostile.zarr')).href}/`)}`
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
    await opened(async ({ page, go, drawn }) => {
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
    await opened(async ({ page, go, drawn }) => {
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

  test('the picture and the values shown are saved', async () => {
    await opened(async ({ page, go, drawn }) => {
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

  test('a grid whose points have latitudes and longitudes of their own is drawn as its cells lie', async () => {
    const [rows, columns] = [20, 30]
    const at = (row: number, column: number) => ({
      lat: 40 + row * 0.8 - column * 0.3,
      lon: 5 + column * 0.9 + row * 0.4,
    })
    const cells = Array.from({ length: rows * columns }, (_, i) => at(Math.floor(i / columns), i % columns))
    const plane = { shape: [rows, columns], names: ['line', 'pixel'] }
    writeZarrFolder(join(folder, 'swath.zarr'), {
      lat: {
        ...plane,
        type: 'float32',
        values: Float32Array.from(cells, ({ lat }) => lat),
        attributes: { units: 'degrees_north' },
      },
      lon: {
        ...plane,
        type: 'float32',
        values: Float32Array.from(cells, ({ lon }) => lon),
        attributes: { units: 'degrees_east' },
      },
      count: {
        ...plane,
        type: 'uint8',
        values: Uint8Array.from(cells, (_, i) => (i * 7) % 251),
        attributes: { coordinates: 'lat lon' },
      },
    })
    await opened(async ({ page, go, drawn, complaints }) => {
      const source = encodeURIComponent(`${pathToFileURL(join(folder, 'swath.zarr')).href}/`)
      await go(`/?source=${source}&path=count&colours=grey&range=0,250&map=yes`)
      await drawn()
      await page.waitForTimeout(1500)
      const { width, height } = await canvasBox(page)
      // Corners of the outermost cells lie half a cell beyond their middles.
      const corners = [at(-0.5, -0.5), at(-0.5, columns - 0.5), at(rows - 0.5, -0.5), at(rows - 0.5, columns - 0.5)]
      const [left, right] = [Math.min(...corners.map(({ lon }) => lon)), Math.max(...corners.map(({ lon }) => lon))]
      const [bottom, top] = [Math.min(...corners.map(({ lat }) => lat)), Math.max(...corners.map(({ lat }) => lat))]
      const scale = Math.min(width / (right - left), height / (top - bottom))
      const middle = { lon: (left + right) / 2, lat: (top + bottom) / 2 }
      const places = cells.map(
        ({ lat, lon }) => [width / 2 + (lon - middle.lon) * scale, height / 2 - (lat - middle.lat) * scale] as const,
      )
      const pixels = await pixelsAt(page, places)
      const grey = colourTable('grey')
      const wrong = pixels.filter(
        (pixel, i) => Math.abs((pixel[0] ?? 0) - (grey[Math.round((((i * 7) % 251) / 250) * 255) * 3] ?? 0)) > 2,
      )
      // Coasts and meridians lie over some.
      assert.ok(wrong.length < cells.length * 0.12, `${wrong.length} of ${cells.length} cells have other colours`)
      assert.deepEqual(complaints, [])
    })
  })

  test('24,900 arrays are listed, found and moved through without delay', async () => {
    execFileSync(interopPython(), ['-c', MANY_ARRAYS, join(folder, 'many.h5')])
    await opened(async ({ page, go }) => {
      await go(`/?source=${encodeURIComponent(`${pathToFileURL(join(folder, 'many.h5')).href}`)}&path=`)
      const field = page.getByLabel('Find a group or an array')
      await field.waitFor({ timeout: 60_000 })
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
    await opened(async ({ page, go, drawn }) => {
      await go(`/?source=${encodeURIComponent(pathToFileURL(join(folder, 'large.tif')).href)}`)
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
    await opened(async ({ page, go }) => {
      await go('/?source=chlorophyll&versus=chlorophyll;codecs=raw')
      await page.getByRole('heading', { name: /^\d+ difference/ }).waitFor()
      assert.match(await textOf(page.locator('.compare table')), /arrays › chlorophyll › codecs/)
      await go('/?source=sea-surface&versus=sea-surface')
      await page.getByRole('heading', { name: 'No differences' }).waitFor()
    })
  })

  const IMAGES: readonly (readonly [name: string, query: string, looks: PageLooks])[] = [
    ['explorer', '/?source=sea-surface&at=time:6', { width: 1120, height: 760 }],
    ['explorer-dark', '/?source=currents&path=u&colours=blue-red', { width: 1120, height: 760, scheme: 'dark' }],
    ['explorer-storage', '/?source=currents&path=u&tab=storage', { width: 1120, height: 700 }],
    ['explorer-phone', '/?source=atmosphere&path=cloud', { width: 400, height: 760 }],
  ]
  test('the pictures of the documents are small; EXPLORER_IMAGES=docs/images writes them', async () => {
    for (const [name, query, looks] of IMAGES) {
      await opened(async ({ page, go, drawn }) => {
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
      await opened(async ({ page, go, drawn, complaints }) => {
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

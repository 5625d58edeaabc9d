import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { fromArrayBuffer } from 'geotiff'
import { type Dataset, File, ready } from 'h5wasm'
import type { Browser, Page } from 'playwright-core'
import { buildForBrowsers } from '../../scripts/build-browser.ts'
import { Origin } from '../helpers/origin.ts'
import { findChromium, launchChromium } from './chromium.ts'

const chromium = findChromium()
const skip = chromium === undefined && 'Chromium is not on this machine (PATH, or the variable CHROMIUM)'
if (skip) console.log(`skipped: ${skip}`)

const EXAMPLES = new URL('../../examples/', import.meta.url)
const OPEN_TO_PAGES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'content-range, content-length, etag, accept-ranges',
}

interface Read {
  readonly values: string
  readonly shape: readonly number[]
  readonly attributes: Readonly<Record<string, unknown>>
}

/** What the page has. */
type PageWindow = typeof globalThis & {
  readArray(url: string, path: string, options?: Record<string, string>): Promise<Read>
  openFirst(url: string): Promise<void>
  readNext(): Promise<void>
  inspectFile(file: Blob): Promise<{ readonly format: string; readonly arrays: Record<string, unknown> }>
}

describe('the package in a page, without a server', { skip }, () => {
  let folder: string
  let site: Server
  let origin: Origin
  let browser: Browser
  let page: Page
  const requests: string[] = []
  const errors: string[] = []

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vz-library-'))
    await buildForBrowsers(['src/browser/index.ts'], join(folder, 'library'))
    await build({ entryPoints: ['zarrita'], bundle: true, format: 'esm', outfile: join(folder, 'zarrita.js') })
    site = createServer((request, response) => {
      const path = request.url === '/' ? new URL('library.html', import.meta.url) : join(folder, request.url ?? '')
      response.writeHead(200, { 'content-type': request.url === '/' ? 'text/html' : 'text/javascript' })
      response.end(readFileSync(path))
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    origin = new Origin()
    await origin.start()
    browser = await launchChromium(chromium ?? '')
    page = await browser.newPage()
    page.on('request', (request) => requests.push(request.url()))
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    await page.waitForFunction(() => (globalThis as PageWindow).readArray !== undefined)
  })
  after(async () => {
    await browser?.close()
    await origin?.close()
    site?.closeAllConnections()
    site?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const example = (name: string) => new Uint8Array(readFileSync(new URL(name, EXAMPLES)))
  const put = (name: string, headers: Readonly<Record<string, string>> = OPEN_TO_PAGES) => {
    origin.put(name, { bytes: example(name), etag: '"v1"', headers })
    return origin.url(name)
  }
  const read = (url: string, path: string, options?: Record<string, string>) =>
    page.evaluate(([address, array, given]) => (globalThis as PageWindow).readArray(address, array, given), [
      url,
      path,
      options,
    ] as const)

  test('a COG of another origin is read as geotiff reads it, in a few ranges', async () => {
    const url = put('harvest.tif')
    origin.forget()
    const { values, shape, attributes } = await read(url, 'band_data')
    const tiff = await fromArrayBuffer(example('harvest.tif').buffer)
    const image = await tiff.getImage()
    assert.deepEqual(shape, [image.getHeight(), image.getWidth()])
    assert.ok(values === ((await image.readRasters())[0] as Int16Array).join(), 'the values differ')
    assert.equal(attributes['grid_mapping'], 'spatial_ref')
    assert.ok(origin.requests.every(({ headers }) => headers['range']?.startsWith('bytes=')))
    assert.ok(origin.requests.length < 40, `${origin.requests.length} requests`)
    assert.ok(
      origin.requests.every(({ method }) => method === 'GET'),
      'nothing needs a preflight',
    )
  })

  test('a NetCDF-4 file is read as the HDF5 library reads it', async () => {
    const { values, shape } = await read(put('currents.nc'), 'u')
    const { FS } = await ready
    FS.writeFile('currents.nc', example('currents.nc'))
    const variable = new File('currents.nc', 'r').get('u') as Dataset
    assert.deepEqual(shape, variable.shape)
    assert.ok(values === (variable.value as Int16Array).join(), 'the values differ')
  })

  test('a file that was dropped on the page is opened where it lies', async () => {
    for (const [name, format] of [
      ['nebula.fits', 'fits'],
      ['sea-surface.nc', 'netcdf3'],
      ['rivers.zarr.zip', 'zarr'],
    ]) {
      const bytes = [...example(name ?? '')]
      const inspected = await page.evaluate(
        async (given) => (globalThis as PageWindow).inspectFile(new Blob([new Uint8Array(given)])),
        bytes,
      )
      assert.equal(inspected.format, format)
      assert.ok(Object.keys(inspected.arrays).length > 0)
    }
  })

  test('an origin that hides Content-Range is refused by that name: a part can not be checked', async () => {
    const url = put('buoy.nc', { 'access-control-allow-origin': '*' })
    await assert.rejects(read(url, 'time'), /Access-Control-Expose-Headers/)
  })

  test('an origin that allows no other page is told as that', async () => {
    await assert.rejects(read(put('relief.nc', {}), 'x'), /CORS/)
  })

  test('a file that is replaced while it is read gives an error, and no mixture', async () => {
    const url = put('harvest.tif')
    await page.evaluate((address) => (globalThis as PageWindow).openFirst(address), url)
    const changed = example('harvest.tif').map((byte) => byte ^ 1)
    origin.put('harvest.tif', { bytes: changed, etag: '"v2"', headers: OPEN_TO_PAGES })
    const chunk = page.evaluate(() => (globalThis as PageWindow).readNext())
    await assert.rejects(chunk, /has changed since this store was opened/)
  })

  test('the library is small until a format needs more', () => {
    const library = join(folder, 'library')
    const eager = staticClosure(library, 'index.js')
    const size = [...eager].reduce((sum, name) => sum + gzipSync(readFileSync(join(library, name))).length, 0)
    console.log(`eager: ${size} bytes gzipped in ${eager.size} files`)
    // VRT, STAC and joins are part of it. The goal is 150 kB before a format is known.
    assert.ok(size < 275_000, `${size} bytes`)
    const all = readdirSync(library).filter((name) => name.endsWith('.js'))
    for (const name of all) assert.doesNotMatch(readFileSync(join(library, name), 'utf8'), /["']node:/)
  })

  test('nothing failed on the page', () => {
    assert.deepEqual(errors, [])
  })
})

/** The files that are loaded at once with one of them. */
function staticClosure(folder: string, name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const text = readFileSync(join(folder, name), 'utf8')
  for (const [, path = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) staticClosure(folder, path, seen)
  return seen
}

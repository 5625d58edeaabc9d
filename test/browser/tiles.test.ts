import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { type ServerProcess, startServer } from '../interop/server-process.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { canvasBox, openExplorer, pixelsAt } from './explorer-page.ts'

const chromium = findChromium()
const skip = chromium === undefined && 'Chromium is not on this machine (PATH, or the variable CHROMIUM)'

/** A tile of one colour, which says where it is: red by column, green by row. */
function tile(red: number, green: number): Buffer {
  const rows = Buffer.alloc(256 * (1 + 256 * 3))
  for (let i = 0; i < 256 * 256; i++) {
    const at = Math.floor(i / 256) * 769 + 1 + (i % 256) * 3
    rows.set([red, green, 200], at)
  }
  const header = Buffer.from([0, 0, 1, 0, 0, 0, 1, 0, 8, 2, 0, 0, 0])
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const [COLUMN, ROW] = [60, 50]

describe('tiles that the operator chose', { skip }, () => {
  let origin: Server
  let tiles: string
  let server: ServerProcess
  let browser: Browser
  const asked: string[] = []

  before(async () => {
    origin = createServer(({ url = '' }, response) => {
      asked.push(url)
      const [, , x = '0', y = '0'] = /^\/(\d+)\/(\d+)\/(\d+)\.png$/.exec(url) ?? []
      const headers = { 'content-type': 'image/png', 'access-control-allow-origin': '*' }
      response.writeHead(200, headers).end(tile(Number(x) * COLUMN, Number(y) * ROW))
    }).listen(0, '127.0.0.1')
    await once(origin, 'listening')
    tiles = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`
    server = await startServer({ VZ_TILES: `${tiles}/{z}/{x}/{y}.png (c) "nobody"` })
    browser = await launchChromium(chromium ?? '')
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    origin?.closeAllConnections()
    origin?.close()
  })

  test('they lie in their place below what is missing, and pages may load pictures from their host alone', async () => {
    const { page, go, drawn, complaints } = await openExplorer(browser, server.url)
    await go('/?source=sea-surface&map=yes&at=time:0')
    await drawn()
    for (const end = Date.now() + 20_000; Date.now() < end && asked.length < 4; ) await page.waitForTimeout(200)
    const zoom = Number(/^\/(\d+)\//.exec(asked[0] ?? '')?.[1])
    const { width, height } = await canvasBox(page)
    const pixels = Math.min(width / 360, height / 180)
    // On land, where there is no temperature; what of them lies on a line of the map is passed over.
    const places: readonly (readonly [longitude: number, latitude: number])[] = [
      [52.5, 52.5],
      [57.5, 52.5],
      [62.5, 47.5],
    ]
    const wanted = places.map(([longitude, latitude]) => {
      const radians = ((latitude + 1) * Math.PI) / 180
      const x = Math.floor(((longitude + 1 + 180) / 360) * 2 ** zoom)
      const y = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** zoom)
      return [x * COLUMN, y * ROW, 200, 255]
    })
    for (let time = 0; ; time++) {
      const seen = await pixelsAt(
        page,
        places.map(([longitude, latitude]) => [
          width / 2 + (longitude + 1) * pixels,
          height / 2 - (latitude + 1) * pixels,
        ]),
      )
      if (seen.some((pixel, at) => pixel.every((channel, i) => Math.abs(channel - (wanted[at]?.[i] ?? 0)) <= 3))) break
      assert.ok(time < 100, JSON.stringify({ zoom, seen, wanted, asked: asked.slice(0, 8) }))
      await page.waitForTimeout(200)
    }
    assert.ok(asked.every((url) => /^\/\d+\/\d+\/\d+\.png$/.test(url)))
    assert.deepEqual(complaints, [])
    const policy = (await fetch(server.url)).headers.get('content-security-policy') ?? ''
    assert.match(policy, new RegExp(`img-src 'self' ${tiles} data: blob:;`))
    assert.match(
      (await (await fetch(`${server.url}zarr/sea-surface/`)).headers).get('content-security-policy') ?? '',
      /img-src 'self' data: blob:;/,
    )
    // The picture can still be saved.
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save picture' }).click(),
    ])
    assert.match(picture.suggestedFilename(), /\.png$/)
    await page.close()
  })
})

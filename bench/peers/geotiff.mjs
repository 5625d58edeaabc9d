// As tiff.py, for geotiff.js: geotiff.mjs WARM-UP-URL URL COLUMN,ROW, run where the package is installed.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const require = createRequire(`${process.cwd()}/`)
const { fromUrl } = await import(pathToFileURL(require.resolve('geotiff')).href)
const [warmUp, url, tile] = process.argv.slice(2)
const [column, row] = tile.split(',').map(Number)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)

async function readTile(image, x, y) {
  const [width, height] = [image.getTileWidth(), image.getTileHeight()]
  await image.readRasters({ window: [x * width, y * height, (x + 1) * width, (y + 1) * height] })
}

async function timed(work) {
  const start = performance.now()
  const result = await work()
  say({ milliseconds: performance.now() - start })
  return result
}

await readTile(await (await fromUrl(warmUp)).getImage(), 0, 0).catch(() => undefined)
say({ ready: true })
await lines.next()
try {
  const image = await timed(async () => (await fromUrl(url)).getImage())
  await lines.next()
  await timed(() => readTile(image, column, row))
} catch (error) {
  say({ error: `${error}`.slice(0, 300) })
}
process.exit(0)

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVrt } from '../../src/joins/vrt/read-vrt.ts'
import { vrtTree } from '../../src/joins/vrt/vrt-tree.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'
import { virtualArray } from '../helpers/virtual-array.ts'

const SOURCES = 20_000
const COLUMNS = 200
const PIXELS = 64

function longVrt(): string {
  const rectangle = (name: string, x: number, y: number) =>
    `<${name} xOff="${x}" yOff="${y}" xSize="${PIXELS}" ySize="${PIXELS}"/>`
  const sources = Array.from({ length: SOURCES }, (_, index) => {
    const [x, y] = [(index % COLUMNS) * PIXELS, Math.floor(index / COLUMNS) * PIXELS]
    const file = `<SourceFilename relativeToVRT="1">tile_${index}.tif</SourceFilename>`
    return `<SimpleSource>${file}<SourceBand>1</SourceBand>${rectangle('SrcRect', 0, 0)}${rectangle('DstRect', x, y)}</SimpleSource>`
  })
  const size = `rasterXSize="${COLUMNS * PIXELS}" rasterYSize="${(SOURCES / COLUMNS) * PIXELS}"`
  return `<VRTDataset ${size}><VRTRasterBand dataType="Byte" band="1">${sources.join('\n')}</VRTRasterBand></VRTDataset>`
}

test('a document of 20,000 sources is read in short turns, so that other requests have theirs', async () => {
  const text = longVrt()
  let longest = 0
  let turns = 0
  let last = processorMilliseconds()
  let isOver = false
  const measure = () => {
    const now = processorMilliseconds()
    longest = Math.max(longest, now - last)
    last = now
    turns++
    if (!isOver) setImmediate(measure)
  }
  setImmediate(measure)
  const document = await readVrt(text)
  const array = virtualArray({ shape: [PIXELS, PIXELS], dataType: { kind: 'uint', bits: 8 } })
  const image = { url: 'tile.tif', part: 0, width: PIXELS, height: PIXELS, bands: 1, band: () => array }
  const tree = await vrtTree(
    document,
    async () => image,
    () => undefined,
  )
  isOver = true
  assert.equal(document.bands[0].sources.length, SOURCES)
  assert.equal(tree.members.get('band_data')?.kind, 'array')
  // Turns of 20 ms; collecting garbage, and other tests of this process, may stand in one of them.
  assert.ok(longest < 400, `one turn of ${longest} ms`)
  assert.ok(turns > 5, `${turns} turns`)
})

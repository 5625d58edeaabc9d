import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type BuiltField, buildTiff, greyFields } from './build.ts'
import { parseTiff } from './parse.ts'
import { numbersOf, storesOf } from './store.ts'

/** Two units of 2 by 2 pixels: four luma, then blue and red. */
const UNITS = Uint8Array.of(10, 60, 110, 160, 90, 200, 200, 220, 240, 255, 30, 140)
const COLOURS: readonly BuiltField[] = [
  { tag: 258, type: 3, values: [8, 8, 8] },
  { tag: 262, type: 3, values: [6] },
  { tag: 277, type: 3, values: [3] },
  { tag: 279, type: 4, values: [12] },
]
const BT601 = { tag: 529, type: 12, values: [0.299, 0.587, 0.114] }
const STUDIO = { tag: 532, type: 12, values: [16, 235, 128, 240, 128, 240] }

test('YCbCr without JPEG is RGB, by the coefficients and the reference of the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiff-ycbcr-'))
  const stores = storesOf(pathToFileURL(`${folder}/`))
  try {
    const fields = greyFields(3, 2, [...COLOURS, { tag: 530, type: 3, values: [2, 2] }, BT601, STUDIO])
    writeFileSync(join(folder, 'units.tif'), buildTiff([{ fields }], { data: UNITS }))
    const store = stores.open('units.tif')
    // rasterio 1.5.2
    const red = [108, 165, 232, 223, 255, 255]
    const green = [0, 8, 243, 66, 124, 255]
    const blue = [0, 0, 17, 33, 91, 63]
    assert.deepEqual([...(await numbersOf(store, 'band_data'))], [...red, ...green, ...blue])
  } finally {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('colours that nobody can make are refused by name', async () => {
  const refused = async (changes: readonly BuiltField[], expected: RegExp) => {
    const kept = COLOURS.filter(({ tag }) => changes.every((change) => change.tag !== tag))
    const fields = greyFields(3, 2, [...kept, ...changes])
    await assert.rejects(parseTiff(buildTiff([{ fields }], { data: UNITS })), expected)
  }
  await refused([{ tag: 530, type: 3, values: [1, 4] }], /units of 1 by 4 pixels/)
  await refused([{ tag: 258, type: 3, values: [16, 16, 16] }], /3 YCbCr samples of 16 bits/)
  await refused([{ tag: 284, type: 3, values: [2] }], /in planes/)
  await refused([{ ...BT601, values: [0.5, 0, 0.5] }], /make no colours/)
  await refused([{ ...STUDIO, values: [Number.NaN, 1, 2, 3, 4, 5] }], /expected numbers/)
})

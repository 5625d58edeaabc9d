import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { deflateSync } from 'node:zlib'
import { type BuiltField, buildTiff, dataStart, greyFields } from './build.ts'
import { type FolderStores, numbersOf, storesOf } from './store.ts'

const PROFILES = ['portable', 'native', 'raw']

/** One byte a sample, any values but zero. */
const pixels = (count: number) => Uint8Array.from({ length: count }, (_, i) => 1 + ((i * 7) % 251))

function tiffOf(blocks: readonly Uint8Array[], width: number, height: number, fields: readonly BuiltField[]) {
  const starts = blocks.map((_, i) => blocks.slice(0, i).reduce((sum, { length }) => sum + length, dataStart()))
  const [offsets, counts] = fields.some(({ tag }) => tag === 322) ? [324, 325] : [273, 279]
  const tables = [
    { tag: offsets, type: 4, values: starts },
    { tag: counts, type: 4, values: blocks.map(({ length }) => length) },
  ]
  return buildTiff([{ fields: greyFields(width, height, [...fields, ...tables]) }], { data: Buffer.concat(blocks) })
}

describe('blocks that hold more or less than the image needs of them', () => {
  let folder: string
  let stores: FolderStores

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tiff-surplus-'))
    stores = storesOf(pathToFileURL(`${folder}/`))
  })
  after(async () => {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function readsAs(name: string, file: Uint8Array, expected: Uint8Array) {
    writeFileSync(join(folder, name), file)
    for (const codecs of PROFILES) {
      const values = await numbersOf(stores.open(name, { codecs }), 'band_data')
      assert.ok(Buffer.from(values).equals(expected), `${name} in ${codecs}`)
    }
  }

  for (const [name, width, rows] of [
    ['small strips', 20, 16],
    ['strips that are chunks', 1024, 160],
  ] as const) {
    test(`${name}: the last one is as long as all others`, async () => {
      const height = rows + 5
      const all = pixels(width * 2 * rows)
      const strips = [all.subarray(0, width * rows), all.subarray(width * rows)].map((strip) => deflateSync(strip))
      const fields = [
        { tag: 259, type: 3, values: [8] },
        { tag: 278, type: 4, values: [rows] },
      ]
      await readsAs(`${rows}.tif`, tiffOf(strips, width, height, fields), all.subarray(0, width * height))
    })
  }

  const TILES: readonly BuiltField[] = [
    { tag: 322, type: 4, values: [16] },
    { tag: 323, type: 4, values: [16] },
  ]

  test('an uncompressed tile at the lower edge may be cut off below the image, and no other', async () => {
    const all = pixels(16 * 20)
    const upper = all.subarray(0, 256)
    await readsAs('cut.tif', tiffOf([upper, all.subarray(256)], 16, 20, TILES), all)
    await readsAs('whole.tif', tiffOf([upper, Buffer.concat([all.subarray(256), upper], 256)], 16, 20, TILES), all)
    for (const [name, blocks] of [
      ['upper.tif', [upper.subarray(16), all.subarray(256)]],
      ['lower.tif', [upper, all.subarray(257)]],
    ] as const) {
      writeFileSync(join(folder, name), tiffOf(blocks, 16, 20, TILES))
      await assert.rejects(numbersOf(stores.open(name), 'band_data'), { code: 'malformed-source' })
    }
  })

  test('so may one that the server decodes', async () => {
    const all = pixels(16 * 20)
    const summed = all.map((value, i) => (i % 16 === 0 ? value : value - (all[i - 1] ?? 0)))
    const tiles = [summed.subarray(0, 256), summed.subarray(256)].map((tile) => deflateSync(tile))
    const fields = [...TILES, { tag: 259, type: 3, values: [8] }, { tag: 317, type: 3, values: [2] }]
    const file = tiffOf(tiles, 16, 20, fields)
    writeFileSync(join(folder, 'predicted.tif'), file)
    for (const codecs of ['portable', 'raw'])
      assert.deepEqual(
        Buffer.from(await numbersOf(stores.open('predicted.tif', { codecs }), 'band_data')),
        Buffer.from(all),
      )
  })
})

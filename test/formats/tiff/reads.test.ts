import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PageCache } from '../../../src/source/page-cache.ts'
import { pagedSource } from '../../../src/source/paged-source.ts'
import type { Source } from '../../../src/source/source.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { arrayAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { buildTiff, greyFields } from './build.ts'
import { parseTiff } from './parse.ts'

const TILES = 1_000_000
const SIDE = 1000
const TILE_BYTES = 16 * 16
/** Far behind the head, as the tables of a large COG are. */
const OFFSETS_AT = 10_000_000
const COUNTS_AT = OFFSETS_AT + TILES * 8
const DATA_AT = COUNTS_AT + TILES * 4

/** A BigTIFF of a million tiles of which only the directory is made: its tables are computed as they are read. */
function millionTiles() {
  const fields = greyFields(SIDE * 16, SIDE * 16, [
    { tag: 322, type: 3, values: [16] },
    { tag: 323, type: 3, values: [16] },
    { tag: 324, type: 16, values: [0, 0], count: TILES, position: OFFSETS_AT },
    { tag: 325, type: 4, values: [0, 0, 0], count: TILES, position: COUNTS_AT },
  ]).filter(({ tag }) => ![273, 278, 279].includes(tag))
  const head = buildTiff([{ fields }], { big: true })
  const byteOf = (value: number, byte: number) => Math.floor(value / 256 ** byte) % 256
  return countingSource(head, DATA_AT + TILES * TILE_BYTES, (position) => {
    if (position >= DATA_AT || position < OFFSETS_AT) return 0
    if (position >= COUNTS_AT) return byteOf(TILE_BYTES, (position - COUNTS_AT) % 4)
    const tile = Math.floor((position - OFFSETS_AT) / 8)
    return byteOf(DATA_AT + tile * TILE_BYTES, (position - OFFSETS_AT) % 8)
  })
}

function paged(source: Source): Source {
  const pages = new PageCache({ indexBytes: 2 ** 24, dataBytes: 0 }).file('')
  return pagedSource(source, () => pages)
}

test('a file of a million tiles is described by its first block alone', async () => {
  const source = millionTiles()
  await parseTiff(paged(source))
  assert.deepEqual(source.reads, [{ offset: 0, length: 65_536 }])
})

test('one tile of a million costs two more reads, its neighbour none', async () => {
  const source = millionTiles()
  const { root } = await parseTiff(paged(source))
  const { chunks } = asStored(arrayAt(root, 'band_data'))
  source.reads.length = 0
  const place = { kind: 'range', source: 0, offset: DATA_AT + 700_500 * TILE_BYTES, length: TILE_BYTES, encoding: 0 }
  assert.deepEqual(await chunks.at([700, 500]), place)
  assert.equal(source.reads.length, 2)
  assert.deepEqual(chunks.at([700, 501]), { ...place, offset: place.offset + TILE_BYTES })
  assert.equal(source.reads.length, 2)
})

test('the whole index of a million tiles takes one round of reads and at most 20 bytes a tile', async () => {
  const source = millionTiles()
  const { root } = await parseTiff(paged(source))
  const { chunks } = asStored(arrayAt(root, 'band_data'))
  assert.ok(chunks.weight() < 4096, 'nothing is held before it is needed')
  source.reads.length = 0
  assert.equal(await chunks.isComplete?.(), true)
  assert.ok(source.reads.length <= 4, `${source.reads.length} reads`)
  assert.ok(chunks.weight() <= TILES * 20, `${chunks.weight()} bytes`)
})

test('a COG with overviews is described by its first block alone', async () => {
  const bytes = new Uint8Array(readFileSync(new URL('../../fixtures/tiff/cog.tif', import.meta.url)))
  const source = countingSource(bytes, 100_000_000)
  const { root } = await parseTiff(paged(source))
  assert.ok(root.kind === 'group' && root.members.has('1'), 'its overviews are groups')
  assert.deepEqual(source.reads, [{ offset: 0, length: 65_536 }])
})

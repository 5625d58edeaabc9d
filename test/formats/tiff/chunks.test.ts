import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ChunkRef } from '../../../src/model/chunk-ref.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { arrayAt, memberAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { type BuiltField, buildTiff, greyFields } from './build.ts'
import { parseTiff } from './parse.ts'

const SAMPLES_3: readonly BuiltField[] = [
  { tag: 258, type: 3, values: [8, 8, 8] },
  { tag: 277, type: 3, values: [3] },
]

async function open(fields: readonly BuiltField[], size = 1000) {
  const head = buildTiff([{ fields }], { data: new Uint8Array(8) })
  const { root } = await parseTiff(countingSource(head, Math.max(head.length, size)))
  return root
}

const range = (offset: number, length: number): ChunkRef => ({ kind: 'range', source: 0, offset, length, encoding: 0 })

describe('strips', () => {
  test('small uncompressed strips are joined, the last one with the rows that are left', async () => {
    const root = await open(
      greyFields(4, 5, [
        { tag: 273, type: 4, values: [100, 200, 300] },
        { tag: 278, type: 4, values: [2] },
        { tag: 279, type: 4, values: [8, 8, 8] },
      ]),
    )
    const array = arrayAt(root, 'band_data')
    assert.deepEqual(array.chunkShape, [5, 4])
    const parts = [
      { offset: 100, length: 8 },
      { offset: 200, length: 8 },
      { offset: 300, length: 4 },
    ]
    assert.deepEqual(await asStored(array).chunks.at([0, 0]), { kind: 'ranges', source: 0, parts, encoding: 0 })
  })

  test('strips that were never written read as the nodata value among others, and are missing by themselves', async () => {
    const nodata = { tag: 42113, type: 2, values: '9\0' }
    const rows = { tag: 278, type: 4, values: [1] }
    const some = [nodata, rows, { tag: 273, type: 4, values: [0, 10] }, { tag: 279, type: 4, values: [0, 4] }]
    const mixed = arrayAt(await open(greyFields(4, 2, some)), 'band_data')
    const bytes = Uint8Array.from([9, 9, 9, 9, 0, 0, 0, 0])
    const found = await asStored(mixed).chunks.at([0, 0])
    assert.equal(found.kind, 'inline')
    assert.deepEqual(found.kind === 'inline' && new Uint8Array(found.bytes).subarray(0, 4), bytes.subarray(0, 4))
    const none = [nodata, rows, { tag: 273, type: 4, values: [0, 0] }, { tag: 279, type: 4, values: [0, 0] }]
    const empty = arrayAt(await open(greyFields(4, 2, none)), 'band_data')
    assert.deepEqual(await asStored(empty).chunks.at([0, 0]), { kind: 'missing' })
    assert.equal(await asStored(empty).chunks.isComplete?.(), false)
  })

  test('small compressed strips are assembled', async () => {
    const root = await open(
      greyFields(4, 5, [
        { tag: 259, type: 3, values: [8] },
        { tag: 273, type: 4, values: [100, 200, 300] },
        { tag: 278, type: 4, values: [2] },
        { tag: 279, type: 4, values: [7, 8, 9] },
      ]),
    )
    const array = arrayAt(root, 'band_data')
    assert.ok(array.operation?.kind === 'rechunk')
    const strips = asStored(array.operation.of)
    assert.deepEqual(strips.chunkShape, [2, 4])
    assert.equal(strips.edges, 'cropped')
    assert.deepEqual(await strips.chunks.at([2, 0]), range(300, 9))
  })

  test('a strip of the whole image is cut where it is not compressed', async () => {
    const array = arrayAt(await open(greyFields(4096, 5000), 30_000_000), 'band_data')
    assert.deepEqual(array.chunkShape, [1024, 4096])
    assert.deepEqual(await asStored(array).chunks.at([1, 0]), range(8 + 1024 * 4096, 1024 * 4096))
    assert.deepEqual(await asStored(array).chunks.at([4, 0]), range(8 + 4096 * 4096, 904 * 4096))
    const packed = arrayAt(await open(greyFields(4096, 5000, [{ tag: 259, type: 3, values: [8] }]), 3e7), 'band_data')
    assert.deepEqual(packed.chunkShape, [5000, 4096])
  })

  test('large strips are cut where their rows can be divided, and stay whole where not', async () => {
    const strips = (rows: number) => [
      { tag: 273, type: 4, values: [8, 8 + rows * 4096] },
      { tag: 278, type: 4, values: [rows] },
      { tag: 279, type: 4, values: [rows * 4096, rows * 4096] },
    ]
    const divided = arrayAt(await open(greyFields(4096, 4000, strips(2000)), 3e7), 'band_data')
    assert.deepEqual(divided.chunkShape, [1000, 4096])
    assert.deepEqual(await asStored(divided).chunks.at([3, 0]), range(8 + 3000 * 4096, 1000 * 4096))
    const prime = arrayAt(await open(greyFields(4096, 4006, strips(2003)), 3e7), 'band_data')
    assert.deepEqual(prime.chunkShape, [2003, 4096])
  })

  test('RowsPerStrip of 2^32-1 is the whole image', async () => {
    const rows = { tag: 278, type: 4, values: [2 ** 32 - 1] }
    assert.deepEqual(arrayAt(await open(greyFields(4, 5, [rows])), 'band_data').chunkShape, [5, 4])
  })

  test('what is cut off is an error, not zeros', async () => {
    const behind = { tag: 273, type: 4, values: [990] }
    const array = arrayAt(await open(greyFields(4, 5, [behind])), 'band_data')
    await assert.rejects(async () => await asStored(array).chunks.at([0, 0]), /cut off/)
    const short = { tag: 279, type: 4, values: [19] }
    const other = arrayAt(await open(greyFields(4, 5, [short])), 'band_data')
    await assert.rejects(async () => await asStored(other).chunks.at([0, 0]), /20 are expected/)
  })

  test('byte counts are derived where nothing is compressed, and needed where it is', async () => {
    const without = (changes: readonly BuiltField[]) => greyFields(4, 5, changes).filter(({ tag }) => tag !== 279)
    const array = arrayAt(await open(without([])), 'band_data')
    assert.deepEqual(await asStored(array).chunks.at([0, 0]), range(8, 20))
    await assert.rejects(open(without([{ tag: 259, type: 3, values: [8] }])), /compressed blocks/)
  })
})

describe('samples', () => {
  test('DM-5: interleaved samples share a chunk, planes have their own', async () => {
    const counts = { tag: 279, type: 4, values: [60] }
    const interleaved = arrayAt(await open(greyFields(4, 5, [...SAMPLES_3, counts])), 'band_data')
    assert.deepEqual(
      [interleaved.shape, interleaved.chunkShape],
      [
        [3, 5, 4],
        [3, 5, 4],
      ],
    )
    assert.deepEqual(interleaved.dimensionNames, ['band', 'y', 'x'])
    assert.deepEqual(asStored(interleaved).encodings[0]?.[0], {
      name: 'transpose',
      configuration: { order: [1, 2, 0] },
    })
    const planes = [
      { tag: 284, type: 3, values: [2] },
      { tag: 273, type: 4, values: [100, 200, 300] },
      { tag: 279, type: 4, values: [20, 20, 20] },
    ]
    const planar = arrayAt(await open(greyFields(4, 5, [...SAMPLES_3, ...planes])), 'band_data')
    assert.deepEqual(
      [planar.shape, planar.chunkShape],
      [
        [3, 5, 4],
        [1, 5, 4],
      ],
    )
    assert.deepEqual(await asStored(planar).chunks.at([2, 0, 0]), range(300, 20))
  })

  test('DM-9: samples that differ are refused by name', async () => {
    const mixed = [
      { tag: 258, type: 3, values: [8, 16, 8] },
      { tag: 277, type: 3, values: [3] },
    ]
    await assert.rejects(open(greyFields(4, 5, mixed)), /bits per sample/)
    const formats = [...SAMPLES_3, { tag: 339, type: 3, values: [1, 2, 1] }]
    await assert.rejects(open(greyFields(4, 5, formats)), /sample formats/)
  })

  test('signed samples of odd sizes are unsigned, as GDAL reads them, and it is said', async () => {
    for (const [bits, served] of [
      [2, 8],
      [7, 8],
      [12, 16],
      [17, 32],
      [24, 32],
      [31, 32],
    ] as const) {
      const fields = greyFields(4, 1, [
        { tag: 258, type: 3, values: [bits] },
        { tag: 279, type: 4, values: [16] },
        { tag: 339, type: 3, values: [2] },
      ])
      const { root, diagnostics } = await parseTiff(buildTiff([{ fields }], { data: new Uint8Array(16).fill(255) }))
      assert.deepEqual(arrayAt(root, 'band_data').dataType, { kind: 'uint', bits: served }, `${bits} bits`)
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ['sign-lost'],
      )
    }
    const signed = greyFields(4, 1, [{ tag: 339, type: 3, values: [2] }])
    const { root, diagnostics } = await parseTiff(buildTiff([{ fields: signed }], { data: new Uint8Array(8) }))
    assert.deepEqual([arrayAt(root, 'band_data').dataType, diagnostics], [{ kind: 'int', bits: 8 }, []])
  })

  test('types that no array has are refused by name, and cost the other images nothing', async () => {
    const bits = greyFields(4, 5, [{ tag: 258, type: 3, values: [40] }])
    await assert.rejects(open(bits), { code: 'unsupported-feature' })
    const { root } = await parseTiff(
      buildTiff([{ fields: bits }, { fields: greyFields(1, 1) }], { data: new Uint8Array(8) }),
    )
    assert.equal(memberAt(root, 'band_data')?.kind, 'skipped')
    assert.ok(arrayAt(root, 'page_1/band_data'))
  })
})

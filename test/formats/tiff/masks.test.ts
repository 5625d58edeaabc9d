import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { deflateSync } from 'node:zlib'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { exportKerchunk } from '../../../src/service/export/export.ts'
import { object } from '../../corpus/golden.ts'
import { type BuiltField, buildTiff, greyFields } from './build.ts'
import { type FolderStores, numbersOf, storesOf } from './store.ts'

const MASK: BuiltField = { tag: 254, type: 4, values: [4] }
const REDUCED: BuiltField = { tag: 254, type: 4, values: [1] }
const REDUCED_MASK: BuiltField = { tag: 254, type: 4, values: [5] }
const ENCODED_NAN = 'AAAAAAAA+H8='

let folder: string
let stores: FolderStores
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiff-masks-'))
  stores = storesOf(pathToFileURL(`${folder}/`))
})
after(async () => {
  await stores.close()
  rmSync(folder, { recursive: true, force: true })
})

/** One directory of a file: its block is put where the directory says. */
interface Directory {
  readonly block: Uint8Array
  fields(offset: number, length: number): BuiltField[]
}

/** Writes a file of directories of one block each, and opens its store. */
function open(name: string, directories: readonly Directory[], options: Readonly<Record<string, string>> = {}) {
  let offset = 8
  const fields = directories.map((directory) => {
    const own = directory.fields(offset, directory.block.length)
    offset += directory.block.length
    return { fields: own }
  })
  const data = Buffer.concat(directories.map(({ block }) => block))
  writeFileSync(join(folder, name), buildTiff(fields, { data }))
  return stores.open(name, { missing: 'mask', ...options })
}

/** A grey image in one strip; an offset of 0 is that of a strip that was never written. */
function grey(
  [height, width]: readonly [number, number],
  block: Uint8Array,
  changes: readonly BuiltField[] = [],
  isWritten = true,
): Directory {
  return {
    block,
    fields: (offset, length) => {
      const places: readonly BuiltField[] = [
        { tag: 273, type: 4, values: [isWritten ? offset : 0] },
        { tag: 279, type: 4, values: [isWritten ? length : 0] },
      ]
      const changed = changes.map(({ tag }) => tag)
      return greyFields(width, height, [...places.filter(({ tag }) => !changed.includes(tag)), ...changes])
    },
  }
}

const depth = (bits: number, format = 1): BuiltField[] => [
  { tag: 258, type: 3, values: [bits] },
  { tag: 339, type: 3, values: [format] },
]
const nodata = (text: string): BuiltField => ({ tag: 42113, type: 2, values: `${text}\0` })

const PIXELS = new Uint8Array([1, 2, 3, 4, 5, 6])
/** 1 bit a pixel, rows begin on a byte: valid are the first two of the first row, and the last of the second. */
const BITS = grey([2, 3], new Uint8Array([0b1100_0000, 0b0010_0000]), [
  MASK,
  ...depth(1),
  { tag: 262, type: 3, values: [4] },
])
const SHOWN = [1, 2, Number.NaN, Number.NaN, Number.NaN, 6]

async function floats(store: ReturnType<typeof open>, path = 'band_data'): Promise<number[]> {
  return [...new Float32Array(new Uint8Array(await numbersOf(store, path)).buffer)]
}

async function skippedReason(store: ReturnType<typeof open>, path = 'band_data'): Promise<string> {
  const node = (await store.describe()).store.nodes.get(path)
  assert.ok(node?.kind === 'skipped', `${path} is skipped`)
  return node.skipped.reason
}

describe('missing=mask: the mask of a TIFF applied', () => {
  for (const codecs of ['portable', 'native', 'raw']) {
    test(`FV-2, FV-5, FV-6: integers are floats, NaN where the mask is zero, in ${codecs}`, async () => {
      const store = open(`bits-${codecs}.tif`, [grey([2, 3], PIXELS), BITS], { codecs })
      const document = await store.document('band_data')
      assert.equal(document['data_type'], 'float32')
      assert.equal(document['fill_value'], 'NaN')
      assert.equal(object(document['attributes'])['_FillValue'], ENCODED_NAN)
      assert.deepEqual(await floats(store), SHOWN)
      assert.deepEqual([...(await numbersOf(store, 'mask/band_data'))], [1, 1, 0, 0, 0, 1], 'the mask stays an array')
    })
  }

  test('the mask is applied where only the image, or only a level of it, is served', async () => {
    const image = [grey([2, 3], PIXELS), BITS, grey([1, 2], new Uint8Array([8, 9]), [REDUCED])]
    const overMask = grey([1, 2], new Uint8Array([0, 1]), [REDUCED_MASK])
    const only = open('only.tif', [...image, overMask], { variables: 'band_data' })
    assert.deepEqual(await floats(only), SHOWN)
    assert.ok(!(await only.describe()).store.nodes.has('mask/band_data'))
    assert.deepEqual(await floats(stores.open('only.tif', { missing: 'mask', group: '1' })), [Number.NaN, 9])
  })

  test('FV-16: the float holds every integer of the type, or the array is refused by name', async () => {
    const least = new Uint8Array(new Uint32Array([0, 2 ** 32 - 1, 7, 7, 7, 2 ** 24 + 1]).buffer)
    const wide = open('wide.tif', [grey([2, 3], least, depth(32)), BITS])
    assert.equal((await wide.document('band_data'))['data_type'], 'float64')
    const values = new Float64Array(new Uint8Array(await numbersOf(wide, 'band_data')).buffer)
    assert.deepEqual([...values], [0, 2 ** 32 - 1, Number.NaN, Number.NaN, Number.NaN, 2 ** 24 + 1])
    const widest = open('widest.tif', [grey([2, 3], new Uint8Array(48), depth(64, 2)), BITS])
    assert.match(await skippedReason(widest), /missing=mask: no float holds every int64/)
    await assert.rejects(widest.document('band_data'), (error) => isVirtualZarrError(error, 'unsupported-feature'))
  })

  test('the mask decides alone, as in GDAL: nodata values that it leaves in are values, with a diagnostic', async () => {
    const store = open('nodata.tif', [grey([2, 3], PIXELS, [nodata('2')]), BITS])
    assert.deepEqual(await floats(store), SHOWN)
    const { attributes } = await store.document('band_data')
    assert.equal(object(attributes ?? null)['gdal_no_data'], '2')
    const codes = (await store.describe()).store.diagnostics.map(({ code }) => code)
    assert.ok(codes.includes('nodata-not-applied'), codes.join())
  })

  test('FV-TIFF-14: values that were never written are the nodata value where the mask is not zero, and all is missing where the mask was never written', async () => {
    const sparse = grey([2, 3], new Uint8Array(0), [nodata('9')], false)
    assert.deepEqual(
      await floats(open('sparse.tif', [sparse, BITS])),
      SHOWN.map((value) => (Number.isNaN(value) ? value : 9)),
    )
    const unmasked = grey([2, 3], new Uint8Array(0), [MASK], false)
    const store = open('sparse-mask.tif', [grey([2, 3], PIXELS), unmasked])
    assert.equal(await store.chunk('band_data', [0, 0]), undefined)
    assert.deepEqual(
      await floats(store),
      SHOWN.map(() => Number.NaN),
    )
  })

  test('overviews have the masks of their size; one without its own is refused, the others stay', async () => {
    const full = [grey([4, 6], new Uint8Array(24).fill(3)), grey([4, 6], new Uint8Array(24).fill(1), [MASK])]
    const overview = grey([2, 3], PIXELS, [REDUCED])
    const bytes = grey([2, 3], new Uint8Array([255, 7, 0, 0, 0, 1]), [REDUCED_MASK])
    for (const [layout, path] of Object.entries({ dataset: '1/band_data', levels: '1/band_data', ifd: '2' })) {
      assert.deepEqual(await floats(open(`levels-${layout}.tif`, [...full, overview, bytes], { layout }), path), SHOWN)
    }
    const store = open('level.tif', [...full, overview])
    assert.match(await skippedReason(store, '1/band_data'), /this overview none of its own/)
    assert.deepEqual(await floats(store), new Array(24).fill(3))
  })

  test('a mask that can not be applied refuses the array, and says why', async () => {
    const other = grey([1, 3], new Uint8Array(3), [MASK])
    assert.match(await skippedReason(open('size.tif', [grey([2, 3], PIXELS), other])), /its mask has the shape 1 x 3/)
    const jbig = grey([2, 3], new Uint8Array(3), [MASK, { tag: 259, type: 3, values: [34_661] }])
    await assert.rejects(
      open('jbig.tif', [grey([2, 3], PIXELS), jbig]).describe(),
      (error) =>
        isVirtualZarrError(error, 'unsupported-feature') && /its mask is not served: .*JBIG/.test(error.message),
    )
    const deep = grey([2, 3], new Uint8Array(12), [MASK, ...depth(16)])
    assert.match(await skippedReason(open('deep.tif', [grey([2, 3], PIXELS), deep])), /not of bytes or bits/)
  })

  test('a mask that is cut off or damaged is an error, never fill', async () => {
    const broken = grey([2, 3], new Uint8Array([1, 2, 3]), [MASK, { tag: 259, type: 3, values: [8] }])
    await assert.rejects(open('broken.tif', [grey([2, 3], PIXELS), broken]).chunk('band_data', [0, 0]), (error) =>
      isVirtualZarrError(error, 'malformed-source'),
    )
    const beyond = grey([2, 3], new Uint8Array(6), [MASK, { tag: 273, type: 4, values: [100_000] }])
    await assert.rejects(open('beyond.tif', [grey([2, 3], PIXELS), beyond]).chunk('band_data', [0, 0]), (error) =>
      isVirtualZarrError(error, 'malformed-source'),
    )
  })

  test('a chunk with and without its mask has two ETags, though the documents are the same', async () => {
    const values = new Uint8Array(new Float32Array([1, 2, 3, 4, 5, 6]).buffer)
    const fields = [...depth(32, 3), { tag: 259, type: 3, values: [8] }, nodata('nan')]
    const image = [grey([2, 3], deflateSync(values), fields), BITS]
    const masked = open('same.tif', image)
    const plain = stores.open('same.tif', { missing: 'cf' })
    assert.deepEqual(await masked.document('band_data'), await plain.document('band_data'))
    assert.deepEqual(await floats(plain), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await floats(masked), SHOWN)
    const tags = await Promise.all(
      [masked, plain].map(async (store) => (await store.describe()).store.nodes.get('band_data')),
    )
    const [one, other] = tags.map((node) => (node?.kind === 'array' ? node.tag : ''))
    assert.notEqual(one, other)
  })

  test('DIAG-1: where there is no mask nothing changes, and a diagnostic says so', async () => {
    const store = open('unmasked.tif', [grey([2, 3], PIXELS)])
    assert.equal((await store.document('band_data'))['data_type'], 'uint8')
    const { diagnostics } = (await store.describe()).store
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['mask-absent'],
    )
  })

  test('an export leaves out what the server masks, unless it is small', async () => {
    const size = [300, 300] as const
    const image = [grey(size, new Uint8Array(90_000)), grey(size, new Uint8Array(90_000), [MASK])]
    const { notExported } = await exportKerchunk(await open('large.tif', image).describe())
    assert.deepEqual(notExported, { band_data: 'its mask is applied by the server' })
    const small = await exportKerchunk(await open('small.tif', [grey([2, 3], PIXELS), BITS]).describe())
    assert.deepEqual(small.notExported, {})
    const numbers = Buffer.from(new Float32Array(SHOWN).buffer).toString('base64')
    assert.ok(small.pieces.join('').includes(numbers))
  })
})

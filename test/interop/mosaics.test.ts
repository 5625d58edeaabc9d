import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertInZarrita, type Checked, type CheckedValues, refusalOf, servedMadeFiles } from './made-files.ts'
import { pythonScript } from './python.ts'

const python = pythonScript('mosaics_check.py')

describe('mosaics, through the running service, as rasterio merges the same files', () => {
  const files = servedMadeFiles('interop-mosaics-', python)

  test('COMB-1, COMB-4: gaps, overlaps, block sizes, nodata, masks, types, levels, files upside down', async () => {
    const { read, failures, hashes } = await python<CheckedValues>('check', files.folder, files.server)
    assert.deepEqual(failures, [])
    assert.ok(read >= 29, `${read} mosaics were read`)
    await assertInZarrita(hashes, files.storeOf)
    console.log(`${read} mosaics equal in xarray, zarr-python, tensorstore and zarrita`)
  })

  test('the bundled mosaic and the bundled STAC Item, by their ids', async () => {
    const examples = fileURLToPath(new URL('../../examples', import.meta.url))
    const { read, failures } = await python<Checked>('examples', examples, files.server)
    assert.deepEqual(failures, [])
    assert.equal(read, 5)
  })

  test('COMB-1: what lies on no common grid is refused by name', async () => {
    for (const [name, message] of [
      ['system', /reference system is EPSG:32633 in .*r_first\.tif and EPSG:32634 in .*r_system\.tif/],
      ['size', /the pixel size in y is 10 in .*r_first\.tif and 20 in .*r_size\.tif/],
      ['beside', /r_beside\.tif lies 0\.30 pixels in x beside the pixel grid of .*r_first\.tif/],
      ['turned', /r_turned\.tif is rotated/],
      ['nowhere', /reference system is EPSG:32633 in .* and absent in .*r_nowhere\.tif/],
      ['bands', /dimensions of band_data is \(y, x\) in .* and \(band, y, x\) in .*r_bands\.tif/],
    ] as const) {
      const { status, detail } = await refusalOf(files.storeOf(`r_${name}.json`))
      assert.equal(status, 422)
      assert.match(detail, message)
    }
  })
})

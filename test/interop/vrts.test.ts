import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generate } from '../generators/vrt.ts'
import { assertInZarrita, type CheckedValues, refusalOf, servedMadeFiles } from './made-files.ts'
import { pythonScript } from './python.ts'

const python = pythonScript('vrts_check.py')

describe('VRTs, through the running service, as GDAL reads them itself', () => {
  const files = servedMadeFiles('interop-vrts-', python)

  test('windows, overlaps, nodata, masks, scales, bands, types and documents in documents', async () => {
    const { read, failures, hashes } = await python<CheckedValues>('check', files.folder, files.server)
    assert.deepEqual(failures, [])
    assert.ok(read >= 39, `${read} VRTs were read`)
    await assertInZarrita(hashes, files.storeOf)
    console.log(`${read} VRTs equal in xarray, zarr-python, tensorstore and zarrita`)
  })

  test('what would need resampling, warping or code is refused by its name', async () => {
    for (const [name, expected, message] of [
      ['scaled', 501, /resampling .*SrcRect of band 1 is 48 x 32 and DstRect 96 x 64/],
      ['between', 501, /resampling .*SrcRect of band 1 is at 0\.5/],
      ['lut', 501, /^LUT of a VRT/],
      ['average', 501, /^AveragedSource of a VRT/],
      ['derived', 501, /^VRTDerivedRasterBand of a VRT/],
      ['warped', 501, /^VRTWarpedDataset of a VRT/],
      ['rounded', 501, /float32 of .*float\.tif in a band of uint8/],
      ['driver', 501, /NETCDF:/],
      ['zip', 501, /\/vsizip/],
      ['self', 422, /r_self\.vrt is a source of itself/],
      ['bomb', 422, /document type declaration/],
    ] as const) {
      const { status, detail } = await refusalOf(files.storeOf(`r_${name}.vrt`))
      assert.equal(status, expected, name)
      assert.match(detail, message)
    }
  })
})

test('300 random VRTs have no value, mask or place other than GDAL has, or say so', async () => {
  const { documents, differences } = await generate(4, 300)
  assert.equal(documents, 300)
  assert.deepEqual(differences, [])
})

// Golden values: rasterio 1.5.2 with GDAL 3.12.2, of TIFFs beside which the same documents lay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPam, parsePam } from '../../../src/formats/tiff/pam.ts'

const band = (inner: string, attributes = 'band="1"') =>
  `<PAMDataset><PAMRasterBand ${attributes}>${inner}</PAMRasterBand></PAMDataset>`

function nodata(xml: string): string | undefined {
  assert.ok(isPam(Buffer.from(xml)))
  return parsePam(xml).nodata.get(0)
}

test('nodata values are found whatever the case of names, as attributes and as elements', () => {
  for (const [xml, expected] of [
    ['<pamdataset><pamrasterBAND BAND="1"><nodatavalue>3</nodatavalue></pamrasterBAND></pamdataset>', '3'],
    [band('', 'band="1" NoDataValue="3"'), '3'],
    ['<PAMDataset><PAMRasterBand><band>1</band><NoDataValue>3</NoDataValue></PAMRasterBand></PAMDataset>', '3'],
    [band('<NoDataValue>3</NoDataValue>', 'band="1x"'), '3'],
    [band('<NoDataValue>3</NoDataValue>', ''), undefined],
    [band('<NoDataValue le_hex_equiv="0000000000001040">3</NoDataValue>'), '4'],
    [band('<NoDataValue LE_HEX_EQUIV="0000000000001040">3</NoDataValue>'), '4'],
    [band('<NoDataValue le_hex_equiv="zz">3</NoDataValue>'), '3'],
    [band('<NoDataValue>5abc</NoDataValue>'), '5'],
    [band('<NoDataValue>3<!-- x --></NoDataValue>'), undefined],
    [band('<NoDataValue><![CDATA[3]]></NoDataValue>'), '3'],
    [band('<NoDataValue>3</NoDataValue><NoDataValue>4</NoDataValue>'), '3'],
    [band('<NoDataValue/><NoDataValue>4</NoDataValue>'), undefined],
  ] as const)
    assert.equal(nodata(xml), expected, xml)
  // Of two elements of one band the later.
  const twice = `<PAMDataset>${[3, 4].map((value) => `<PAMRasterBand band="1"><NoDataValue>${value}</NoDataValue></PAMRasterBand>`).join('')}</PAMDataset>`
  assert.equal(nodata(twice), '4')
})

test('place, metadata, scale and offset are read so, too', () => {
  const pam = parsePam(
    '<PAMDataset><geotransform> 1 , 2,0 , 3,0,-2</geotransform><SRS>EPSG:4326</SRS><METADATA><mdi foo="C">z</mdi><MDI key="D"/></METADATA><pamrasterband BAND="1"><Scale>2,5</Scale></pamrasterband><gcplist projection="EPSG:4326"><gcp PIXEL="4" LINE="1" x="2" y="3"/></gcplist></PAMDataset>',
  )
  assert.deepEqual(pam.transform, [2, 0, 1, 0, -2, 3])
  assert.equal(pam.wkt, 'EPSG:4326')
  assert.deepEqual(pam.points, [{ column: 4, row: 1, x: 2, y: 3, z: 0 }])
  assert.equal(pam.pointsWkt, 'EPSG:4326')
  assert.deepEqual(
    pam.items.map(({ name, text, sample }) => [name, text, sample]),
    [
      ['C', 'z', undefined],
      ['SCALE', '2', 0],
      ['OFFSET', '0', 0],
    ],
  )
})

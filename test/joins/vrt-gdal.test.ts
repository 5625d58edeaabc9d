// Golden values: rasterio 1.5.2 with GDAL 3.12.2, which read the same documents; where GDAL 3.6.2 (Debian) reads others, it says so.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readVrt } from '../../src/joins/vrt/read-vrt.ts'
import { buildTiff, dataStart, greyFields } from '../formats/tiff/build.ts'
import { JoinWorld, numbers } from './helpers.ts'

const FLOAT = [
  { tag: 258, type: 3, values: [32] },
  { tag: 339, type: 3, values: [3] },
]

/** Two rows of four pixels of one type, of which one value marks missing points. */
function image(bytes: Uint8Array, type: 'uint8' | 'int16' | 'float32', nodata?: string): Uint8Array {
  const changes = {
    uint8: [],
    int16: [
      { tag: 258, type: 3, values: [16] },
      { tag: 339, type: 3, values: [2] },
    ],
    float32: FLOAT,
  }[type]
  const fields = greyFields(4, 2, [
    { tag: 273, type: 4, values: [dataStart()] },
    { tag: 279, type: 4, values: [bytes.length] },
    ...changes,
    ...(nodata === undefined ? [] : [{ tag: 42_113, type: 2, values: nodata }]),
  ])
  return buildTiff([{ fields }], { data: bytes })
}

const VALUES = [0, 1, 2, 3, 4, 5, 6, 7]
const FILE = (name: string) => `<SourceFilename relativeToVRT="1">${name}</SourceFilename><SourceBand>1</SourceBand>`
const WINDOWS = '<SrcRect xOff="0" yOff="0" xSize="4" ySize="2"/><DstRect xOff="1" yOff="1" xSize="4" ySize="2"/>'
const dataset = (inner: string, size = 'rasterXSize="6" rasterYSize="3"') => `<VRTDataset ${size}>${inner}</VRTDataset>`
const band = (inner: string, attributes = 'dataType="Byte"') =>
  dataset(`<VRTRasterBand ${attributes}>${inner}</VRTRasterBand>`)
const simple = (inner = '', file = 'c.tif', windows = WINDOWS) =>
  `<SimpleSource>${FILE(file)}${windows}${inner}</SimpleSource>`
const complex = (inner = '', file = 'c.tif', windows = WINDOWS) =>
  `<ComplexSource>${FILE(file)}${windows}${inner}</ComplexSource>`

const PLAIN = '000000 001230 045670'
const NOTHING = '000000 000000 000000'

describe('virtual rasters as GDAL reads them', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    world.origin.put('c.tif', image(Uint8Array.from(VALUES), 'uint8'))
    world.origin.put('n.tif', image(Uint8Array.from(VALUES), 'uint8', '3'))
    world.origin.put('i16.tif', image(new Uint8Array(Int16Array.from([-9999, 1, 2, 3, 4, 5, 6, 7]).buffer), 'int16'))
    const floats = Float32Array.from([0, Number.NaN, 2, 3, 4, 5, 6, 7])
    world.origin.put('nan.tif', image(new Uint8Array(floats.buffer), 'float32'))
    const near = Float32Array.from([1.25, 1.2500001, 1.2500003, 1.2500009, 4, 5, 6, 7])
    world.origin.put('near.tif', image(new Uint8Array(near.buffer), 'float32'))
  })
  after(() => world.close())

  async function read(text: string): Promise<string> {
    const path = `d-${Math.random()}.vrt`
    world.origin.put(path, Buffer.from(text))
    const values = await numbers(world.open(path), 'band_data')
    const shown = values.map((value) => (Number.isNaN(value) ? 'n' : String(value)))
    const separator = shown.some((value) => value.length > 1) ? ',' : ''
    return [0, 6, 12].map((from) => shown.slice(from, from + 6).join(separator)).join(' ')
  }

  for (const [name, text, expected] of [
    [
      'names of elements in other letters',
      dataset(
        `<vrtRASTERband datatype="byte"><NodataValue>9</NodataValue><SimpleSource><sourceFilename RELATIVETOVRT="1">c.tif</sourceFilename><SOURCEBAND>1</SOURCEBAND><srcRect xoff="0" YOFF="0" xsize="4" YSize="2"/><dstRect xOff="1" yoff="1" XSIZE="4" ysize="2"/></SimpleSource></vrtRASTERband>`,
        'RASTERXSIZE="6" rasterysize="3"',
      ),
      '999999 901239 945679',
    ],
    ['nodata of a source in other letters', band(complex('<NoData>5</NoData>')), '000000 001230 040670'],
    ['names of sources with regard to case', band(complex().replaceAll('ComplexSource', 'complexsource')), NOTHING],
    [
      'attributes where elements are usual',
      dataset(
        `<VRTRasterBand NoDataValue="9"><ComplexSource SourceFilename="c.tif" NODATA="5">${WINDOWS}</ComplexSource></VRTRasterBand>`,
      ),
      '999999 901239 949679',
    ],
    [
      'elements where attributes are usual',
      dataset(
        `<rasterXSize>6</rasterXSize><rasterYSize>3</rasterYSize><VRTRasterBand><dataType>Byte</dataType><SimpleSource>${FILE('c.tif')}<SrcRect><xOff>0</xOff><yOff>0</yOff><xSize>4</xSize><ySize>2</ySize></SrcRect><DstRect xOff="1" yOff="1" xSize="4" ySize="2"/></SimpleSource></VRTRasterBand>`,
        '',
      ),
      PLAIN,
    ],
    [
      'of two elements the first',
      band(`<NoDataValue>9</NoDataValue><NoDataValue>8</NoDataValue>${simple()}`),
      '999999 901239 945679',
    ],
    [
      'no value in an empty element, the first of two',
      band(`<NoDataValue/><NoDataValue>8</NoDataValue>${simple()}`),
      PLAIN,
    ],
    ['no value of a text with a comment', band(`<NoDataValue>9<!-- nine --></NoDataValue>${simple()}`), PLAIN],
    ['a text in CDATA', band(`<NoDataValue><![CDATA[9]]></NoDataValue>${simple()}`), '999999 901239 945679'],
    ['nodata without windows', band(complex('<NODATA>5</NODATA>', 'c.tif', '')), '012300 406700 000000'],
    [
      'nodata of 0 without windows',
      band(`<NoDataValue>9</NoDataValue>${complex('<NODATA>0</NODATA>', 'c.tif', '')}`),
      '912399 456799 999999',
    ],
    [
      'nothing of a SrcRect alone',
      band(simple('', 'c.tif', '<SrcRect xOff="0" yOff="0" xSize="4" ySize="2"/>')),
      NOTHING,
    ],
    [
      'nothing of a DstRect alone',
      band(simple('', 'c.tif', '<DstRect xOff="1" yOff="1" xSize="4" ySize="2"/>')),
      NOTHING,
    ],
    [
      'windows of -1 as none',
      band(simple('', 'c.tif', '<SrcRect xOff="-1" yOff="-1" xSize="-1" ySize="-1"/><DstRect/>')),
      '012300 456700 000000',
    ],
    [
      'no nodata, scale or table in a simple source',
      band(simple('<NODATA>5</NODATA><ScaleRatio>2</ScaleRatio><LUT>0:1,7:3</LUT>')),
      PLAIN,
    ],
    ['an exponent without its range', band(complex('<Exponent>2</Exponent><DstMin>0</DstMin>')), PLAIN],
    [
      'UseMaskBand: the nodata value of the file instead of NODATA (GDAL 3.6: both)',
      band(complex('<NODATA>5</NODATA><UseMaskBand>true</UseMaskBand>', 'n.tif')),
      '000000 001200 045670',
    ],
    [
      'a mask of a nodata value',
      band(`<SimpleSource>${FILE('n.tif').replace('>1</SourceBand', '>MASK,1</SourceBand')}${WINDOWS}</SimpleSource>`),
      '0,0,0,0,0,0 0,255,255,255,0,0 0,255,255,255,255,0',
    ],
    [
      'NaN that is not the nodata value, scaled',
      band(`${simple()}${complex('<NODATA>0</NODATA><ScaleRatio>2</ScaleRatio>', 'nan.tif')}`, 'dataType="Float32"'),
      '0,0,0,0,0,0 0,0,n,4,6,0 0,8,10,12,14,0',
    ],
    [
      'NaN that is the nodata value, scaled',
      band(`${simple()}${complex('<NODATA>nan</NODATA><ScaleRatio>2</ScaleRatio>', 'nan.tif')}`, 'dataType="Float32"'),
      '0,0,0,0,0,0 0,0,1,4,6,0 0,8,10,12,14,0',
    ],
    [
      'floats that are nearly the nodata value',
      band(complex('<NODATA>1.25</NODATA>', 'near.tif'), 'dataType="Float32"'),
      '0,0,0,0,0,0 0,0,0,0,1.2500009536743164,0 0,4,5,6,7,0',
    ],
    [
      'nodata of an integer, scaled',
      band(
        `<NoDataValue>9</NoDataValue>${complex('<NODATA>5</NODATA><ScaleRatio>2</ScaleRatio><ScaleOffset>3</ScaleOffset>')}`,
      ),
      '9,9,9,9,9,9 9,3,5,7,9,9 9,11,9,15,17,9',
    ],
    [
      'integers whose scaled values are whole',
      band(complex('<ScaleRatio>0.5</ScaleRatio><NODATA>1</NODATA>', 'even.tif')),
      '000000 001020 030000',
    ],
    [
      'integers of which only nodata fits not into the band',
      band(complex('<NODATA>-9999</NODATA>', 'i16.tif')),
      '000000 001230 045670',
    ],
    [
      'nodata with a fraction, of integers of 8 bits (GDAL 3.6: no nodata)',
      band(complex('<NODATA>5.5</NODATA>')),
      '000000 001230 040670',
    ],
    [
      'nodata with a fraction, and a scaling by 1',
      band(complex('<NODATA>5.5</NODATA><ScaleRatio>1</ScaleRatio>')),
      PLAIN,
    ],
    [
      'nodata that no pixel can have fills',
      band(`<NoDataValue>300</NoDataValue>${simple()}`),
      '255,255,255,255,255,255 255,0,1,2,3,255 255,4,5,6,7,255',
    ],
    [
      'a hidden nodata value fills',
      band(`<NoDataValue>9</NoDataValue><HideNoDataValue>yes</HideNoDataValue>${simple()}`),
      '999999 901239 945679',
    ],
    [
      'NaN times 0 is the offset',
      band(complex('<ScaleRatio>0</ScaleRatio><ScaleOffset>7</ScaleOffset>', 'nan.tif'), 'dataType="Float32"'),
      '000000 077770 077770',
    ],
  ] as const)
    test(name, async () => {
      world.origin.put('even.tif', image(Uint8Array.from([0, 2, 1, 4, 6, 1, 1, 0]), 'uint8'))
      assert.equal(await read(text), expected)
    })

  test('a scaled value that is not whole, or too large, is refused at its chunk', async () => {
    await assert.rejects(read(band(complex('<ScaleRatio>0.5</ScaleRatio>'))), { message: /value 1 becomes 0\.5/ })
    await assert.rejects(read(band(complex('<ScaleRatio>100</ScaleRatio>'))), { message: /value 3 becomes 300/ })
  })

  test('what is not interpreted is a diagnostic with its path, and what GDAL reads otherwise than it is written', async () => {
    const found: string[] = []
    const text = dataset(
      `<GCPList/><VRTRasterBand Foo="1"><ColorTable><Entry/></ColorTable><NoDataValue>5abc</NoDataValue>${simple('<LUT>1:2</LUT>')}${simple('<LUT>1:2</LUT>')}${simple('', 'c.tif', '<DstRect xSize="4" ySize="2"/>')}<simplesource/></VRTRasterBand>`,
    )
    await readVrt(text, ({ code, message }) => found.push(`${code}: ${message}`))
    assert.deepEqual(found, [
      'vrt-window: VRTDataset/VRTRasterBand[1]/SimpleSource[3] has not both a SrcRect and a DstRect with their sizes: as in GDAL, nothing of it is read',
      'vrt-number: NoDataValue of VRTDataset/VRTRasterBand[1] is "5abc", which GDAL reads as 5',
      'vrt-element-ignored: VRTDataset/GCPList[1]: not interpreted',
      'vrt-element-ignored: VRTDataset/VRTRasterBand[1]/@Foo: not interpreted',
      'vrt-element-ignored: VRTDataset/VRTRasterBand[1]/ColorTable[1]: not interpreted',
      'vrt-element-ignored: VRTDataset/VRTRasterBand[1]/SimpleSource[1]/LUT[1], and 1 others of its name: not interpreted',
      'vrt-element-ignored: VRTDataset/VRTRasterBand[1]/simplesource[4]: not interpreted',
    ])
  })

  test('the mask of a band is that of the raster where it is the only one', async () => {
    const mask = `<MaskBand><VRTRasterBand>${simple()}</VRTRasterBand></MaskBand>`
    world.origin.put('masked.vrt', Buffer.from(band(`${simple()}${mask}`)))
    assert.equal((await numbers(world.open('masked.vrt'), 'mask/band_data')).join(''), '000000001230045670')
    const two = dataset(`<VRTRasterBand>${mask}</VRTRasterBand><VRTRasterBand/>`)
    await assert.rejects(readVrt(two), { code: 'unsupported-feature' })
    await assert.rejects(readVrt(dataset(`${mask}<VRTRasterBand>${mask}</VRTRasterBand>`)), {
      code: 'malformed-source',
    })
  })

  test('a source in another document: its nodata value shows through in another type, scaled, and where no file lies', async () => {
    world.origin.put('inner.vrt', Buffer.from(band(`<NoDataValue>3</NoDataValue>${complex('<NODATA>1</NODATA>')}`)))
    const whole = '<SrcRect xOff="0" yOff="0" xSize="6" ySize="3"/><DstRect xOff="0" yOff="0" xSize="6" ySize="3"/>'
    const scaled = complex('<NODATA>5</NODATA><ScaleRatio>2</ScaleRatio>', 'inner.vrt', whole)
    assert.equal(await read(band(scaled, 'dataType="Float32"')), '6,6,6,6,6,6 6,0,6,4,6,6 6,8,0,12,14,6')
    const masked = complex('<UseMaskBand>1</UseMaskBand>', 'inner.vrt', whole)
    assert.equal(await read(band(`<NoDataValue>9</NoDataValue>${masked}`)), '999999 909299 945679')
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { readTiffNodata } from '../../src/fill-value/tiff-nodata.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { listener } from '../helpers/virtual-array.ts'

const float32: DataType = { kind: 'float', bits: 32 }

function read(
  gdalNoData: string | undefined,
  items: Record<string, string | readonly string[]>,
  policy: 'warn' | 'error' = 'error',
  dataType = float32,
) {
  const heard = listener()
  const result = readTiffNodata({
    gdalNoData,
    items: new Map(Object.entries(items)),
    dataType,
    policy,
    path: '0',
    warn: heard.warn,
  })
  const attributes = Object.fromEntries(result.attributes)
  const { fillValue, missingValue } = result.sentinels
  return {
    fill: result.fillValue?.value,
    sentinel: fillValue?.value,
    missing: missingValue?.value,
    attributes,
    seen: heard.seen,
  }
}

test('FV-TIFF: the documented example', () => {
  const items = { _FillValue: '-9999', missing_value: '-9999', 'swe#_FillValue': '-9999', 'other#scale': '1' }
  const { seen, ...result } = read('-9999', items)
  assert.deepEqual(result, { fill: -9999, sentinel: -9999, missing: -9999, attributes: { gdal_no_data: '-9999' } })
  assert.deepEqual(seen, [])
})

test('FV-TIFF-8: the tag comes before _FillValue, that before missing_value', () => {
  assert.equal(read('1', { _FillValue: '2', missing_value: '3' }).fill, 1)
  assert.equal(read(undefined, { _FillValue: '2', missing_value: '3' }).fill, 2)
  assert.equal(read('', { missing_value: '3' }).fill, 3)
})

test('FV-TIFF-7: different values are one warning that names them all, equal ones none', () => {
  const { seen } = read('1', { _FillValue: '2', missing_value: '1.0' })
  assert.equal(seen.length, 1)
  assert.match(seen[0]?.message ?? '', /gdal_no_data "1".*_FillValue "2".*missing_value "1.0"/)
  assert.deepEqual(read('-9999', { _FillValue: '-9999.0' }).seen, [])
  assert.deepEqual(read('nan', { _FillValue: '-nan' }).seen, [])
})

test('FV-TIFF-7: values that differ by band are named with all others in one warning', () => {
  const { fill, seen, attributes } = read(undefined, { _FillValue: ['1', '2', ''], missing_value: ['3', '3.0', '3'] })
  assert.equal(fill, 3)
  assert.deepEqual(attributes, { band__FillValue: ['1', '2', ''] })
  assert.deepEqual(
    seen.map(({ message }) => message),
    [
      'nodata values differ: _FillValue by band ("1", "2", ""), missing_value by band ("3", "3.0", "3"); missing_value is taken',
    ],
  )
  const prefixed = read('1', { 'a#_FillValue': ['1', '1.0'], 'b#_FillValue': ['1', '2'] })
  assert.deepEqual(prefixed.attributes, { gdal_no_data: '1', 'b#_FillValue': ['1', '2'] })
  assert.throws(() => read(undefined, { _FillValue: ['1', 'hello'] }))
  const dropped = read(undefined, { _FillValue: ['1', 'hello'] }, 'warn')
  assert.deepEqual(
    [dropped.fill, dropped.seen.map(({ code }) => code)],
    [undefined, ['sentinel-dropped', 'sentinels-differ']],
  )
})

test('FV-TIFF-10: missing_value becomes the chosen value, and is not created', () => {
  assert.equal(read('1', { missing_value: '2' }).missing, 1)
  assert.equal(read('1', {}).missing, undefined)
})

test('FV-TIFF-12: a prefixed duplicate goes, another value and unparsable text stay', () => {
  const items = { 'a#_FillValue': 'nan', 'b#missing_value': '7', 'c#_FillValue': 'hello' }
  assert.deepEqual(read('nan', items).attributes, {
    gdal_no_data: 'nan',
    'b#missing_value': '7',
    'c#_FillValue': 'hello',
  })
})

test('FV-TIFF-6, FV-15: text that does not fit is an error, or dropped on request', () => {
  const uint8: DataType = { kind: 'uint', bits: 8 }
  assert.throws(
    () => read('256', {}, 'error', uint8),
    (error) => isVirtualZarrError(error, 'malformed-source'),
  )
  const dropped = read('256', {}, 'warn', uint8)
  assert.equal(dropped.fill, undefined)
  assert.deepEqual(dropped.attributes, { gdal_no_data: '256' })
  assert.deepEqual(
    dropped.seen.map(({ code }) => code),
    ['sentinel-dropped'],
  )
})

test('FV-TIFF-11: the tag stays as its text, up to the first NUL', () => {
  assert.deepEqual(read(' -9999.00\0x', {}).attributes, { gdal_no_data: ' -9999.00' })
})

test('FV-TIFF-13: nothing given is nothing chosen', () => {
  assert.deepEqual(read(undefined, {}), {
    fill: undefined,
    sentinel: undefined,
    missing: undefined,
    attributes: {},
    seen: [],
  })
})

test('a text that is an end of the type, rounded to six digits or more, means that end', () => {
  const float64: DataType = { kind: 'float', bits: 64 }
  const lowest = -3.4028234663852886e38
  // What rasterio 1.5.2 masks: it compares within a tolerance. The value, and whether the text is called rounded.
  const texts: readonly (readonly [string, DataType, number, boolean])[] = [
    ['-3.40282e+38', float32, lowest, true],
    [' -3.402823e+38\0', float32, lowest, true],
    ['3.40282e+38', float32, -lowest, true],
    ['-340282000000000000000000000000000000000', float32, lowest, true],
    ['-3.40282347e+38', float32, lowest, false],
    ['-3.4028235e+38', float32, lowest, false],
    ['-3.4028234663852886e+038', float32, lowest, false],
    ['-1.79769e+308', float64, -Number.MAX_VALUE, true],
    ['-1.79769313486232e+308', float64, -Number.MAX_VALUE, true],
    ['-1.7976931348623157e+308', float64, -Number.MAX_VALUE, false],
    // Every other text means the nearest value.
    ['-3.40282e+38', float64, -3.40282e38, false],
    ['-3.4028e+38', float32, Math.fround(-3.4028e38), false],
    ['-3.40282000e+38', float32, Math.fround(-3.40282e38), false],
    ['-3.4e+38', float32, Math.fround(-3.4e38), false],
    ['-9999.9', float32, Math.fround(-9999.9), false],
    ['0.1', float32, Math.fround(0.1), false],
    ['1e+20', float32, Math.fround(1e20), false],
  ]
  for (const [text, type, value, isRounded] of texts) {
    const { fill, seen } = read(text, {}, 'error', type)
    assert.equal(fill, value, text)
    assert.deepEqual(
      seen.map(({ code }) => code),
      isRounded ? ['nodata-rounded'] : [],
      text,
    )
  }
  assert.match(read('-3.40282e+38', {}).seen[0]?.message ?? '', /"-3.40282e\+38" is -3.4028234663852886e\+38/)
})

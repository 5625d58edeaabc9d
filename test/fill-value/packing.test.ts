import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFitsBlank } from '../../src/fill-value/fits-blank.ts'
import { packedSentinel } from '../../src/fill-value/packing.ts'
import { Float } from '../../src/json/json.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { listener } from '../helpers/virtual-array.ts'

const int16: DataType = { kind: 'int', bits: 16 }
const int32: DataType = { kind: 'int', bits: 32 }

test('PACK-3: a physical sentinel is packed, and refused where it does not fit', () => {
  const packing = { scaleFactor: 0.01, addOffset: 0 }
  assert.deepEqual(packedSentinel(-9999, packing, int32)?.value, { kind: 'number', value: -999900 })
  assert.equal(packedSentinel(-9999, packing, int16), undefined)
  assert.deepEqual(packedSentinel(2.5, { scaleFactor: 1, addOffset: 0 }, int16)?.value, { kind: 'number', value: 2 })
  assert.deepEqual(packedSentinel(-3.5, { scaleFactor: 1, addOffset: 0 }, int16)?.value, { kind: 'number', value: -4 })
  assert.equal(packedSentinel(1, { scaleFactor: 0, addOffset: 0 }, int16), undefined)
})

function blank(blankValue: number | undefined, bscale: number, bzero: number, dataType: DataType) {
  const heard = listener()
  const read = readFitsBlank({
    blank: blankValue,
    bscale,
    bzero,
    dataType,
    policy: 'warn',
    path: 'PRIMARY',
    warn: heard.warn,
  })
  const attributes = Object.fromEntries(read.attributes)
  return { fill: read.fillValue.value, sentinel: read.sentinels.fillValue?.value, attributes, codes: heard.codes() }
}

test('FV-FITS-1, FV-FITS-3: BLANK is the sentinel and what viewers take as nodata, in stored units', () => {
  const attributes = { scale_factor: new Float(1), add_offset: new Float(32768) }
  assert.deepEqual(blank(-32768, 1, 32768, int16), { fill: -32768, sentinel: -32768, attributes, codes: [] })
  assert.deepEqual(blank(undefined, 1, 0, int16), { fill: 0, sentinel: undefined, attributes: {}, codes: [] })
})

test('FV-FITS-2: BLANK is ignored on a floating image, and dropped where the type can not hold it', () => {
  const float: DataType = { kind: 'float', bits: 32 }
  assert.deepEqual(blank(5, 1, 0, float), {
    fill: Number.NaN,
    sentinel: undefined,
    attributes: {},
    codes: ['sentinel-dropped'],
  })
  assert.deepEqual(blank(300, 1, 0, { kind: 'uint', bits: 8 }).codes, ['sentinel-dropped'])
})

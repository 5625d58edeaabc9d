import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { attributeSentinel, type SentinelInput, unsignedAttribute } from '../../src/fill-value/raw-sentinel.ts'
import { readSentinels } from '../../src/fill-value/sentinels.ts'
import { Float } from '../../src/json/json.ts'
import type { DataType } from '../../src/model/data-type.ts'
import type { AttributeValue } from '../../src/model/virtual-store.ts'
import { listener } from '../helpers/virtual-array.ts'

const float32: DataType = { kind: 'float', bits: 32 }
const uint8: DataType = { kind: 'uint', bits: 8 }
const int16: DataType = { kind: 'int', bits: 16 }

function read(
  dataType: DataType,
  given: { fill?: AttributeValue; missing?: AttributeValue },
  options: Partial<Pick<SentinelInput, 'policy' | 'isUnsigned' | 'readsTextFill'>> = {},
) {
  const heard = listener()
  const result = readSentinels({
    dataType,
    fillValue: attributeSentinel(given.fill),
    missingValue: attributeSentinel(given.missing),
    policy: 'warn',
    path: 'g/v',
    warn: heard.warn,
    ...options,
  })
  const { fillValue, missingValue } = result.sentinels
  return { fill: fillValue?.value, missing: missingValue?.value, plain: result.missingValue, codes: heard.codes() }
}

test('FV-6, FV-11: both sentinels are cast to the array type and stay equal', () => {
  const cast = read(float32, { fill: -9999.9, missing: -9999.9 })
  const codes = ['sentinel-rounded']
  assert.deepEqual(cast, { fill: -9999.900390625, missing: -9999.900390625, plain: undefined, codes })
  assert.equal(read(int16, { fill: new Float(-5) }).fill, -5)
})

test('TEST-1: a mask that readers of the source do not make is told: rounded numbers, text, what JSON can not spell', () => {
  assert.deepEqual(read(float32, { fill: -9999.900390625, missing: -9999.9 }).codes, [])
  assert.deepEqual(read(float32, { fill: 7, missing: 0.1 }).codes, ['sentinel-rounded', 'sentinels-differ'])
  assert.deepEqual(read(float32, { fill: 2n ** 53n + 1n }).codes, ['sentinel-rounded'])
  assert.deepEqual(read(float32, { fill: 2n ** 60n, missing: 0.5 }).codes, ['sentinels-differ'])
  assert.deepEqual(read(int16, { missing: '-99' }).codes, ['missing-value-text'])
  assert.deepEqual(read(float32, { fill: 7, missing: Infinity }).codes, ['missing-value-dropped'])
})

test('text is the _FillValue of numbers where a format has nothing else, as JSON; otherwise it is dropped', () => {
  assert.deepEqual(read(int16, { fill: '-99' }).codes, ['sentinel-dropped'])
  assert.equal(read(int16, { fill: '-99' }).fill, undefined)
  assert.equal(read(int16, { fill: '-99' }, { readsTextFill: true }).fill, -99)
})

test('FV-HDF5-6: what the type can not hold is dropped with a diagnostic', () => {
  const dropped = read(uint8, { fill: -9999 })
  assert.deepEqual(dropped, { fill: undefined, missing: undefined, plain: undefined, codes: ['sentinel-dropped'] })
})

test('FV-15: with the policy error it is refused, naming array, value, type and the option', () => {
  assert.throws(
    () => read(uint8, { fill: -9999 }, { policy: 'error' }),
    (error) =>
      isVirtualZarrError(error, 'malformed-source') &&
      /g\/v.*-9999.*uint8.*;sentinel=warn/.test(error.message) &&
      error.context.path === 'g/v',
  )
})

test('FV-16: overflow to infinity is accepted and reported', () => {
  const read32 = read(float32, { fill: 1e39 })
  assert.equal(read32.fill, Infinity)
  assert.deepEqual(read32.codes, ['overflow-to-infinity'])
})

test('FV-13: different sentinels are both kept, with a diagnostic', () => {
  const both = read(int16, { fill: -1, missing: -2 })
  assert.deepEqual([both.fill, both.missing, both.codes], [-1, -2, ['sentinels-differ']])
  assert.deepEqual(read(float32, { fill: Number.NaN, missing: Number.NaN }).codes, [])
})

test('FV-14: a one-element list is a scalar, more is no _FillValue, a list of missing values passes', () => {
  assert.equal(read(int16, { fill: [-1] }).fill, -1)
  assert.deepEqual(read(int16, { fill: [-1, -2] }).codes, ['sentinel-dropped'])
  const list = read(int16, { missing: [-1, -2] })
  assert.deepEqual([list.missing, list.plain], [undefined, [-1, -2]])
})

test('FV-12: text that is a value of the type becomes it, other text passes with a diagnostic', () => {
  assert.equal(read(int16, { missing: '-99' }).missing, -99)
  const other = read(int16, { missing: 'none' })
  assert.deepEqual([other.missing, other.plain, other.codes], [undefined, 'none', ['missing-value-text']])
})

test('FV-12: _FillValue carries an infinite missing_value, NaN needs no carrier', () => {
  assert.equal(read(float32, { missing: Infinity }).fill, Infinity)
  assert.equal(read(float32, { missing: Number.NaN }).fill, undefined)
})

// xarray 2026.9 over netCDF4 1.7 keeps int16 for an empty list, masks nothing by empty text, and makes float32 of int16 for that.
test('an empty missing_value of numbers is dropped', () => {
  for (const missing of ['', ' ', '\0', new Uint8Array(0)]) {
    for (const type of [int16, float32]) {
      const { plain, codes, missing: value } = read(type, { missing })
      assert.deepEqual([plain, value, codes], [undefined, undefined, ['sentinel-dropped']], JSON.stringify(missing))
    }
  }
  assert.equal(read({ kind: 'string' }, { missing: '' }).missing, '')
})

// xarray 2026.9: `float32([0, 1]) == 1e-60` is false for both.
test('a sentinel that is too small for the type is dropped: rounded to 0 it would mask every 0', () => {
  const complex: DataType = { kind: 'complex', bits: 64 }
  for (const value of [1e-60, -1e-60, 7e-46]) {
    const fill = read(float32, { fill: value })
    assert.deepEqual([fill.fill, fill.codes], [undefined, ['sentinel-dropped']], String(value))
    const missing = read(float32, { missing: value })
    assert.deepEqual([missing.missing, missing.plain, missing.codes], [undefined, undefined, ['sentinel-dropped']])
    assert.equal(read({ kind: 'float', bits: 64 }, { fill: value }).fill, value)
    assert.equal(read(complex, { fill: value }).fill, undefined)
  }
  assert.equal(read({ kind: 'float', bits: 16 }, { fill: 1e-9 }).fill, undefined)
  assert.equal(read(float32, { fill: 1e-45 }).fill, 1.401298464324817e-45)
  assert.deepEqual(read(float32, { fill: -0 }).fill, -0)
  assert.throws(() => read(float32, { fill: 1e-60 }, { policy: 'error' }), /1e-60 is 0 in float32/)
})

// xarray 2026.9 masks -1 and the infinity of such a file.
test('FV-12: a free _FillValue carries an infinity of a list', () => {
  const both = read(float32, { missing: [-1, Infinity] })
  assert.deepEqual([both.fill, both.missing, both.plain, both.codes], [Infinity, undefined, [-1], []])
  assert.deepEqual(read(float32, { missing: [-Infinity, -1, Infinity] }).plain, [-1, Infinity])
  const said = read(float32, { fill: Infinity, missing: [-1, Infinity] })
  assert.deepEqual([said.fill, said.plain], [Infinity, [-1]])
  const taken = read(float32, { fill: 0, missing: [-1, Infinity] })
  assert.deepEqual([taken.fill, taken.plain], [0, [-1, Infinity]])
  assert.deepEqual([read(int16, { missing: [-1, Infinity] }).fill], [undefined])
})

test('FV-HDF5-8: text and bytes are read in text types, and dropped in number types', () => {
  const text: DataType = { kind: 'fixed-text', encoding: 'bytes', length: 3 }
  assert.deepEqual(read(text, { fill: 'abc' }).fill, new TextEncoder().encode('abc'))
  assert.equal(read({ kind: 'string' }, { fill: Buffer.from('abc') }).fill, 'abc')
  assert.deepEqual(read(float32, { fill: Uint8Array.of(0xff) }).codes, ['sentinel-dropped'])
})

test('PACK-4: a number of the other sign domain becomes the stored bits', () => {
  assert.equal(read(int16, { fill: 65535 }, { isUnsigned: true }).fill, -1)
  assert.equal(read(int16, { fill: -1 }, { isUnsigned: true }).fill, -1)
  assert.equal(read(uint8, { fill: -1 }, { isUnsigned: false }).fill, 255)
  assert.equal(read(int16, { fill: 65535 }).fill, undefined)
  assert.equal(read({ kind: 'int', bits: 64 }, { fill: 18446744073709551615n }, { isUnsigned: true }).fill, -1n)
})

test('PACK-4: a missing_value of the other sign stays, unless its bits are those of _FillValue', () => {
  const bytes: DataType = { kind: 'int', bits: 8 }
  assert.deepEqual(read(bytes, { missing: 255 }, { isUnsigned: true }).plain, 255)
  assert.deepEqual(read(uint8, { missing: -1 }, { isUnsigned: false }).plain, -1)
  const same = read(bytes, { fill: -1, missing: 255 }, { isUnsigned: true })
  assert.deepEqual([same.fill, same.missing, same.plain, same.codes], [-1, -1, undefined, []])
})

test('PACK-4: _Unsigned is understood as the words that readers know, and as a boolean', () => {
  assert.deepEqual(['true', 'True', true, 'false', 1, undefined].map(unsignedAttribute), [
    true,
    undefined,
    true,
    false,
    undefined,
    undefined,
  ])
})

test('an attribute that is no scalar is dropped, not a crash', () => {
  for (const value of [null, [], {}, [[1]], [{}]] as AttributeValue[]) {
    assert.equal(read(int16, { fill: value, missing: value }).fill, undefined)
  }
})

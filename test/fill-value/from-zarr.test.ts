import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromZarrFillValue } from '../../src/fill-value/from-zarr.ts'
import { fromCfFillValue } from '../../src/fill-value/to-cf.ts'
import type { Json } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import type { DataType } from '../../src/model/data-type.ts'

const float32: DataType = { kind: 'float', bits: 32 }
const int16: DataType = { kind: 'int', bits: 16 }

function read(text: string, type: DataType): unknown {
  return fromZarrFillValue(parseJson(text), type)?.value
}

test('JSON-4: hexadecimal spellings are read', () => {
  assert.equal(read('"0x3f800000"', float32), 1)
  assert.ok(Number.isNaN(read('"0x7fc00001"', float32)))
  assert.equal(read('"0x3ff8000000000000"', { kind: 'float', bits: 64 }), 1.5)
  assert.equal(read('"0x3f80"', float32), undefined)
})

test('JSON-5: other spellings of non-finite numbers, and integral floats for integers', () => {
  assert.equal(read('"+Infinity"', float32), Infinity)
  assert.equal(read('"-Infinity"', float32), -Infinity)
  for (const text of ['"nan"', '"-NaN"', '"NaN"']) assert.ok(Number.isNaN(read(text, float32)), text)
  assert.equal(read('5.0', int16), 5)
  assert.equal(read('5.5', int16), undefined)
  assert.equal(read('-0.0', int16), 0)
  assert.ok(Object.is(read('-0.0', float32), -0))
})

test('JSON-3: a list of bytes and base64 are the same', () => {
  const opaque: DataType = { kind: 'opaque', length: 3 }
  assert.deepEqual(read('[1,2,3]', opaque), Uint8Array.of(1, 2, 3))
  assert.deepEqual(read('"AQID"', opaque), Uint8Array.of(1, 2, 3))
  for (const text of ['[1,2]', '[1,2,256]', '[1,2,"3"]', '"AQID="', '"A*ID"', '"AQ"'])
    assert.equal(read(text, opaque), undefined, text)
})

test('64-bit integers and NaT are exact', () => {
  assert.equal(read('18446744073709551615', { kind: 'uint', bits: 64 }), 18446744073709551615n)
  assert.equal(read('9223372036854775808', { kind: 'int', bits: 64 }), undefined)
  assert.equal(read('"NaT"', { kind: 'datetime', unit: 'ns', scale: 1 }), -(2n ** 63n))
})

test('null is no value, and neither is what the type has no spelling for', () => {
  const wrong: readonly (readonly [string, DataType])[] = [
    ['null', float32],
    ['"1"', int16],
    ['{}', float32],
    ['[1,2,3]', { kind: 'complex', bits: 64 }],
    ['["a",1]', { kind: 'complex', bits: 64 }],
    ['2', { kind: 'bool' }],
    ['1', { kind: 'string' }],
    ['"abc"', { kind: 'fixed-text', encoding: 'utf-32', length: 8 }],
  ]
  for (const [text, type] of wrong) assert.equal(read(text, type), undefined, text)
})

test('CONV-1: the five documented examples decode', () => {
  const examples: readonly (readonly [Json, DataType, unknown])[] = [
    [true, { kind: 'bool' }, true],
    [255, { kind: 'uint', bits: 8 }, 255],
    ['AAAAAAAA+D8=', float32, 1.5],
    ['BAUGBw==', { kind: 'bytes' }, Uint8Array.of(4, 5, 6, 7)],
    ['missing value', { kind: 'string' }, 'missing value'],
  ]
  for (const [json, type, value] of examples) assert.deepEqual(fromCfFillValue(json, type)?.value, value)
  for (const json of ['AAAA', 'x', 1.5, null, ['AAAAAAAA+D8=']]) assert.equal(fromCfFillValue(json, float32), undefined)
})

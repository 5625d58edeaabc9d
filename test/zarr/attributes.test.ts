import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float, type Json } from '../../src/json/json.ts'
import { writeJson } from '../../src/json/write.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { type AttributeValue, NO_SENTINELS } from '../../src/model/virtual-store.ts'
import { attributesDocument } from '../../src/zarr/attributes.ts'
import { listener } from '../helpers/virtual-array.ts'

const int16: DataType = { kind: 'int', bits: 16 }

function written(attributes: Record<string, AttributeValue>, dataType?: DataType) {
  const heard = listener()
  const array = dataType === undefined ? undefined : ({ dataType, sentinels: NO_SENTINELS, output: 'cf' } as const)
  const document = attributesDocument(new Map(Object.entries(attributes)), { path: 'v', warn: heard.warn, array })
  return { document, text: writeJson(document), codes: heard.codes(), seen: heard.seen }
}

test('JSON-6: non-finite numbers become words wherever they are, with one diagnostic a document', () => {
  const { text, codes, seen } = written({ a: Number.NaN, b: [1, { c: [-Infinity] }], d: new Float(Infinity) })
  assert.equal(text, '{"a":"NaN","b":[1,{"c":["-Infinity"]}],"d":"Infinity"}')
  assert.deepEqual(codes, ['attribute-not-finite'])
  assert.deepEqual(seen[0]?.values, ['a', 'b', 'd'])
})

test('JSON-7: bytes are text in UTF-8, else in Latin-1 with a diagnostic that lists the keys', () => {
  const bytes = new TextEncoder().encode('é')
  const { text, seen } = written({
    a: bytes,
    b: Uint8Array.of(0xff),
    c: [bytes, bytes],
    d: [Uint8Array.of(0xfe)],
    e: [bytes],
    f: [[{ deep: Uint8Array.of(0xb0, 0x43) }]],
  })
  assert.equal(text, '{"a":"é","b":"ÿ","c":["é","é"],"d":"þ","e":"é","f":[[{"deep":"°C"}]]}')
  assert.deepEqual(
    seen.map(({ code, values }) => [code, values]),
    [['text-encoding-guessed', ['b', 'd', 'f']]],
  )
})

test('lists and numbers of a JSON source stay as they are', () => {
  const multiscales: Json = [{ version: '0.4' }]
  assert.equal(
    written({ multiscales, n: 5, f: new Float(5), big: 2n ** 60n, none: null }).text,
    '{"multiscales":[{"version":"0.4"}],"n":5,"f":5.0,"big":1152921504606846976,"none":null}',
  )
})

test('an attribute called __proto__ is an attribute', () => {
  const { document, text } = written(Object.fromEntries([['__proto__', 'x']]))
  assert.equal(Object.getPrototypeOf(document), null)
  assert.equal(text, '{"__proto__":"x"}')
})

test('PACK-8: numeric text in scale_factor becomes the number, what is no number goes', () => {
  const good = written({ scale_factor: ' 0.01', add_offset: '273' }, int16)
  assert.equal(good.text, '{"scale_factor":0.01,"add_offset":273.0}')
  assert.deepEqual(good.codes, ['packing-text', 'packing-text'])
  for (const value of ['', 'x', 'nan', [1, 2], true, Number.NaN, {}] as AttributeValue[]) {
    const bad = written({ scale_factor: value }, int16)
    assert.equal(bad.text, '{}')
    assert.ok(bad.codes.includes('packing-dropped'))
  }
  assert.equal(written({ scale_factor: [2], add_offset: 5n }, int16).text, '{"scale_factor":2,"add_offset":5}')
  assert.equal(written({ scale_factor: 'x' }).text, '{"scale_factor":"x"}')
})

test('PACK-4: _Unsigned is text', () => {
  assert.equal(written({ _Unsigned: true }, int16).text, '{"_Unsigned":"true"}')
  assert.equal(written({ _Unsigned: 'False' }, int16).text, '{"_Unsigned":"false"}')
})

test('FV-17: ranges pass unchanged, and the diagnostics say who masks by them', () => {
  const { text, codes } = written({ valid_range: [0, 100], valid_min: 0 }, int16)
  assert.equal(text, '{"valid_range":[0,100],"valid_min":0}')
  assert.deepEqual(codes, ['valid-range-kept'])
})

test('FV-14: a list of missing values passes, without what JSON can not spell', () => {
  assert.equal(written({ missing_value: [-1, -2] }, int16).text, '{"missing_value":[-1,-2]}')
  assert.equal(
    written({ missing_value: [new Float(-1), Number.NaN] }, { kind: 'float', bits: 32 }).text,
    '{"missing_value":[-1.0]}',
  )
})

test('FV-5: a raw _FillValue never reaches the document', () => {
  assert.equal(written({ _FillValue: -1 }, int16).text, '{}')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float, type Json } from '../../src/json/json.ts'
import { writeJson } from '../../src/json/write.ts'
import type { DataType, Scalar } from '../../src/model/data-type.ts'
import { type AttributeValue, NO_SENTINELS, type Sentinels } from '../../src/model/virtual-store.ts'
import { attributesDocument } from '../../src/zarr/attributes.ts'
import { listener } from '../helpers/virtual-array.ts'

const int16: DataType = { kind: 'int', bits: 16 }

function written(attributes: Record<string, AttributeValue>, dataType?: DataType, sentinels: Sentinels = NO_SENTINELS) {
  const heard = listener()
  const array = dataType === undefined ? undefined : ({ dataType, sentinels, output: 'cf' } as const)
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
  assert.equal(written({ _Unsigned: 'False' }, int16).text, '{"_Unsigned":"False"}')
})

test('PACK-4: where an unsigned type holds signed numbers, sentinel and ranges are signed', () => {
  const number = (value: number): Scalar => ({ kind: 'number', value })
  const of = (attributes: Record<string, AttributeValue>, fill?: number, missing?: number) => {
    const sentinels = {
      fillValue: fill === undefined ? undefined : number(fill),
      missingValue: missing === undefined ? undefined : number(missing),
    }
    return written({ _Unsigned: 'false', ...attributes }, { kind: 'uint', bits: 8 }, sentinels).text
  }
  assert.equal(of({}, 255), '{"_Unsigned":"false","_FillValue":-1}')
  assert.equal(of({}, 100, 255), '{"_Unsigned":"false","_FillValue":100,"missing_value":255}')
  assert.equal(of({}, 255, 255), '{"_Unsigned":"false","_FillValue":-1,"missing_value":-1}')
  assert.equal(
    of({ valid_range: [200, 100], valid_max: 7 }),
    '{"_Unsigned":"false","valid_range":[-56,100],"valid_max":7}',
  )
  assert.equal(
    written({ _Unsigned: 'true', valid_range: [0, -2] }, { kind: 'int', bits: 8 }).text,
    '{"_Unsigned":"true","valid_range":[0,-2]}',
  )
})

test('a scale_factor by which readers could not mask gets a point', () => {
  const sentinels = { fillValue: { kind: 'number', value: 7 } as const, missingValue: undefined }
  assert.equal(written({ scale_factor: 2 }, int16, sentinels).text, '{"scale_factor":2.0,"_FillValue":7}')
  assert.equal(written({ scale_factor: 2 }, int16).text, '{"scale_factor":2}')
  const both = written({ scale_factor: 2, add_offset: 1 }, int16, sentinels)
  assert.equal(both.text, '{"scale_factor":2,"add_offset":1,"_FillValue":7}')
})

test('packing in numbers of 32 bits is told, and stays exactly what it is', () => {
  const narrow = written({ scale_factor: Math.fround(0.01), add_offset: 0.01 }, int16)
  assert.equal(narrow.text, '{"scale_factor":0.009999999776482582,"add_offset":0.01}')
  assert.deepEqual(narrow.codes, ['packing-narrow'])
  assert.match(narrow.seen[0]?.message ?? '', /^scale_factor is 0\.01 in 32 bits, exactly 0\.009999999776482582/)
  for (const value of [0.5, 2, -3, 1e10, 0.1, 1 / 3, 1e-320]) {
    assert.deepEqual(written({ scale_factor: value }, int16).codes, [], String(value))
  }
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

test('CONV-6: what the source declares by the convention is declared again, in the type that is served', () => {
  const uuid = '78691ef5-ff17-4c55-98ca-a57f0e9d50bd'
  const object = { version: '0.1.0', name: 'missing_value', configuration: { missing_value: 'NaT' } }
  const notATime = { kind: 'bigint', value: -(2n ** 63n) } as const
  const sentinels = { fillValue: notATime, missingValue: undefined, declared: notATime }
  const { text } = written({ [uuid]: object }, { kind: 'int', bits: 64 }, sentinels)
  const spelled = '{"version":"0.1.0","name":"missing_value","configuration":{"missing_value":-9223372036854775808}}'
  assert.equal(text, `{"${uuid}":${spelled},"_FillValue":-9223372036854775808}`)
  const unknown = { version: '9', configuration: {} }
  assert.equal(written({ [uuid]: unknown }, int16).text, `{"${uuid}":{"version":"9","configuration":{}}}`)
})

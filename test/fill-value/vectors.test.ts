import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { scalarFromBytes } from '../../src/fill-value/from-bytes.ts'
import { scalarFromText } from '../../src/fill-value/from-text.ts'
import { fromZarrFillValue } from '../../src/fill-value/from-zarr.ts'
import { isSameScalar } from '../../src/fill-value/numbers.ts'
import { fromCfFillValue, toCfFillValue } from '../../src/fill-value/to-cf.ts'
import { toZarrFillValue } from '../../src/fill-value/to-zarr.ts'
import { Float, type Json, type JsonObject } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import { writeJson } from '../../src/json/write.ts'
import type { Scalar } from '../../src/model/data-type.ts'
import { scalarToBytes } from '../../src/model/scalar-bytes.ts'
import { dataTypeOf } from '../helpers/data-type.ts'

function vectors(file: string): readonly JsonObject[] {
  const document = parseJson(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8'))
  return (document as { vectors: JsonObject[] }).vectors
}

/** What is compared: values that an exact parser reads, `1e+20` and `100000000000000000000.0` being the same. */
function parsed(json: Json | undefined): Json | undefined {
  return json === undefined ? undefined : parseJson(typeof json === 'string' ? json : '')
}

function reread(json: Json | undefined): Json | undefined {
  return json === undefined ? undefined : parseJson(writeJson(json))
}

function same(actual: Json | undefined, expected: Json | undefined, row: string): void {
  assert.deepStrictEqual(actual, expected, row)
}

function bytesOf(hex: Json | undefined): Uint8Array {
  return new Uint8Array(Buffer.from(String(hex), 'hex'))
}

function scalarOf(row: JsonObject): Scalar {
  const scalar = scalarFromBytes(bytesOf(row['value_hex_le']), dataTypeOf(row['data_type']), 'little')
  assert.ok(scalar, String(row['id']))
  return scalar
}

test('JSON-2: every vector is spelled as fill_value, and read back to the same bytes', () => {
  for (const row of vectors('fill-values.json')) {
    const type = dataTypeOf(row['data_type'])
    const scalar = scalarOf(row)
    const spelled = toZarrFillValue(scalar, type)
    same(reread(spelled), parsed(row['fill_value']), writeJson(row))
    const back = fromZarrFillValue(spelled, type)
    assert.ok(back)
    assert.ok(isSameScalar(back, scalar), writeJson(row))
    if (writeJson(spelled).includes('NaN')) continue
    assert.deepEqual(scalarToBytes(back, type), bytesOf(row['value_hex_le']), writeJson(row))
  }
})

test('FV-7: every vector is encoded as _FillValue, and decoded to the same value', () => {
  for (const row of vectors('fill-values.json')) {
    const type = dataTypeOf(row['data_type'])
    const scalar = scalarOf(row)
    const encoded = toCfFillValue(scalar, type)
    same(reread(encoded), row['_FillValue'] === null ? undefined : parsed(row['_FillValue']), writeJson(row))
    if (encoded === undefined) continue
    const back = fromCfFillValue(encoded, type)
    assert.ok(back)
    assert.ok(isSameScalar(back, scalar), writeJson(row))
  }
})

test('CONV-4: the convention spells a value as fill_value does', () => {
  for (const row of vectors('fill-values.json')) {
    same(
      reread(toZarrFillValue(scalarOf(row), dataTypeOf(row['data_type']))),
      parsed(row['missing_value_convention']),
      '',
    )
  }
})

test('FV-TIFF-3, FV-TIFF-4: every GDAL nodata text means what it should', () => {
  for (const row of vectors('gdal-nodata.json')) {
    const type = dataTypeOf(row['dtype'])
    const expected = row['expect'] as JsonObject
    // The tag is ASCII by its specification, UTF-8 in practice.
    const actual = scalarFromText(new TextDecoder().decode(bytesOf(row['tag_hex'])), type)
    const name = writeJson(row)
    assert.equal(actual.kind, expected['status'], name)
    if (actual.kind === 'error') assert.equal(actual.reason, expected['reason'], name)
    if (actual.kind !== 'ok') continue
    assert.equal(actual.overflow, expected['warning'] === 'overflow-to-infinity', name)
    same(reread(toZarrFillValue(actual.value, type)), parsed(expected['fill_value']), name)
    same(reread(toCfFillValue(actual.value, type)), parsed(expected['_FillValue']), name)
    assert.deepEqual(scalarToBytes(actual.value, type), bytesOf(expected['value_hex_le']), name)
  }
})

test('the comparison of these tests tells 0.0 from -0.0 and 1 from 1.0', () => {
  assert.throws(() => same(new Float(0), new Float(-0), ''))
  assert.throws(() => same(1, new Float(1), ''))
})

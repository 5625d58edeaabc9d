import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { toCfFillValue } from '../../../src/fill-value/to-cf.ts'
import { toZarrFillValue } from '../../../src/fill-value/to-zarr.ts'
import { chunkKey } from '../../../src/formats/zarr-documents/zarr-array.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import type { Scalar } from '../../../src/model/data-type.ts'
import { dataTypeOf } from '../../helpers/data-type.ts'
import { readV2 } from './documents.ts'

interface Vector {
  readonly id: string
  readonly zarray: string
  readonly zattrs: string
  readonly zarr_json: string
  readonly diagnostics: readonly string[]
  readonly example_keys: readonly (readonly [string, string])[]
}

const { vectors } = JSON.parse(readFileSync(new URL('../../vectors/v2-to-v3.json', import.meta.url), 'utf8')) as {
  vectors: readonly Vector[]
}

test('V2-7: every vector of v2-to-v3.json becomes the expected v3 array', async (t) => {
  assert.equal(vectors.length, 81)
  for (const vector of vectors) {
    await t.test(`vector ${vector.id}`, () => checkVector(vector))
  }
})

function checkVector(vector: Vector): void {
  const { array, warnings } = readV2(vector.zarray, vector.zattrs)
  const expected = object(parseJson(vector.zarr_json))
  const grid = object(object(expected['chunk_grid'])['configuration'])
  assert.deepEqual(array.shape, expected['shape'])
  assert.deepEqual(array.chunkShape, grid['chunk_shape'])
  assert.deepEqual(array.dataType, dataTypeOf(expected['data_type']))
  assert.deepEqual(toZarrFillValue(array.fillValue, array.dataType), expected['fill_value'])
  const codecs = (expected['codecs'] as readonly JsonObject[]).map(({ name, configuration }) => ({
    name,
    configuration: configuration ?? {},
  }))
  assert.deepEqual(plain(array.encoding), plain(codecs))
  const { _FillValue: sentinel, ...attributes } = object(expected['attributes'])
  assert.deepEqual(plain(Object.fromEntries(array.attributes)), plain(attributes))
  if (sentinel !== undefined) {
    assert.deepEqual(toCfFillValue(array.sentinels.fillValue as Scalar, array.dataType), sentinel)
  } else {
    const isUsable = array.sentinels.fillValue !== undefined && !hasNoAttribute(array.dataType.kind)
    assert.equal(isUsable, false, 'no sentinel is expected')
  }
  const isInvented = vector.diagnostics.some((text) => text.startsWith('no _ARRAY_DIMENSIONS'))
  assert.deepEqual(array.dimensionNames, isInvented ? undefined : expected['dimension_names'])
  assert.equal(warnings.includes('dimension-names-invented'), isInvented)
  assert.equal(
    warnings.includes('null-fill'),
    vector.diagnostics.some((text) => text.startsWith('fill_value-null')),
  )
  for (const [v2Key, v3Key] of vector.example_keys) {
    const coords = v3Key.split('/').slice(1).map(Number)
    assert.equal(chunkKey(array.keys, coords), v2Key)
  }
}

/** FV-9: byte strings, records and times have no attribute that xarray takes; the sentinel is kept for other outputs. */
function hasNoAttribute(kind: string): boolean {
  return ['fixed-text', 'bytes', 'opaque', 'structured', 'datetime', 'timedelta'].includes(kind)
}

function object(json: Json | undefined): JsonObject {
  assert.ok(isJsonObject(json))
  return json
}

/** Without the null prototypes of parsed objects. */
function plain(value: unknown): unknown {
  return structuredClone(value)
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { scalarFromBytes } from '../../src/fill-value/from-bytes.ts'
import type { JsonObject } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import { writeJson } from '../../src/json/write.ts'
import type { DataType, Scalar } from '../../src/model/data-type.ts'
import { type MissingOutput, sentinelAttributes } from '../../src/zarr/sentinel-attributes.ts'
import { dataTypeOf } from '../helpers/data-type.ts'
import { listener } from '../helpers/virtual-array.ts'

const UUID = '78691ef5-ff17-4c55-98ca-a57f0e9d50bd'

interface Given {
  readonly fill?: Scalar
  readonly missing?: Scalar
  readonly output?: MissingOutput
}

function written(dataType: DataType, { fill, missing, output = 'cf' }: Given) {
  const heard = listener()
  const sentinels = { fillValue: fill, missingValue: missing }
  const attributes = sentinelAttributes({ dataType, sentinels, output }, { path: 'v', warn: heard.warn })
  return { attributes: parseJson(writeJson(Object.fromEntries(attributes))) as JsonObject, codes: heard.codes() }
}

const float32: DataType = { kind: 'float', bits: 32 }
const value = (number: number): Scalar => ({ kind: 'number', value: number })

test('FV-9, FV-10: every vector is emitted by default as the vectors say', () => {
  const file = readFileSync(new URL('../vectors/fill-values.json', import.meta.url), 'utf8')
  for (const row of (parseJson(file) as { vectors: JsonObject[] }).vectors) {
    const type = dataTypeOf(row['data_type'])
    const fill = scalarFromBytes(Buffer.from(String(row['value_hex_le']), 'hex'), type, 'little')
    assert.ok(fill)
    const expected = row['emit_default'] as JsonObject
    const { attributes, codes } = written(type, { fill })
    const names = Object.keys(expected).filter((name) => name !== 'fill_value')
    assert.deepEqual(Object.keys(attributes), names, writeJson(row))
    for (const name of names) assert.deepEqual(attributes[name], parseJson(String(expected[name])), writeJson(row))
    assert.deepEqual(codes, names.length === 0 ? ['sentinel-not-emitted'] : [], writeJson(row))
  }
})

test('FV-11: missing_value is a plain number, equal to the decoded _FillValue', () => {
  const { attributes } = written(float32, { fill: value(-9999.900390625), missing: value(-9999.900390625) })
  assert.equal(writeJson(attributes), '{"_FillValue":"AAAAQPOHw8A=","missing_value":-9999.900390625}')
})

test('FV-12: a missing_value that JSON can not say is left out', () => {
  assert.deepEqual(written(float32, { missing: value(Number.NaN) }).attributes, parseJson('{}'))
  const complex: Scalar = { kind: 'complex', value: [1, 2] }
  const { attributes } = written({ kind: 'complex', bits: 64 }, { fill: complex, missing: complex })
  assert.deepEqual(Object.keys(attributes), ['_FillValue'])
})

test('FV-4: without a sentinel there is no attribute, whatever the output', () => {
  for (const output of ['cf', 'convention', 'strict', 'fill'] as const) {
    assert.deepEqual(written(float32, { output }).attributes, parseJson('{}'))
  }
})

test('CONV-4, CONV-6: the convention is emitted on request, for any type with a fill_value spelling', () => {
  const nan = written(float32, { fill: value(Number.NaN), output: 'convention' }).attributes
  assert.deepEqual(Object.keys(nan), ['_FillValue', UUID])
  const document = nan[UUID] as JsonObject
  assert.deepEqual(Object.keys(document), ['version', 'schema', 'name', 'description', 'spec', 'configuration'])
  assert.equal(writeJson(document['configuration'] ?? null), '{"missing_value":"NaN"}')
  const bytes: Scalar = { kind: 'bytes', value: Uint8Array.of(1, 2, 3) }
  assert.deepEqual(Object.keys(written({ kind: 'bytes' }, { fill: bytes, output: 'convention' }).attributes), [UUID])
})

test('FV-7, FV-10: strict output has _FillValue for text and bytes, and none for complex numbers', () => {
  const text = written({ kind: 'string' }, { fill: { kind: 'string', value: 'none' }, output: 'strict' }).attributes
  assert.equal(text['_FillValue'], 'none')
  const bytes: Scalar = { kind: 'bytes', value: Uint8Array.of(4, 5, 6, 7) }
  assert.equal(written({ kind: 'bytes' }, { fill: bytes, output: 'strict' }).attributes['_FillValue'], 'BAUGBw==')
  const complex: Scalar = { kind: 'complex', value: [1, 0] }
  assert.deepEqual(
    Object.keys(written({ kind: 'complex', bits: 64 }, { fill: complex, output: 'strict' }).attributes),
    [UUID],
  )
})

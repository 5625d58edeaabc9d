import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { endianOfTypeString, parseV2DataType } from '../../../src/formats/zarr-documents/v2-data-type.ts'
import type { Json } from '../../../src/json/json.ts'
import { itemSize } from '../../../src/model/data-type.ts'

const parse = (dtype: Json, objectCodec?: string) => parseV2DataType(dtype, objectCodec, {}, () => undefined)

test('V2-4: type strings and their byte order', () => {
  assert.deepEqual(parse('|b1'), { dataType: { kind: 'bool' }, endian: undefined })
  assert.deepEqual(parse('|i1'), { dataType: { kind: 'int', bits: 8 }, endian: undefined })
  assert.deepEqual(parse('<i1'), { dataType: { kind: 'int', bits: 8 }, endian: undefined })
  assert.deepEqual(parse('>u8'), { dataType: { kind: 'uint', bits: 64 }, endian: 'big' })
  assert.deepEqual(parse('<f2'), { dataType: { kind: 'float', bits: 16 }, endian: 'little' })
  assert.deepEqual(parse('>c16'), { dataType: { kind: 'complex', bits: 128 }, endian: 'big' })
  assert.deepEqual(parse('|S7'), { dataType: { kind: 'fixed-text', encoding: 'bytes', length: 7 }, endian: undefined })
  assert.deepEqual(parse('>U13'), { dataType: { kind: 'fixed-text', encoding: 'utf-32', length: 52 }, endian: 'big' })
  assert.deepEqual(parse('|V16'), { dataType: { kind: 'opaque', length: 16 }, endian: undefined })
  assert.deepEqual(parse('<M8[ns]'), { dataType: { kind: 'datetime', unit: 'ns', scale: 1 }, endian: 'little' })
  assert.deepEqual(parse('>m8[25s]'), { dataType: { kind: 'timedelta', unit: 's', scale: 25 }, endian: 'big' })
  assert.deepEqual(parse('<M8'), { dataType: { kind: 'datetime', unit: 'generic', scale: 1 }, endian: 'little' })
})

test('V2-4: objects are what their codec says', () => {
  assert.deepEqual(parse('|O', 'vlen-utf8').dataType, { kind: 'string' })
  assert.deepEqual(parse('|O', 'vlen-bytes').dataType, { kind: 'bytes' })
  for (const codec of ['json2', 'pickle', 'msgpack2', undefined]) {
    assert.throws(
      () => parse('|O', codec),
      (error) => isVirtualZarrError(error, 'unsupported-feature'),
    )
  }
})

test('V2-4: records keep their fields, nested, repeated and padded', () => {
  const { dataType, endian } = parse([
    ['a', '|u1'],
    ['', '|V3'],
    [
      'b',
      [
        ['b1', '>u2'],
        ['b2', '|S3'],
      ],
    ],
    ['c', '>f4', [2, 3]],
  ])
  assert.equal(endian, 'big')
  assert.equal(itemSize(dataType), 1 + 3 + 5 + 24)
  assert.deepEqual(dataType, {
    kind: 'structured',
    fields: [
      { name: 'a', type: { kind: 'uint', bits: 8 } },
      { name: 'pad_1', type: { kind: 'opaque', length: 3 } },
      {
        name: 'b',
        type: {
          kind: 'structured',
          fields: [
            { name: 'b1', type: { kind: 'uint', bits: 16 } },
            { name: 'b2', type: { kind: 'fixed-text', encoding: 'bytes', length: 3 } },
          ],
        },
      },
      { name: 'c', type: { kind: 'float', bits: 32 }, shape: [2, 3] },
    ],
  })
})

const refused: readonly (readonly [Json, 'malformed-source' | 'unsupported-feature'])[] = [
  ['!b1', 'malformed-source'],
  ['f4', 'malformed-source'],
  ['|f4', 'malformed-source'],
  ['', 'malformed-source'],
  [null, 'malformed-source'],
  [5, 'malformed-source'],
  ['<M8[lightyear]', 'malformed-source'],
  ['<M4[s]', 'malformed-source'],
  ['<M8[0s]', 'malformed-source'],
  ['<f4[s]', 'malformed-source'],
  [[], 'malformed-source'],
  [
    [
      ['a', '<i4'],
      ['a', '<i4'],
    ],
    'malformed-source',
  ],
  [[['a']], 'malformed-source'],
  [[['a', '|O']], 'unsupported-feature'],
  ['<f16', 'unsupported-feature'],
  ['<i3', 'unsupported-feature'],
  ['|S0', 'unsupported-feature'],
  [
    [
      ['a', '<i4'],
      ['b', '>i4'],
    ],
    'unsupported-feature',
  ],
  [[['a', '<i4', [2 ** 40, 2 ** 40]]], 'malformed-source'],
]

for (const [dtype, code] of refused) {
  test(`dtype ${JSON.stringify(dtype)} is ${code}`, () => {
    assert.throws(
      () => parse(dtype),
      (error) => isVirtualZarrError(error, code),
    )
  })
}

test('records nested without end are refused', () => {
  let dtype: Json = '<i4'
  for (let depth = 0; depth < 200; depth++) dtype = [['a', dtype]]
  assert.throws(
    () => parse(dtype),
    (error) => isVirtualZarrError(error, 'malformed-source'),
  )
})

test('the byte order of a filter’s type string', () => {
  assert.equal(endianOfTypeString('>f4'), 'big')
  assert.equal(endianOfTypeString('<i2'), 'little')
  assert.equal(endianOfTypeString('|u1'), undefined)
  assert.equal(endianOfTypeString(undefined), undefined)
})

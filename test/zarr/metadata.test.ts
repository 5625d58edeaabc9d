import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/json/json.ts'
import { writeJson } from '../../src/json/write.ts'
import type { DataType } from '../../src/model/data-type.ts'
import {
  arrayDocument,
  Consolidation,
  dataTypeDocument,
  groupDocument,
  type WrittenNode,
} from '../../src/zarr/metadata.ts'
import { dataTypeOf } from '../helpers/data-type.ts'
import { listener, virtualArray } from '../helpers/virtual-array.ts'

test('GEN-2: an array document has every member of the specification and no other', () => {
  const array = virtualArray({
    dataType: { kind: 'float', bits: 32 },
    fillValue: { kind: 'number', value: -9999 },
    sentinels: { fillValue: { kind: 'number', value: -9999 }, missingValue: undefined },
    attributes: new Map([['units', 'K']]),
    dimensionNames: ['y', 'x'],
  })
  const { warn } = listener()
  const codecs = [{ name: 'bytes', configuration: { endian: 'big' } }]
  assert.equal(
    writeJson(arrayDocument({ array, codecs, output: 'cf', path: 'v', warn })),
    '{"zarr_format":3,"node_type":"array","shape":[2,3],"data_type":"float32",' +
      '"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,3]}},' +
      '"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},"fill_value":-9999.0,' +
      '"codecs":[{"name":"bytes","configuration":{"endian":"big"}}],' +
      '"attributes":{"units":"K","_FillValue":"AAAAAICHw8A="},"dimension_names":["y","x"],"storage_transformers":[]}',
  )
})

test('GEN-7: a scalar has no dimensions and still all members', () => {
  const { warn } = listener()
  const document = arrayDocument({
    array: virtualArray({ shape: [], dimensionNames: [] }),
    codecs: [],
    output: 'cf',
    path: '',
    warn,
  })
  assert.equal(writeJson(document['chunk_grid'] ?? null), '{"name":"regular","configuration":{"chunk_shape":[]}}')
  assert.equal(writeJson(document['dimension_names'] ?? null), '[]')
})

test('data types are named as zarr-python names them', () => {
  const names = ['bool', 'int8', 'uint64', 'float16', 'complex128', 'string', 'variable_length_bytes']
  for (const name of names) assert.equal(dataTypeDocument(dataTypeOf(name)), name)
  const documents: readonly JsonObject[] = [
    { name: 'fixed_length_utf32', configuration: { length_bytes: 20 } },
    { name: 'null_terminated_bytes', configuration: { length_bytes: 5 } },
    { name: 'raw_bytes', configuration: { length_bytes: 3 } },
    { name: 'numpy.datetime64', configuration: { unit: 's', scale_factor: 1 } },
    { name: 'numpy.timedelta64', configuration: { unit: 'ns', scale_factor: 1 } },
    {
      name: 'structured',
      configuration: {
        fields: [
          ['a', 'int32'],
          ['b', 'float64'],
        ],
      },
    },
  ]
  for (const document of documents) assert.deepEqual(dataTypeDocument(dataTypeOf(document)), document)
})

test('a field that is an array keeps its place as raw bytes, one of varying length is refused', () => {
  const type: DataType = { kind: 'structured', fields: [{ name: 'a', type: { kind: 'int', bits: 32 }, shape: [2, 3] }] }
  const fields = [['a', { name: 'raw_bytes', configuration: { length_bytes: 24 } }]]
  assert.deepEqual(dataTypeDocument(type), { name: 'structured', configuration: { fields } })
  const varying: DataType = { kind: 'structured', fields: [{ name: 'a', type: { kind: 'string' } }] }
  assert.throws(
    () => dataTypeDocument(varying),
    (error) => isVirtualZarrError(error, 'unsupported-feature'),
  )
})

test('GEN-1: a group holds the documents of all nodes below it as zarr-python writes them', () => {
  const array = { zarr_format: 3, node_type: 'array' }
  const bytesOf = (json: JsonObject) => Buffer.from(writeJson(json))
  const below: WrittenNode[] = [
    { kind: 'group', path: 'g', bytes: bytesOf(groupDocument({ a: 1 })) },
    { kind: 'array', path: 'g/__proto__', bytes: bytesOf(array) },
  ]
  const consolidation = new Consolidation()
  for (const node of below) consolidation.add(node)
  assert.equal(
    Buffer.from(consolidation.in(bytesOf(groupDocument({})))).toString(),
    '{"zarr_format":3,"node_type":"group","attributes":{},"consolidated_metadata":{"kind":"inline","must_understand":false,"metadata":{' +
      '"g":{"zarr_format":3,"node_type":"group","attributes":{"a":1},"consolidated_metadata":{"kind":"inline","must_understand":false,"metadata":{}}},' +
      '"g/__proto__":{"zarr_format":3,"node_type":"array"}}}}',
  )
  assert.equal(writeJson(groupDocument({ a: 1 })), '{"zarr_format":3,"node_type":"group","attributes":{"a":1}}')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { chunkKey } from '../../../src/formats/zarr-documents/zarr-array.ts'
import { readV3 } from './documents.ts'

const typeOf = (data_type: unknown, fill_value: unknown) => readV3({ data_type, fill_value }).array.dataType

test('data types by name and with a configuration', () => {
  assert.deepEqual(typeOf('float16', 0), { kind: 'float', bits: 16 })
  assert.deepEqual(typeOf({ name: 'int64' }, 0), { kind: 'int', bits: 64 })
  assert.deepEqual(typeOf('r24', 'AQID'), { kind: 'opaque', length: 3 })
  assert.deepEqual(typeOf('r8', [7]), { kind: 'opaque', length: 1 })
  assert.deepEqual(typeOf('variable_length_bytes', ''), { kind: 'bytes' })
  const text = { name: 'fixed_length_utf32', configuration: { length_bytes: 8 } }
  assert.deepEqual(typeOf(text, ''), { kind: 'fixed-text', encoding: 'utf-32', length: 8 })
  const time = { name: 'numpy.datetime64', configuration: { unit: 'ns', scale_factor: 10 } }
  assert.deepEqual(typeOf(time, 'NaT'), { kind: 'datetime', unit: 'ns', scale: 10 })
})

test('structured types in both spellings', () => {
  const expected = {
    kind: 'structured',
    fields: [
      { name: 'a', type: { kind: 'int', bits: 32 } },
      { name: 'b', type: { kind: 'float', bits: 64 } },
    ],
  }
  const old = {
    name: 'structured',
    configuration: {
      fields: [
        ['a', 'int32'],
        ['b', 'float64'],
      ],
    },
  }
  const members = [
    { name: 'a', data_type: 'int32' },
    { name: 'b', data_type: 'float64' },
  ]
  assert.deepEqual(typeOf(old, 'AAAAAAAAAAAAAAAA'), expected)
  assert.deepEqual(typeOf({ name: 'struct', configuration: { fields: members } }, 'AAAAAAAAAAAAAAAA'), expected)
})

test('codecs keep their order and configuration; spellings of the drafts are renewed', () => {
  const codecs = [
    { name: 'transpose', configuration: { order: 'F' } },
    { name: 'endian', configuration: { endian: 'big' } },
    { name: 'blosc', configuration: { cname: 'zstd', clevel: 1, shuffle: 2, blocksize: 0 } },
    { name: 'zstd', configuration: { level: 3 } },
    'crc32c',
  ]
  assert.deepEqual(structuredClone(readV3({ codecs }).array.encoding), [
    { name: 'transpose', configuration: { order: [1, 0] } },
    { name: 'bytes', configuration: { endian: 'big' } },
    { name: 'blosc', configuration: { typesize: 4, cname: 'zstd', clevel: 1, shuffle: 'bitshuffle', blocksize: 0 } },
    { name: 'zstd', configuration: { level: 3, checksum: false } },
    { name: 'crc32c', configuration: {} },
  ])
})

test('shards are normalised all the way down', () => {
  const inner = { chunk_shape: [1, 1], codecs: ['bytes'], index_codecs: ['bytes', 'crc32c'] }
  const codecs = [{ name: 'sharding_indexed', configuration: inner }]
  assert.deepEqual(structuredClone(readV3({ codecs }).array.encoding), [
    {
      name: 'sharding_indexed',
      configuration: {
        chunk_shape: [1, 1],
        codecs: [{ name: 'bytes', configuration: {} }],
        index_codecs: [
          { name: 'bytes', configuration: {} },
          { name: 'crc32c', configuration: {} },
        ],
        index_location: 'end',
      },
    },
  ])
})

test('a document without codecs comes from a draft, and is taken as not compressed', () => {
  const { array, warnings } = readV3(
    '{"zarr_format":3,"node_type":"array","shape":[2],"data_type":"uint8","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},"chunk_key_encoding":{"name":"default"},"fill_value":255}',
  )
  assert.deepEqual(array.encoding, [{ name: 'bytes', configuration: {} }])
  assert.deepEqual(warnings, ['codecs-missing'])
})

test('chunk keys in every encoding', () => {
  const key = (chunk_key_encoding: unknown, coords: number[]) =>
    chunkKey(readV3({ chunk_key_encoding }).array.keys, coords)
  assert.equal(key('default', [1, 2]), 'c/1/2')
  assert.equal(key({ name: 'default', configuration: { separator: '.' } }, [1, 2]), 'c.1.2')
  assert.equal(key({ name: 'default' }, []), 'c')
  assert.equal(key({ name: 'v2' }, [1, 2]), '1.2')
  assert.equal(key({ name: 'v2', configuration: { separator: '/' } }, [1, 2]), '1/2')
  assert.equal(key('v2', []), '0')
})

test('names of dimensions may be null, and lists that don’t fit are reported', () => {
  assert.deepEqual(readV3({ dimension_names: ['y', null] }).array.dimensionNames, ['y', null])
  assert.equal(readV3({}).array.dimensionNames, undefined)
  assert.deepEqual(readV3({ dimension_names: ['y'] }).warnings, ['dimension-names-invented'])
})

test('members that may be passed over say so', () => {
  assert.deepEqual(readV3({ note: { must_understand: false } }).array.shape, [4, 5])
})

const shardOf = (codecs: unknown, index_codecs: unknown) => {
  return { name: 'sharding_indexed', configuration: { chunk_shape: [2, 2], codecs, index_codecs } }
}
const regular = (chunk_shape: unknown) => ({ chunk_grid: { name: 'regular', configuration: { chunk_shape } } })
const refused: readonly (readonly [object, 'malformed-source' | 'unsupported-feature'])[] = [
  [{ note: { must_understand: true } }, 'unsupported-feature'],
  [{ note: 1 }, 'unsupported-feature'],
  [{ storage_transformers: [{ name: 'x' }] }, 'unsupported-feature'],
  [{ chunk_grid: { name: 'rectilinear', configuration: {} } }, 'unsupported-feature'],
  [{ chunk_key_encoding: { name: 'suffix' } }, 'unsupported-feature'],
  [{ data_type: 'float8_e4m3' }, 'unsupported-feature'],
  [{ codecs: [{ name: 'vz.field', configuration: {} }] }, 'unsupported-feature'],
  [{ codecs: [shardOf([{ name: 'vz.zfp' }], [{ name: 'bytes' }])] }, 'unsupported-feature'],
  [{ codecs: [shardOf([{ name: 'bytes' }], [{ name: 'vz.zfp' }])] }, 'unsupported-feature'],
  [regular([2]), 'malformed-source'],
  [regular([2, 0]), 'malformed-source'],
  [{ shape: [4, 1e300] }, 'malformed-source'],
  [{ shape: Array.from({ length: 65 }, () => 1) }, 'malformed-source'],
  [{ data_type: 'r7', fill_value: '' }, 'malformed-source'],
  [{ fill_value: 'x' }, 'malformed-source'],
  [{ codecs: [] }, 'malformed-source'],
  [{ codecs: [{ configuration: {} }] }, 'malformed-source'],
  [{ codecs: [{ name: 'sharding_indexed' }] }, 'malformed-source'],
  [{ chunk_key_encoding: { name: 'default', configuration: { separator: '-' } } }, 'malformed-source'],
  [{ zarr_format: 2 }, 'malformed-source'],
]

for (const [members, code] of refused) {
  test(`${JSON.stringify(members).slice(0, 80)} is ${code}`, () => {
    assert.throws(
      () => readV3(members),
      (error) => isVirtualZarrError(error, code),
    )
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { readV2 } from './documents.ts'

function encodingOf(zarray: object): readonly unknown[] {
  return structuredClone(readV2(zarray).array.encoding).map(({ name, configuration }) =>
    Object.keys(configuration).length === 0 ? name : [name, { ...configuration }],
  )
}

const LITTLE = ['bytes', { endian: 'little' }]

test('V2-5: array filters, bytes, byte filters, compressor, in this order', () => {
  assert.deepEqual(
    encodingOf({
      order: 'F',
      filters: [{ id: 'delta', dtype: '<f4' }, { id: 'shuffle', elementsize: 4 }, { id: 'fletcher32' }],
      compressor: { id: 'zlib', level: 3 },
    }),
    [
      ['transpose', { order: [1, 0] }],
      ['numcodecs.delta', { dtype: '<f4' }],
      LITTLE,
      ['numcodecs.shuffle', { elementsize: 4 }],
      'numcodecs.fletcher32',
      ['numcodecs.zlib', { level: 3 }],
    ],
  )
})

test('V2-5: what is not said of a codec is its writer’s default', () => {
  assert.deepEqual(encodingOf({ compressor: { id: 'gzip' } }), [LITTLE, ['gzip', { level: 1 }]])
  assert.deepEqual(encodingOf({ compressor: { id: 'zstd' } }), [LITTLE, ['zstd', { level: 0, checksum: false }]])
  assert.deepEqual(encodingOf({ compressor: { id: 'blosc' } }), [
    LITTLE,
    ['blosc', { typesize: 4, cname: 'lz4', clevel: 5, shuffle: 'shuffle', blocksize: 0 }],
  ])
  assert.deepEqual(encodingOf({ compressor: { id: 'zfpy', mode: 4 } }), [['numcodecs.zfpy', { mode: 4 }]])
})

test('the item size of 0 that NCZarr gives shuffle is that of the array’s type', async () => {
  const filters = [{ id: 'shuffle', elementsize: 0 }]
  assert.deepEqual(encodingOf({ dtype: '<f8', filters })[1], ['numcodecs.shuffle', { elementsize: 8 }])
  assert.deepEqual(encodingOf({ dtype: '|u1', filters })[1], ['numcodecs.shuffle', { elementsize: 1 }])
  // A chunk of 0 to 3 as int32, as netCDF-C 4.10.1 writes it.
  const stored = Buffer.from('00010203000000000000000000000000', 'hex')
  const { encoding } = readV2({ dtype: '<i4', filters }).array
  const layout = { shape: [4], dataType: { kind: 'int', bits: 32 } } as const
  const chunk = await decodeChunk(stored, encoding, layout, { limit: 16 })
  assert.ok(chunk.kind === 'fixed')
  assert.deepEqual([...new Int32Array(chunk.bytes.slice().buffer)], [0, 1, 2, 3])
})

test('blosc’s item size is what the library takes for items of more than 255 bytes', () => {
  const [, blosc] = encodingOf({ dtype: '<U100', fill_value: '', compressor: { id: 'blosc', shuffle: -1 } }) as [
    unknown,
    [string, object],
  ]
  assert.deepEqual(blosc, ['blosc', { typesize: 1, cname: 'lz4', clevel: 5, shuffle: 'bitshuffle', blocksize: 0 }])
})

test('a filter that stores another type decides the byte order on disk', () => {
  const filter = { id: 'fixedscaleoffset', scale: 10, offset: 0, dtype: '<f4' }
  assert.deepEqual(encodingOf({ filters: [{ ...filter, astype: '>i2' }] })[1], ['bytes', { endian: 'big' }])
  assert.equal((encodingOf({ filters: [{ ...filter, astype: '|u1' }] }) as unknown[])[1], 'bytes')
  const astype = { id: 'astype', encode_dtype: '>f8', decode_dtype: '<f4' }
  assert.deepEqual((encodingOf({ filters: [astype] }) as unknown[])[1], ['bytes', { endian: 'big' }])
})

test('text of any length is made of bytes by its own codec', () => {
  const zarray = { dtype: '|O', filters: [{ id: 'vlen-utf8' }], compressor: { id: 'blosc', shuffle: 1 } }
  assert.deepEqual(encodingOf(zarray), [
    'vlen-utf8',
    ['blosc', { typesize: 1, cname: 'lz4', clevel: 5, shuffle: 'shuffle', blocksize: 0 }],
  ])
})

test('an array filter after bytes were made has no place in Zarr v3', () => {
  const filters = [
    { id: 'shuffle', elementsize: 4 },
    { id: 'delta', dtype: '<f4' },
  ]
  assert.throws(
    () => readV2({ filters }),
    (error) => isVirtualZarrError(error, 'unsupported-feature'),
  )
})

const malformed = [
  { order: 'K' },
  { compressor: 'zlib' },
  { filters: [{ level: 1 }] },
  { compressor: { id: 'blosc', shuffle: 7 } },
  { filters: 'delta' },
]

for (const members of malformed) {
  test(`${JSON.stringify(members)} is malformed`, () => {
    assert.throws(
      () => readV2(members),
      (error) => isVirtualZarrError(error, 'malformed-source'),
    )
  })
}

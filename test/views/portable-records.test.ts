import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeChunk } from '../../src/codecs/decode.ts'
import { MISSING } from '../../src/model/chunk-ref.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { rawEncoding } from '../../src/model/encoding.ts'
import type { StoredArray, VirtualArray, VirtualGroup } from '../../src/model/virtual-store.ts'
import { withPortableTypes } from '../../src/views/portable-types.ts'
import { asStored } from '../helpers/stored-array.ts'
import { listener, virtualArray } from '../helpers/virtual-array.ts'

const POINT: DataType = {
  kind: 'structured',
  fields: [
    { name: 'id', type: { kind: 'uint', bits: 8 } },
    { name: 'xy', type: { kind: 'int', bits: 16 }, shape: [2] },
    { name: 'name', type: { kind: 'fixed-text', encoding: 'bytes', length: 1 }, shape: [3] },
    { name: 'in/ner', type: { kind: 'structured', fields: [{ name: 'flag', type: { kind: 'bool' } }] } },
    { name: 'blob', type: { kind: 'opaque', length: 1 } },
  ],
}
// id 7, xy 1 and 2, name "ab", flag true, blob.
const RECORD = Uint8Array.of(7, 1, 0, 2, 0, 97, 98, 0, 1, 255)

function groupOf(given: Partial<StoredArray>) {
  const heard = listener()
  const root = withPortableTypes(virtualArray({ dataType: POINT, shape: [5], ...given }), heard.warn)
  assert.equal(root.kind, 'group')
  return { group: root as VirtualGroup, seen: heard.seen, codes: heard.codes() }
}

function member(group: VirtualGroup, name: string): VirtualArray {
  const found = group.members.get(name)
  assert.equal(found?.kind, 'array')
  return found as VirtualArray
}

test('a record becomes a group of field arrays; inner records are groups in it', () => {
  const { group, seen } = groupOf({ attributes: new Map([['title', 'points']]), dimensionNames: ['n'] })
  assert.deepEqual([...group.members.keys()], ['id', 'xy', 'name', 'in_ner', 'blob'])
  assert.deepEqual(Object.fromEntries(group.attributes), { title: 'points' })
  assert.deepEqual(member(group, 'id').dataType, { kind: 'uint', bits: 8 })
  assert.deepEqual(
    [member(group, 'xy').shape, member(group, 'xy').dimensionNames],
    [
      [5, 2],
      ['n', null],
    ],
  )
  assert.deepEqual([member(group, 'name').shape, member(group, 'name').dataType], [[5], { kind: 'string' }])
  const inner = group.members.get('in_ner')
  assert.equal(inner?.kind === 'group' && member(inner, 'flag').dataType.kind, 'bool')
  assert.equal(inner?.kind === 'group' && inner.attributes.get('virtual_zarr:name'), 'in/ner')
  assert.equal(group.members.get('blob')?.kind, 'skipped')
  assert.deepEqual(
    seen.map(({ code, path }) => [code, path]),
    [['name-changed', 'in_ner']],
  )
})

test('the fill value of each field is its part of the record', () => {
  const { group } = groupOf({ fillValue: { kind: 'bytes', value: RECORD } })
  assert.equal(member(group, 'id').fillValue.value, 7)
  assert.equal(member(group, 'xy').fillValue.value, 1)
  assert.equal(member(group, 'name').fillValue.value, 'ab')
})

test('what marks a missing point of each field is its part of the record', () => {
  const record = Uint8Array.of(7, 1, 0, 1, 0, 97, 98, 0, 1, 255)
  const { group } = groupOf({ sentinels: { fillValue: { kind: 'bytes', value: record }, missingValue: undefined } })
  const sentinels = ['id', 'xy', 'name'].map((name) => member(group, name).sentinels.fillValue)
  assert.deepEqual(sentinels, [
    { kind: 'number', value: 7 },
    { kind: 'number', value: 1 },
    { kind: 'string', value: 'ab' },
  ])
  const inner = group.members.get('in_ner')
  assert.deepEqual(inner?.kind === 'group' && member(inner, 'flag').sentinels.fillValue, { kind: 'bool', value: true })
  assert.equal(member(group, 'id').sentinels.missingValue, undefined)
  const uneven = groupOf({ sentinels: { fillValue: { kind: 'bytes', value: RECORD }, missingValue: undefined } })
  assert.equal(member(uneven.group, 'xy').sentinels.fillValue, undefined)
  assert.deepEqual(
    uneven.codes.filter((code) => code === 'sentinel-dropped'),
    ['sentinel-dropped'],
  )
})

test('where an array field has several fill values, chunks never written are made in full', async () => {
  const fillValue = { kind: 'bytes', value: RECORD } as const
  const chunks = { gridShape: [3], at: () => MISSING, weight: () => 0 }
  const { group } = groupOf({ fillValue, chunks, chunkShape: [2], edges: 'cropped' })
  const xy = member(group, 'xy')
  const encoding = asStored(xy).encodings.length - 1
  assert.deepEqual(asStored(xy).encodings[encoding], rawEncoding('little'))
  assert.deepEqual(await asStored(xy).chunks.at([0, 0]), {
    kind: 'inline',
    bytes: Uint8Array.of(1, 0, 2, 0, 1, 0, 2, 0),
    encoding,
  })
  assert.deepEqual(await asStored(xy).chunks.at([2, 0]), { kind: 'inline', bytes: Uint8Array.of(1, 0, 2, 0), encoding })
  assert.deepEqual(await asStored(member(group, 'id')).chunks.at([0]), MISSING)
})

test('the codecs read each field out of the stored records', () => {
  const { group } = groupOf({ shape: [1] })
  const read = (array: VirtualArray) => {
    const layout = { shape: array.shape, dataType: array.dataType }
    return decodeChunk(RECORD, asStored(array).encodings[0] ?? [], layout, { limit: RECORD.length })
  }
  assert.deepEqual(read(member(group, 'id')), { kind: 'fixed', bytes: Uint8Array.of(7) })
  assert.deepEqual(read(member(group, 'xy')), { kind: 'fixed', bytes: Uint8Array.of(1, 0, 2, 0) })
  assert.deepEqual(read(member(group, 'name')), { kind: 'text', values: ['ab'] })
})

test('fields share the chunks of the records, and the weight of their index in whole bytes', () => {
  const asked: (readonly number[])[] = []
  const chunks = {
    gridShape: [5],
    at: (coords: readonly number[]) => {
      asked.push(coords)
      return { kind: 'missing' } as const
    },
    weight: () => 99,
  }
  const { group } = groupOf({ chunks, chunkShape: [1], encodings: [rawEncoding('big')] })
  const xy = member(group, 'xy')
  assert.deepEqual([xy.chunkShape, asStored(xy).chunks.gridShape, asStored(xy).chunks.weight()], [[1, 2], [5, 1], 20])
  asStored(xy).chunks.at([3, 0])
  assert.deepEqual(asked, [[3]])
  assert.deepEqual(asStored(xy).encodings[0]?.slice(1), rawEncoding('big'))
})

test('a record with a field of varying length is skipped', () => {
  const dataType: DataType = { kind: 'structured', fields: [{ name: 's', type: { kind: 'string' } }] }
  assert.equal(withPortableTypes(virtualArray({ dataType }), listener().warn).kind, 'skipped')
})

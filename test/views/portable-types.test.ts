import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float } from '../../src/json/json.ts'
import { composedArray, listedMembers, placedArrays } from '../../src/model/composed-array.ts'
import { NOT_A_TIME, type Scalar } from '../../src/model/data-type.ts'
import { rawEncoding } from '../../src/model/encoding.ts'
import type { Member, VirtualArray } from '../../src/model/virtual-store.ts'
import { withPortableTypes } from '../../src/views/portable-types.ts'
import { asStored } from '../helpers/stored-array.ts'
import { listener, virtualArray, virtualGroup } from '../helpers/virtual-array.ts'

const CHARACTER = { kind: 'fixed-text', encoding: 'bytes', length: 1 } as const
const LITTLE = rawEncoding('little')

function portable(array: VirtualArray) {
  const heard = listener()
  const root = withPortableTypes(virtualGroup({ v: array }), heard.warn)
  assert.equal(root.kind, 'group')
  const member = root.kind === 'group' ? root.members.get('v') : undefined
  assert.ok(member)
  return { member, codes: heard.codes() }
}

function asArray(member: Member): VirtualArray {
  assert.equal(member.kind, 'array')
  return member as VirtualArray
}

/** Remembers where it was asked. */
function recordingChunks(gridShape: readonly number[]) {
  const asked: (readonly number[])[] = []
  const at = (coords: readonly number[]) => {
    asked.push(coords)
    return { kind: 'missing' } as const
  }
  return { asked, index: { gridShape, at, isComplete: () => true, weight: () => 6 } }
}

test('types that every client has are left alone, and so is what was skipped', () => {
  const plain = virtualArray({ dataType: { kind: 'float', bits: 16 } })
  assert.equal(portable(plain).member, plain)
  const skipped = { kind: 'skipped', code: 'malformed-source', reason: 'broken' } as const
  assert.equal(withPortableTypes(virtualGroup({ v: skipped }), listener().warn).kind, 'group')
})

test('bytes and opaque types are skipped with their reason', () => {
  for (const dataType of [{ kind: 'bytes' }, { kind: 'opaque', length: 4 }] as const) {
    const { member } = portable(virtualArray({ dataType }))
    assert.deepEqual(member.kind === 'skipped' && [member.code, /codecs=native/.test(member.reason)], [
      'unsupported-feature',
      true,
    ])
  }
})

test('text of fixed length becomes string, with its fill value and sentinel', () => {
  const dataType = { kind: 'fixed-text', encoding: 'bytes', length: 5 } as const
  const value: Scalar = { kind: 'bytes', value: Uint8Array.of(0xe9) }
  const text: Scalar = { kind: 'bytes', value: Buffer.from('abc') }
  const attributes = new Map([
    ['_Encoding', 'utf-8'],
    ['units', '1'],
  ])
  const sentinels = { fillValue: text, missingValue: undefined }
  const array = asArray(portable(virtualArray({ dataType, fillValue: value, sentinels, attributes })).member)
  assert.deepEqual(array.dataType, { kind: 'string' })
  assert.deepEqual(array.fillValue, { kind: 'string', value: 'é' })
  assert.deepEqual(array.sentinels.fillValue, { kind: 'string', value: 'abc' })
  assert.deepEqual(asStored(array).encodings, [
    [{ name: 'vz.text', configuration: { encoding: 'bytes', length: 5 } }, ...LITTLE],
  ])
  assert.deepEqual([...array.attributes.keys()], ['units'])
})

test('TREE-9: characters that are values of their own keep their shape, as texts of one character', () => {
  const given = virtualArray({ dataType: CHARACTER, shape: [4, 7], chunkShape: [4, 3] })
  const { member, codes } = portable(given)
  const { shape, chunkShape, dataType, encodings } = asStored(asArray(member))
  assert.deepEqual([shape, chunkShape, dataType, codes], [[4, 7], [4, 3], { kind: 'string' }, []])
  assert.deepEqual(encodings[0]?.[0], { name: 'vz.text', configuration: { encoding: 'bytes', length: 1 } })
})

test('TREE-9: characters that are texts are joined along their last dimension', () => {
  const { asked, index } = recordingChunks([2, 1])
  const { member, codes } = portable(
    virtualArray({
      dataType: CHARACTER,
      isText: true,
      shape: [4, 7],
      chunkShape: [2, 7],
      dimensionNames: ['n', 'len'],
      chunks: index,
    }),
  )
  const array = asArray(member)
  assert.deepEqual([array.shape, array.chunkShape, array.dimensionNames], [[4], [2], ['n']])
  assert.deepEqual(asStored(array).encodings[0]?.[0], {
    name: 'vz.text',
    configuration: { encoding: 'bytes', length: 7 },
  })
  assert.deepEqual(asStored(array).chunks.gridShape, [2])
  asStored(array).chunks.at([1])
  assert.deepEqual(asked, [[1, 0]])
  assert.deepEqual(codes, [])
})

test('one row of characters becomes a scalar', () => {
  const array = asArray(portable(virtualArray({ dataType: CHARACTER, isText: true, shape: [3] })).member)
  assert.deepEqual([array.shape, asStored(array).chunks.gridShape], [[], []])
})

test('the fill of joined text is the character as often as the text is long', () => {
  const fillValue: Scalar = { kind: 'bytes', value: Uint8Array.of(0x78) }
  const sentinels = { fillValue, missingValue: undefined }
  const { member, codes } = portable(
    virtualArray({ dataType: CHARACTER, isText: true, shape: [2, 3], fillValue, sentinels }),
  )
  assert.deepEqual(asArray(member).fillValue, { kind: 'string', value: 'xxx' })
  assert.deepEqual(asArray(member).sentinels.fillValue, { kind: 'string', value: 'x' })
  assert.deepEqual(codes, [])
})

test('characters of no width are empty texts, without a read', async () => {
  const { asked, index } = recordingChunks([1, 0])
  const given = virtualArray({ dataType: CHARACTER, isText: true, shape: [2, 0], chunkShape: [2, 1], chunks: index })
  const array = asArray(portable(given).member)
  assert.deepEqual(await asStored(array).chunks.at([0]), { kind: 'missing' })
  assert.equal(await asStored(array).chunks.isComplete?.(), false)
  assert.deepEqual([array.shape, array.fillValue, asked], [[2], { kind: 'string', value: '' }, []])
})

test('characters whose chunks do not hold whole texts stay apart, with a diagnostic', () => {
  const transposed = [[{ name: 'transpose', configuration: { order: [1, 0] } }, ...LITTLE]]
  const split = virtualArray({ dataType: CHARACTER, isText: true, shape: [4, 7], chunkShape: [4, 3] })
  for (const given of [split, virtualArray({ dataType: CHARACTER, isText: true, encodings: transposed })]) {
    const { member, codes } = portable(given)
    assert.deepEqual(asArray(member).shape, given.shape)
    assert.deepEqual(asArray(member).dataType, { kind: 'string' })
    assert.deepEqual(codes, ['text-not-joined'])
  }
})

test('a chunk longer than the last dimension is padding where it is NUL', () => {
  const given = virtualArray({ dataType: CHARACTER, isText: true, shape: [2, 5], chunkShape: [2, 8] })
  assert.deepEqual(asStored(asArray(portable(given).member)).encodings[0]?.[0]?.configuration, {
    encoding: 'bytes',
    length: 8,
  })
  const cropped = virtualArray({
    dataType: CHARACTER,
    isText: true,
    shape: [2, 5],
    chunkShape: [2, 8],
    edges: 'cropped',
  })
  assert.deepEqual(asStored(asArray(portable(cropped).member)).encodings[0]?.[0]?.configuration, {
    encoding: 'bytes',
    length: 5,
  })
})

test('characters assembled from parts are joined in each part', () => {
  const part = virtualArray({ dataType: CHARACTER, isText: true, shape: [2, 5] })
  const stored = [
    { array: part, origin: [0, 0] },
    { array: part, origin: [2, 0] },
  ]
  const whole = virtualArray({ dataType: CHARACTER, isText: true, shape: [4, 5] })
  const operation = { kind: 'concat', members: listedMembers(stored), encodings: [] } as const
  const array = asArray(portable(composedArray(whole, operation)).member)
  assert.deepEqual(array.shape, [4])
  assert.ok(array.operation?.kind === 'concat')
  assert.deepEqual(
    placedArrays(array.operation)?.map(({ origin, array: { shape } }) => [origin, shape]),
    [
      [[0], [2]],
      [[2], [2]],
    ],
  )
})

test('times become int64 with CF units, NaT being the sentinel', () => {
  const dataType = { kind: 'datetime', unit: 's', scale: 1 } as const
  const array = asArray(portable(virtualArray({ dataType })).member)
  assert.deepEqual(array.dataType, { kind: 'int', bits: 64 })
  assert.deepEqual(Object.fromEntries(array.attributes), {
    units: 'seconds since 1970-01-01',
    calendar: 'proleptic_gregorian',
  })
  assert.deepEqual([array.fillValue.value, array.sentinels.fillValue?.value], [NOT_A_TIME, NOT_A_TIME])
  assert.deepEqual(asStored(array).encodings, [LITTLE])
  const zero: Scalar = { kind: 'bigint', value: 0n }
  const own = virtualArray({ dataType, sentinels: { fillValue: zero, missingValue: undefined } })
  assert.deepEqual(asArray(portable(own).member).sentinels.fillValue, zero)
})

test('durations carry the dtype that xarray asks for', () => {
  const array = asArray(portable(virtualArray({ dataType: { kind: 'timedelta', unit: 'D', scale: 1 } })).member)
  assert.deepEqual(Object.fromEntries(array.attributes), { units: 'days', dtype: 'timedelta64[s]' })
})

test('a count of several units is scaled, and what said another unit is replaced', () => {
  const dataType = { kind: 'datetime', unit: 'W', scale: 2 } as const
  const attributes = new Map([
    ['units', 'K'],
    ['long_name', 'a'],
  ])
  const { member, codes } = portable(virtualArray({ dataType, attributes }))
  const written = Object.fromEntries(asArray(member).attributes)
  assert.deepEqual(
    [written['units'], written['scale_factor'], written['long_name']],
    ['days since 1970-01-01', new Float(14), 'a'],
  )
  assert.deepEqual(codes, ['time-scaled', 'attribute-replaced'])
})

test('units without a fixed length or a reader are skipped', () => {
  for (const unit of ['M', 'Y', 'ps', 'generic']) {
    assert.equal(
      portable(virtualArray({ dataType: { kind: 'datetime', unit, scale: 1 } })).member.kind,
      'skipped',
      unit,
    )
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { hdf4File, type TestElement, u16, u32, vdata } from './build.ts'
import { arrayAt, parse } from './parse.ts'

const FIELDS = [
  { name: 'short', type: 22, bytes: 2, order: 1 },
  { name: 'pair', type: 25, bytes: 8, order: 2 },
  { name: 'little', type: 0x4000 | 23, bytes: 2, order: 1 },
]
const SHORTS = [1, 2, 3]
const PAIRS = [10, 11, 20, 21, 30, 31]
const LITTLE = [256, 512, 768]

function file(interlace: number): Uint8Array {
  const bytes =
    interlace === 0
      ? SHORTS.flatMap((short, i) => [
          ...u16(short),
          ...u32(PAIRS[2 * i] ?? 0),
          ...u32(PAIRS[2 * i + 1] ?? 0),
          ...u16(LITTLE[i] ?? 0),
        ])
      : [...SHORTS.flatMap(u16), ...PAIRS.flatMap(u32), ...LITTLE.flatMap(u16)]
  const records: TestElement = { tag: 1963, ref: 5, bytes: Uint8Array.from(bytes) }
  return hdf4File([vdata(5, 'table', 'a class', 3, FIELDS, interlace), records])
}

for (const interlace of [0, 1]) {
  test(`columns of a table whose ${interlace === 0 ? 'records' : 'fields'} lie together`, async () => {
    const { root, source } = await parse(file(interlace))
    assert.deepEqual(await bytesOf(arrayAt(root, 'table/short'), source), SHORTS.flatMap(u16))
    const pair = arrayAt(root, 'table/pair')
    assert.deepEqual(pair.shape, [3, 2])
    assert.deepEqual(await bytesOf(pair, source), PAIRS.flatMap(u32))
    const little = arrayAt(root, 'table/little')
    assert.deepEqual(asStored(little).encodings, [[{ name: 'bytes', configuration: { endian: 'little' } }]])
    assert.deepEqual(await bytesOf(little, source), LITTLE.flatMap(u16))
    assert.deepEqual(little.dimensionNames, ['record'])
  })
}

test('a field of a type that is not served costs the others nothing', async () => {
  const fields = [...FIELDS, { name: 'odd', type: 7, bytes: 16, order: 1 }]
  const { root } = await parse(
    hdf4File([vdata(5, 'table', '', 1, fields), { tag: 1963, ref: 5, bytes: new Uint8Array(28) }]),
  )
  assert.deepEqual(arrayAt(root, 'table/short').shape, [1])
  const table = root.members.get('table')
  assert.ok(table?.kind === 'group')
  assert.equal(table.members.get('odd')?.kind, 'skipped')
})

async function bytesOf(array: VirtualArray, source: Source): Promise<number[]> {
  const { chunks } = asStored(array)
  const ref = await chunks.at(chunks.gridShape.map(() => 0))
  if (ref.kind === 'range') return [...(await source.read(ref))]
  assert.ok(ref.kind === 'strided')
  const { offset, length, stride, count } = ref
  const parts = Array.from({ length: count }, (_, i) => source.read({ offset: offset + i * stride, length }))
  return (await Promise.all(parts)).flatMap((part) => [...part])
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float } from '../../../src/json/json.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { hdf4File, type TestElement, u16, u32 } from './build.ts'
import { arrayAt, parse } from './parse.ts'

/** A file of the older interface, made by hand: the HDF library reads it as this test says. */
function oldFile(): Uint8Array {
  const floats = (...values: readonly number[]) => {
    const view = new DataView(new ArrayBuffer(4 * values.length))
    for (const [i, value] of values.entries()) view.setFloat32(4 * i, value)
    return [...new Uint8Array(view.buffer)]
  }
  const doubles = (...values: readonly number[]) => {
    const view = new DataView(new ArrayBuffer(8 * values.length))
    for (const [i, value] of values.entries()) view.setFloat64(8 * i, value)
    return [...new Uint8Array(view.buffer)]
  }
  const element = (tag: number, ref: number, bytes: readonly number[]): TestElement => ({
    tag,
    ref,
    bytes: Uint8Array.from(bytes),
  })
  const texts = (...values: readonly string[]) => [
    ...Buffer.from(values.map((value) => `${value}\0`).join(''), 'latin1'),
  ]
  const links =
    (...tags: readonly number[]) =>
    (ref: number) =>
      tags.flatMap((tag) => [...u16(tag), ...u16(ref)])
  const dimensions = (shape: readonly number[], type: number) => [
    ...u16(shape.length),
    ...shape.flatMap(u32),
    ...[type, ...shape.map(() => type)].flatMap((ref) => [...u16(106), ...u16(ref)]),
  ]
  return hdf4File([
    element(106, 1, [1, 5, 32, 1]),
    element(701, 2, dimensions([3, 4], 1)),
    element(702, 2, floats(...Array.from({ length: 12 }, (_, i) => i / 4))),
    element(704, 2, texts('temperature', 'lat', 'lon')),
    element(705, 2, texts('K', 'degrees', '')),
    element(706, 2, texts('F5.1', 'F4', 'F4')),
    element(708, 2, texts('cartesian')),
    element(703, 2, [1, 1, ...floats(0, 10, 20), ...floats(0, 1, 2, 3)]),
    element(707, 2, floats(9, -9)),
    element(731, 2, [...doubles(2, 0.1, 5, 0.2), ...u32(5)]),
    element(732, 2, floats(-1)),
    element(720, 2, links(701, 702, 704, 705, 706, 708, 703, 707, 731, 732)(2)),
    element(106, 5, [1, 24, 32, 4]),
    element(701, 6, dimensions([2, 3], 5)),
    element(
      702,
      6,
      [0, 1, 2, 3, 4, 5].flatMap((value) => [value, 0, 0, 0]),
    ),
    element(720, 6, links(701, 702)(6)),
    element(701, 8, dimensions([2], 1)),
    element(702, 8, floats(1.5, 2.5)),
    element(700, 8, links(701, 702)(8)),
    element(105, 9, [...u16(720), ...u16(6), ...Buffer.from('a description')]),
  ])
}

test('data sets that no SD interface wrote have the names that the library invents, with what their groups say of them', async () => {
  const { root, source } = await parse(oldFile())
  assert.deepEqual([...root.members.keys()], ['Data-Set-2', 'Data-Set-6', 'Data-Set-8', 'fakeDim0', 'fakeDim1'])
  const first = arrayAt(root, 'Data-Set-2')
  assert.deepEqual(first.dimensionNames, ['fakeDim0', 'fakeDim1'])
  assert.deepEqual(Object.fromEntries(first.attributes), {
    long_name: 'temperature',
    units: 'K',
    format: 'F5.1',
    coordsys: 'cartesian',
    valid_max: new Float(9),
    valid_min: new Float(-9),
    scale_factor: new Float(2),
    scale_factor_err: 0.1,
    add_offset: new Float(5),
    add_offset_err: 0.2,
    calibrated_nt: 5,
  })
  assert.deepEqual(first.sentinels.fillValue, { kind: 'number', value: -1 }, 'the tag for it says so')
  const bytes = await read(first, source)
  assert.equal(new DataView(bytes.buffer, bytes.byteOffset).getFloat32(44), 2.75)
  const little = arrayAt(root, 'Data-Set-6')
  assert.deepEqual(asStored(little).encodings[0]?.[0]?.configuration, { endian: 'little' })
  assert.equal(little.attributes.get('description'), 'a description')
  const scale = arrayAt(root, 'fakeDim1')
  assert.deepEqual(scale.dimensionNames, ['fakeDim1'])
  assert.equal(scale.attributes.get('long_name'), 'lon')
  const values = await read(scale, source)
  assert.equal(new DataView(values.buffer, values.byteOffset).getFloat32(12), 3)
})

async function read(array: VirtualArray, source: Source): Promise<Uint8Array> {
  const { chunks } = asStored(array)
  const ref = await chunks.at(chunks.gridShape.map(() => 0))
  assert.ok(ref.kind === 'range')
  return (await source.read(ref)).slice()
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { type ChunkIndex, gridCoordinates, gridShapeOf } from '../../src/model/chunk-index.ts'
import type { ChunkRef } from '../../src/model/chunk-ref.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { elementCount } from '../../src/model/shape.ts'
import type { VirtualArray } from '../../src/model/virtual-store.ts'
import { withMasksApplied } from '../../src/views/masked.ts'
import { virtualGroup } from '../helpers/virtual-array.ts'
import { bodyOf, deliverChunk, virtualArray, worldOf } from './world.ts'

const BYTES: DataType = { kind: 'uint', bits: 8 }
type Write = (view: DataView, at: number, value: number) => void

/** Types of samples, how their numbers are written, and the floats that hold them. */
const TYPES: readonly (readonly [DataType, Write, 16 | 32 | 64])[] = [
  [{ kind: 'int', bits: 8 }, (view, at, value) => view.setInt8(at, value), 32],
  [BYTES, (view, at, value) => view.setUint8(at, value), 32],
  [{ kind: 'int', bits: 16 }, (view, at, value) => view.setInt16(at, value, true), 32],
  [{ kind: 'uint', bits: 16 }, (view, at, value) => view.setUint16(at, value, true), 32],
  [{ kind: 'int', bits: 32 }, (view, at, value) => view.setInt32(at, value, true), 64],
  [{ kind: 'uint', bits: 32 }, (view, at, value) => view.setUint32(at, value, true), 64],
  [{ kind: 'float', bits: 16 }, (view, at, value) => view.setFloat16(at, value, true), 16],
  [{ kind: 'float', bits: 32 }, (view, at, value) => view.setFloat32(at, value, true), 32],
  [{ kind: 'float', bits: 64 }, (view, at, value) => view.setFloat64(at, value, true), 64],
]

interface Stored {
  readonly array: VirtualArray
  readonly bytes: Buffer
}

/** An array of one range a chunk from `start` on, each element written by its place in the array; outside of it 77. */
function stored(
  shape: readonly number[],
  chunkShape: readonly number[],
  dataType: DataType,
  { start, size, write }: { start: number; size: number; write(view: DataView, at: number, place: number): void },
): Stored {
  const grid = gridShapeOf(shape, chunkShape)
  const length = elementCount(chunkShape) * size
  const bytes = Buffer.alloc(elementCount(grid) * length, 77)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const refs: ChunkRef[] = []
  for (let chunk = 0; chunk < elementCount(grid); chunk++) {
    refs.push({ kind: 'range', source: 0, offset: start + chunk * length, length, encoding: 0 })
    const first = gridCoordinates(chunk, grid).map((at, axis) => at * (chunkShape[axis] ?? 1))
    for (let element = 0; element < elementCount(chunkShape); element++) {
      const at = gridCoordinates(element, chunkShape).map((within, axis) => within + (first[axis] ?? 0))
      if (at.some((position, axis) => position >= (shape[axis] ?? 0))) continue
      const place = at.reduce((sum, position, axis) => sum * (shape[axis] ?? 1) + position, 0)
      write(view, chunk * length + element * size, place)
    }
  }
  return { array: virtualArray({ shape, chunkShape, dataType }, refs), bytes }
}

function applied(values: VirtualArray, mask: VirtualArray): VirtualArray {
  const root = withMasksApplied(virtualGroup({ a: { ...values, maskedBy: mask } }), () => {})
  const array = root.kind === 'group' ? root.members.get('a') : undefined
  assert.ok(array?.kind === 'array')
  return array
}

const SHAPE = [2, 5, 7]
const isValid = (place: number) => (place * 7) % 5 > 1
const masks: readonly (readonly [string, readonly number[], readonly number[]])[] = [
  ['one mask for all planes, on another grid', [5, 7], [2, 3]],
  ['one mask for all planes, in one piece', [5, 7], [5, 7]],
  ['a mask of its own for each plane', [2, 5, 7], [2, 1, 7]],
]

for (const [dataType, write, bits] of TYPES) {
  test(`FV-16: values of ${JSON.stringify(dataType)} are the same floats, NaN where a mask is zero`, async () => {
    const size = 'bits' in dataType ? dataType.bits / 8 : 1
    const signs = dataType.kind === 'uint' ? 1 : -1
    const number = (place: number) => (place % 2 === 0 ? place : signs * place)
    for (const chunkShape of [
      [1, 2, 4],
      [2, 5, 7],
      [2, 3, 3],
    ]) {
      const numbers = {
        start: 0,
        size,
        write: (view: DataView, at: number, place: number) => write(view, at, number(place)),
      }
      const values = stored(SHAPE, chunkShape, dataType, numbers)
      for (const [what, shape, maskChunk] of masks) {
        const bytes = {
          start: values.bytes.length,
          size: 1,
          write: (view: DataView, at: number, place: number) =>
            view.setUint8(at, isValid(place) ? 1 + (place % 255) : 0),
        }
        const mask = stored(shape, maskChunk, BYTES, bytes)
        const array = applied(values.array, mask.array)
        assert.deepEqual(array.dataType, { kind: 'float', bits })
        await checkValues(
          array,
          Buffer.concat([values.bytes, mask.bytes]),
          `${what}, chunks of ${chunkShape}`,
          (place) => (isValid(shape.length === 3 ? place : place % 35) ? number(place) : Number.NaN),
        )
      }
    }
  })
}

async function checkValues(array: VirtualArray, file: Buffer, what: string, expected: (place: number) => number) {
  const bits = array.dataType.kind === 'float' ? array.dataType.bits : 0
  const world = worldOf(file)
  const gridShape = gridShapeOf(array.shape, array.chunkShape)
  for (let chunk = 0; chunk < elementCount(gridShape); chunk++) {
    const coords = gridCoordinates(chunk, gridShape)
    const bytes = await bodyOf(await deliverChunk(array, coords, world, { profile: 'raw' }))
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    for (let element = 0; element < elementCount(array.chunkShape); element++) {
      const at = gridCoordinates(element, array.chunkShape).map(
        (within, axis) => within + (coords[axis] ?? 0) * (array.chunkShape[axis] ?? 1),
      )
      const isInside = at.every((position, axis) => position < (array.shape[axis] ?? 0))
      const place = at.reduce((sum, position, axis) => sum * (array.shape[axis] ?? 1) + position, 0)
      const read =
        bits === 16
          ? view.getFloat16(element * 2, true)
          : bits === 32
            ? view.getFloat32(element * 4, true)
            : view.getFloat64(element * 8, true)
      assert.equal(read, isInside ? expected(place) : Number.NaN, `${what}: ${at}`)
    }
  }
}

test('complex numbers are NaN in both parts', async () => {
  const complex: DataType = { kind: 'complex', bits: 64 }
  const write = (view: DataView, at: number, place: number) => {
    view.setFloat32(at, place, true)
    view.setFloat32(at + 4, -place, true)
  }
  const values = stored([2, 3], [2, 3], complex, { start: 0, size: 8, write })
  const mask = stored([2, 3], [1, 2], BYTES, {
    start: 48,
    size: 1,
    write: (view, at, place) => view.setUint8(at, place % 2),
  })
  const array = applied(values.array, mask.array)
  const bytes = await bodyOf(
    await deliverChunk(array, [0, 0], worldOf(Buffer.concat([values.bytes, mask.bytes])), { profile: 'raw' }),
  )
  const floats = [...new Float32Array(new Uint8Array(bytes).buffer)]
  assert.deepEqual(floats, [
    Number.NaN,
    Number.NaN,
    1,
    -1,
    Number.NaN,
    Number.NaN,
    3,
    -3,
    Number.NaN,
    Number.NaN,
    5,
    -5,
  ])
})

test('what one chunk may read is bounded for values and mask together', async () => {
  const ref = (offset: number): ChunkRef => ({ kind: 'range', source: 0, offset, length: 1.5 * 2 ** 27, encoding: 0 })
  const chunks = (offset: number): ChunkIndex => ({ gridShape: [1], at: () => ref(offset), weight: () => 0 })
  const fields = { shape: [4], chunkShape: [4], dataType: BYTES }
  const values = virtualArray({ ...fields, chunks: chunks(0) }, [])
  const mask = virtualArray({ ...fields, chunks: chunks(2 ** 28) }, [])
  const world = worldOf(Buffer.alloc(1))
  await assert.rejects(deliverChunk(applied(values, mask), [0], world), (error) =>
    isVirtualZarrError(error, 'limit-exceeded'),
  )
  assert.deepEqual(world.reads, [])
})

test('a chunk that no mask was written for is missing, and nothing is read for it', async () => {
  const fields = { shape: [4], chunkShape: [4], dataType: BYTES }
  const values = virtualArray(fields, [{ kind: 'range', source: 0, offset: 0, length: 4, encoding: 0 }])
  const world = worldOf(Buffer.alloc(4))
  const delivered = await deliverChunk(applied(values, virtualArray(fields, [])), [0], world)
  assert.equal(delivered.kind, 'missing')
  assert.deepEqual(world.reads, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOf, type Numbers, numbersOf } from '../../src/codecs/numbers.ts'
import { coarsenedBytes, coarsenedShape } from '../../src/compose/coarsen.ts'
import type { DataType } from '../../src/model/data-type.ts'
import type { Reduction } from '../../src/model/virtual-store.ts'

const N = Number.NaN
const INT16: DataType = { kind: 'int', bits: 16 }
const FLOAT32: DataType = { kind: 'float', bits: 32 }

function reduced(
  values: Numbers,
  dataType: DataType,
  shape: readonly number[],
  how: Partial<Reduction> = {},
  factors: readonly number[] = shape.map((_length, axis) => (axis >= shape.length - 2 ? 2 : 1)),
): readonly (number | bigint)[] {
  const reduction: Reduction = { method: 'mean', readAs: dataType, missing: [], ...how }
  const bytes = coarsenedBytes({ bytes: bytesOf(values), shape, dataType, factors }, reduction)
  return [...numbersOf(bytes, reduction.readAs)]
}

test('a mean of integers is rounded to the nearest, halves to even; edges count the points that are there', () => {
  const values = Int16Array.of(0, 1, 3, 4, 7, 0, 1, 3, 5, 7, 2, 3, -1, -2, 9)
  // Blocks of 0 1 0 1, 3 4 3 5, 7 7, then 2 3, -1 -2, 9 at the lower edge.
  assert.deepEqual(reduced(values, INT16, [3, 5]), [0, 4, 7, 2, -2, 9])
  assert.deepEqual(coarsenedShape([3, 5], [2, 2]), [2, 3])
})

test('missing points are left out of a mean, and all of a block make a missing one', () => {
  const values = Int16Array.of(-9, 4, -9, -9, 6, -9, -9, -9)
  assert.deepEqual(reduced(values, INT16, [2, 4], { missing: [-9] }), [5, -9])
  assert.deepEqual(reduced(Float32Array.of(N, 4, N, N, 5, N, N, N), FLOAT32, [2, 4]), [4.5, N])
  assert.deepEqual(reduced(Float32Array.of(-1, 4, N, -1), FLOAT32, [2, 2], { missing: [-1] }), [4])
})

test('a mean that would read as missing gives way to the next number', () => {
  // As overviews of GDAL 3.12.2 have it (rasterio 1.5.2, `build_overviews` with `average`).
  const UINT8: DataType = { kind: 'uint', bits: 8 }
  for (const [values, type, nodata, expected] of [
    [Int16Array.of(-100, 100, -100, 100), INT16, 0, 1],
    [Int16Array.of(4, 6, 4, 6), INT16, 5, 6],
    [Uint8Array.of(0, 2, 0, 2), UINT8, 1, 2],
    [Float32Array.of(-1, 1, -1, 1), FLOAT32, 0, 1.401298464324817e-45],
    [Float32Array.of(4, 6, 4, 6), FLOAT32, 5, 5.000000476837158],
    [Float64Array.of(-1, 1, -1, 1), { kind: 'float', bits: 64 }, 0, 5e-324],
  ] as const)
    assert.deepEqual(reduced(values, type, [2, 2], { missing: [nodata] }), [expected])
  // Of several marks none; at the end of a type the one below.
  assert.deepEqual(reduced(Int16Array.of(4, 6), INT16, [1, 2], { missing: [5, 6, 7] }), [4])
  assert.deepEqual(reduced(Float32Array.of(-4, -6), FLOAT32, [1, 2], { missing: [-5] }), [-4.999999523162842])
  assert.deepEqual(reduced(BigInt64Array.of(-1n, 1n), { kind: 'int', bits: 64 }, [1, 2], { missing: [0n] }), [1n])
  const most = 2n ** 64n - 1n
  const wide: DataType = { kind: 'uint', bits: 64 }
  assert.deepEqual(reduced(BigUint64Array.of(most - 1n, most - 1n), wide, [1, 2], { missing: [most] }), [most - 1n])
})

test('integers of 64 bits are exact', () => {
  const type: DataType = { kind: 'uint', bits: 64 }
  const most = 2n ** 64n - 1n
  assert.deepEqual(reduced(BigUint64Array.of(most, most, most, most - 1n), type, [2, 2]), [most])
  assert.deepEqual(reduced(BigUint64Array.of(most, most - 1n), type, [1, 2]), [most - 1n])
  assert.deepEqual(reduced(BigInt64Array.of(-3n, -2n), { kind: 'int', bits: 64 }, [1, 2]), [-2n])
})

test('bits are read as the type that an attribute names', () => {
  const reduction = { readAs: { kind: 'uint', bits: 8 }, missing: [255] } as const
  assert.deepEqual(reduced(Int8Array.of(-1, -6, 100, -1), { kind: 'int', bits: 8 }, [2, 2], reduction), [175])
})

test('the nearest point is the first of its block, whatever its type', () => {
  const values = Uint8Array.from({ length: 15 }, (_, i) => i)
  const type: DataType = { kind: 'uint', bits: 8 }
  assert.deepEqual(reduced(values, type, [3, 5], { method: 'nearest' }), [0, 2, 4, 10, 12, 14])
  const halves = bytesOf(Float32Array.of(1, 2, 3, 4))
  const complex: DataType = { kind: 'complex', bits: 64 }
  const reduction: Reduction = { method: 'nearest', readAs: complex, missing: [] }
  const bytes = coarsenedBytes({ bytes: halves, shape: [2], dataType: complex, factors: [2] }, reduction)
  assert.deepEqual([...numbersOf(bytes, FLOAT32)], [1, 2])
})

test('axes without blocks stay as they are, wherever they are', () => {
  const values = Int16Array.from({ length: 12 }, (_, i) => i)
  // Means of 0 1 6 7, 2 3 8 9 and 4 5 10 11: 3.5, 5.5, 7.5.
  assert.deepEqual(reduced(values, INT16, [2, 3, 2], {}, [2, 1, 2]), [4, 6, 8])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { floatJson, type Json } from '../../src/json/json.ts'
import type { DataType } from '../../src/model/data-type.ts'
import { elementCount } from '../../src/model/shape.ts'
import { valuesJson, valuesText } from '../../src/server/values-text.ts'
import type { Box } from '../../src/service/values/array-box.ts'
import type { ArrayReading } from '../../src/service/values/read-array.ts'

interface Asked {
  readonly shape: readonly number[]
  readonly dataType?: DataType
  readonly dropped?: readonly number[]
  readonly value?: (index: number) => Json
  readonly isDecoded?: boolean
}

/** An array whose values are their positions, and what was read of it. */
function counting(asked: Asked): { reading: ArrayReading; boxes: Box[] } {
  const { shape, dataType = { kind: 'int', bits: 32 }, dropped = [], value = (index) => index } = asked
  const boxes: Box[] = []
  const reading: ArrayReading = {
    path: 'a',
    dataType,
    box: { from: shape.map(() => 0), extent: shape },
    axes: shape.map((_length, axis) => axis).filter((axis) => !dropped.includes(axis)),
    dimensionNames: shape.map((_length, axis) => `d${axis}`),
    isDecoded: asked.isDecoded ?? false,
    async values(box) {
      boxes.push(box)
      return Array.from({ length: elementCount(box.extent) }, (_empty, i) => value(positionIn(shape, box, i)))
    },
  }
  return { reading, boxes }
}

function positionIn(shape: readonly number[], { from, extent }: Box, index: number): number {
  let [rest, position, stride] = [index, 0, 1]
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = extent[axis] ?? 1
    position += ((from[axis] ?? 0) + (rest % length)) * stride
    rest = Math.floor(rest / length)
    stride *= shape[axis] ?? 1
  }
  return position
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const print = async (asked: Asked, isAll = false) => await textOf(valuesText(counting(asked).reading, isAll))

test('a small array is printed whole, in columns', async () => {
  assert.equal(await print({ shape: [2, 1, 3] }), 'a  int32 (d0: 2, d1: 1, d2: 3)\n[[[0 1 2]]\n\n [[3 4 5]]]\n')
  assert.equal(await print({ shape: [] }), 'a  int32 ()\n0\n')
  assert.equal(await print({ shape: [0, 3] }), 'a  int32 (d0: 0, d1: 3)\n[]\n')
  assert.equal(await print({ shape: [1, 2], dropped: [0] }), 'a  int32 (d1: 2)\n[0 1]\n')
})

test('of a large array the edges are printed, and only they are read', async () => {
  const { reading, boxes } = counting({ shape: [1000, 8, 1_000_000] })
  const lines = (await textOf(valuesText(reading, false))).split('\n')
  assert.equal(lines[0], 'a  int32 (d0: 1000, d1: 8, d2: 1000000)')
  assert.equal(lines[1], '[[[         0          1          2 ...     999997     999998     999999]')
  assert.equal(lines.filter((line) => line.includes('...')).length, 6 * 6 + 6 + 1)
  assert.equal(lines.at(-2), '  [7999000000 7999000001 7999000002 ... 7999999997 7999999998 7999999999]]]')
  assert.equal(boxes.length, 8)
  assert.equal(
    boxes.reduce((sum, { extent }) => sum + elementCount(extent), 0),
    6 * 6 * 6,
  )
})

test('an array of many dimensions has few edges', async () => {
  const { reading, boxes } = counting({ shape: new Array(32).fill(4) })
  await textOf(valuesText(reading, false))
  assert.ok(boxes.reduce((sum, { extent }) => sum + elementCount(extent), 0) <= 1000)
})

test('--all prints everything, a block at a time', async () => {
  const { reading, boxes } = counting({ shape: [2, 250_000] })
  const text = await textOf(valuesText(reading, true))
  const numbers = [...text.slice(text.indexOf('[')).matchAll(/\d+/g)].map(([digits]) => Number(digits))
  assert.deepEqual(
    numbers,
    Array.from({ length: 500_000 }, (_empty, i) => i),
  )
  assert.ok(boxes.every(({ extent }) => elementCount(extent) <= 100_000))
})

test('as JSON everything is printed up to a limit, and beyond it with --all', async () => {
  const json = async (shape: readonly number[], isAll: boolean) =>
    JSON.parse(await textOf(valuesJson(counting({ shape }).reading, isAll)))
  const { values } = await json([3, 150_000], false)
  assert.deepEqual(values[2].slice(0, 2), [300_000, 300_001])
  assert.equal(values[2].length, 150_000)
  await assert.rejects(json([1_000_001], false), (error) => isVirtualZarrError(error, 'limit-exceeded'))
  assert.equal((await json([1_000_001], true)).values.length, 1_000_001)
  assert.deepEqual(await json([], false), { shape: [], values: 0 })
})

test('numbers have the digits of their precision, and decoded ones no noise', async () => {
  const single: DataType = { kind: 'float', bits: 32 }
  const value = () => floatJson(Math.fround(0.1))
  assert.match(await print({ shape: [1], dataType: single, value }), /\[0\.1\]/)
  assert.match(await print({ shape: [1], dataType: { kind: 'float', bits: 64 }, value }), /\[0\.10000000149011612\]/)
  const noise = () => floatJson(-1680 * 0.01 + 15)
  assert.match(await print({ shape: [1], value: noise, isDecoded: true }), /int32, decoded .*\n\[-1\.8\]/)
  assert.match(await print({ shape: [1], value: () => null, isDecoded: true }), /\[nan\]/)
})

test('text of a file can not move the cursor of a terminal', async () => {
  const hostile = '\u001b[2Jred\u009b31m\u202etxt\n'
  const text = await print({ shape: [1], dataType: { kind: 'string' }, value: () => hostile })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(text.trimEnd().replaceAll('\n', ''), /[\u0000-\u001f\u007f-\u009f\u202e]/)
})

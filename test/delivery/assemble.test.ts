import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { gridShapeOf } from '../../src/model/chunk-index.ts'
import type { ChunkRef } from '../../src/model/chunk-ref.ts'
import { composedArray, listedMembers, type PlacedArray } from '../../src/model/composed-array.ts'
import type { StoredArray, VirtualArray } from '../../src/model/virtual-store.ts'
import { asStored } from '../helpers/stored-array.ts'
import { BIG, bodyOf, deliverChunk, INT16, virtualArray, worldOf, ZLIB } from './world.ts'

const FILL = { kind: 'number', value: -7 } as const

interface Grid {
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly edges?: 'padded' | 'cropped'
  /** Chunks that were never written, by place in the grid. */
  readonly holes?: readonly number[]
  readonly compressed?: boolean
}

/** An array whose element at (y, x) is 100 y + x + `base`, and the file that holds it. */
function numbered(grid: Grid, base = 0, source = 0): { readonly array: StoredArray; readonly file: Buffer } {
  const { shape, chunkShape, edges = 'padded', holes = [], compressed = false } = grid
  const [rows = 1, columns = 1] = chunkShape
  const [gridRows = 1, gridColumns = 1] = gridShapeOf(shape, chunkShape)
  const refs: ChunkRef[] = []
  const parts: Buffer[] = []
  let offset = 0
  for (let place = 0; place < gridRows * gridColumns; place++) {
    const top = Math.floor(place / gridColumns) * rows
    const left = (place % gridColumns) * columns
    const height = edges === 'cropped' ? Math.min(rows, (shape[0] ?? 0) - top) : rows
    const width = edges === 'cropped' ? Math.min(columns, (shape[1] ?? 0) - left) : columns
    const raw = Buffer.alloc(height * width * 2)
    for (let i = 0; i < height * width; i++) {
      raw.writeInt16BE(100 * (top + Math.floor(i / width)) + left + (i % width) + base, i * 2)
    }
    const bytes = compressed ? deflateSync(raw) : raw
    if (holes.includes(place)) refs.push({ kind: 'missing' })
    else refs.push({ kind: 'range', source, offset, length: bytes.length, encoding: 0 })
    parts.push(bytes)
    offset += bytes.length
  }
  const encodings = [compressed ? [BIG, ZLIB] : [BIG]]
  const array = virtualArray({ shape, chunkShape, dataType: INT16, encodings, edges, fillValue: FILL }, refs)
  return { array, file: Buffer.concat(parts) }
}

function assembled(
  placed: readonly PlacedArray[],
  shape: readonly number[],
  chunkShape: readonly number[],
): VirtualArray {
  const spec = virtualArray({ shape, chunkShape, dataType: INT16, fillValue: FILL }, [])
  return composedArray(spec, { kind: 'concat', members: listedMembers(placed), encodings: [] })
}

/** Every chunk of an assembled array, put together again; undefined for chunks that are missing. */
async function wholeOf(array: VirtualArray, file: Buffer): Promise<(number | undefined)[][]> {
  const [height = 0, width = 0] = array.shape
  const [rows = 1, columns = 1] = array.chunkShape
  const whole = Array.from({ length: height }, () => new Array<number | undefined>(width).fill(undefined))
  const world = worldOf(file)
  for (let row = 0; row * rows < height; row++) {
    for (let column = 0; column * columns < width; column++) {
      const delivered = await deliverChunk(array, [row, column], world, { profile: 'raw' })
      if (delivered.kind === 'missing') continue
      const bytes = await bodyOf(delivered)
      assert.equal(bytes.length, rows * columns * 2)
      for (let i = 0; i < rows * columns; i++) {
        const y = row * rows + Math.floor(i / columns)
        const x = column * columns + (i % columns)
        const line = whole[y]
        if (line !== undefined && x < width) line[x] = bytes.readInt16LE(i * 2)
      }
    }
  }
  return whole
}

function expected(shape: readonly number[], value: (y: number, x: number) => number | undefined) {
  return Array.from({ length: shape[0] ?? 0 }, (_, y) => Array.from({ length: shape[1] ?? 0 }, (_, x) => value(y, x)))
}

for (const compressed of [false, true]) {
  for (const edges of ['padded', 'cropped'] as const) {
    test(`an array of ${edges} ${compressed ? 'compressed' : 'raw'} chunks is served on any other grid`, async () => {
      const shape = [7, 11]
      const { array, file } = numbered({ shape, chunkShape: [2, 4], edges, compressed })
      for (const chunkShape of [
        [7, 11],
        [3, 3],
        [4, 8],
        [1, 1],
        [8, 16],
      ]) {
        const view = assembled([{ array, origin: [0, 0] }], shape, chunkShape)
        assert.deepEqual(
          await wholeOf(view, file),
          expected(shape, (y, x) => 100 * y + x),
        )
      }
    })
  }
}

test('stored chunks that were never written read as fill inside an assembled one, and leave it missing when all are', async () => {
  const { array, file } = numbered({ shape: [4, 4], chunkShape: [2, 2], holes: [0, 2, 3] })
  const view = assembled([{ array, origin: [0, 0] }], [4, 4], [2, 4])
  const lower = expected([4, 4], (y, x) => (y >= 2 ? undefined : x >= 2 ? 100 * y + x : -7))
  assert.deepEqual(await wholeOf(view, file), lower)
})

test('parts that do not line up with the grid are joined, and what none covers is fill', async () => {
  const first = numbered({ shape: [3, 5], chunkShape: [2, 2] })
  const second = numbered({ shape: [3, 5], chunkShape: [3, 5] }, 5000)
  const { chunks: _others, ...fields } = second.array
  const moved = virtualArray(fields, [{ kind: 'range', source: 0, offset: first.file.length, length: 30, encoding: 0 }])
  const parts = [
    { array: first.array, origin: [0, 0] },
    { array: moved, origin: [4, 1] },
  ]
  const file = Buffer.concat([first.file, second.file])
  const value = (y: number, x: number) => {
    if (y < 3 && x < 5) return 100 * y + x
    return y >= 4 && x >= 1 ? 100 * (y - 4) + (x - 1) + 5000 : -7
  }
  assert.deepEqual(await wholeOf(assembled(parts, [7, 6], [4, 4]), file), expected([7, 6], value))
})

test('a view of a view begins inside it', async () => {
  const { array, file } = numbered({ shape: [8, 8], chunkShape: [3, 3] })
  const inner = assembled([{ array, origin: [0, 0] }], [8, 8], [5, 5])
  const outer = assembled([{ array: inner, origin: [-2, -1] }], [5, 6], [4, 4])
  assert.deepEqual(
    await wholeOf(outer, file),
    expected([5, 6], (y, x) => 100 * (y + 2) + x + 1),
  )
})

test('an assembled chunk is made once, and HEAD of an uncompressed one makes nothing', async () => {
  const { array, file } = numbered({ shape: [4, 4], chunkShape: [2, 2] })
  const view = assembled([{ array, origin: [0, 0] }], [4, 4], [4, 4])
  const world = worldOf(file)
  await deliverChunk(view, [0, 0], world, { headOnly: true, profile: 'raw' })
  assert.equal(world.reads.length, 0)
  await deliverChunk(view, [0, 0], world)
  await deliverChunk(view, [0, 0], world, { headOnly: true })
  assert.equal(world.reads.length, 1, 'stored chunks that lie side by side are read together')
})

test('what a file says of a chunk elsewhere stands before its bytes, in chunks that are read together, too', async () => {
  const { array, file } = numbered({ shape: [6, 6], chunkShape: [2, 3], compressed: true })
  const { gridShape, at } = asStored(array).chunks
  /** The first bytes of each stored chunk, as if the file said them elsewhere. */
  const chunks = {
    gridShape,
    weight: () => 0,
    at: async (coords: readonly number[]): Promise<ChunkRef> => {
      const ref = await at(coords)
      if (ref.kind !== 'range') return ref
      const { offset, length } = ref
      return { ...ref, offset: offset + 4, length: length - 4, prefix: file.subarray(offset, offset + 4) }
    },
  }
  const whole = assembled([{ array: { ...array, chunks }, origin: [0, 0] }], [6, 6], [6, 6])
  const expected = Array.from({ length: 6 }, (_, y) => Array.from({ length: 6 }, (_, x) => 100 * y + x))
  assert.deepEqual(await wholeOf(whole, file), expected)
})

test('the chunks under one are looked up together: parts of their index that are not there cost one round', async () => {
  const { array, file } = numbered({ shape: [8, 4], chunkShape: [1, 4] })
  let underWay = 0
  let most = 0
  const chunks = {
    ...asStored(array).chunks,
    at: async (coords: readonly number[]) => {
      underWay++
      most = Math.max(most, underWay)
      await new Promise(setImmediate)
      underWay--
      return await asStored(array).chunks.at(coords)
    },
  }
  const whole = await wholeOf(assembled([{ array: { ...array, chunks }, origin: [0, 0] }], [8, 4], [8, 4]), file)
  assert.deepEqual(whole[7], [700, 701, 702, 703])
  assert.ok(most >= 8, `at most ${most} were looked up at once`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OffsetPattern } from '../../src/delivery/offset-pattern.ts'
import { ReadPattern, type ReadRun } from '../../src/delivery/read-pattern.ts'

type Coords = readonly number[]

/** Notes reads one after the other, some milliseconds apart; the run of the last one. */
function noted(pattern: ReadPattern, reads: readonly Coords[], from = 0): ReadRun | undefined {
  let run: ReadRun | undefined
  for (const [i, coords] of reads.entries()) run = pattern.note(coords, from + i * 10)
  return run
}

function first(run: ReadRun | undefined, count: number): Coords[] {
  assert.ok(run !== undefined, 'no pattern was found')
  const found: Coords[] = []
  for (const coords of run.next()) {
    if (found.length === count) break
    found.push(coords)
  }
  return found
}

const line = (from: number, to: number, step = 1): Coords[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => [from + i * step])

test('chunks in their order, every tenth of them, and backwards go on as they began', () => {
  assert.deepEqual(first(noted(new ReadPattern([100]), line(3, 6)), 3), [[7], [8], [9]])
  assert.deepEqual(first(noted(new ReadPattern([100]), line(0, 30, 10)), 3), [[40], [50], [60]])
  assert.deepEqual(first(noted(new ReadPattern([100]), line(50, 53).reverse()), 3), [[49], [48], [47]])
  assert.deepEqual(first(noted(new ReadPattern([8]), line(3, 6)), 9), [[7]])
})

test('three chunks are no pattern, nor are four that were asked for at once, nor four that lie apart', () => {
  assert.equal(noted(new ReadPattern([100]), line(3, 5)), undefined)
  const atOnce = new ReadPattern([100])
  for (const coords of line(0, 5)) assert.equal(atOnce.note(coords, 7), undefined)
  assert.equal(
    noted(new ReadPattern([100, 100]), [
      [1, 2],
      [50, 3],
      [20, 70],
      [99, 0],
    ]),
    undefined,
  )
  const repeated: Coords[] = [[5], [5], [5], [5], [5]]
  assert.equal(noted(new ReadPattern([100]), repeated), undefined)
})

test('neighbours may come in any order, by several readers', () => {
  const run = noted(new ReadPattern([100]), [[2], [0], [3], [1], [5], [4]])
  assert.deepEqual(first(run, 2), [[6], [7]])
  const gap = noted(new ReadPattern([100]), [[0], [1], [2], [3], [5], [7]])
  assert.deepEqual(first(gap, 3), [[4], [6], [8]])
})

test('two readers at different places of one array have a run each', () => {
  const pattern = new ReadPattern([10_000])
  const reads = line(0, 5).flatMap((coords, i) => [coords, [5000 + i]])
  assert.deepEqual(first(noted(pattern, reads), 2), [[5006], [5007]])
  assert.deepEqual(first(pattern.note([6], 200), 2), [[7], [8]])
})

test('rows of a grid are followed by the next row; those of a box end where it ends', () => {
  const rows = new ReadPattern([10, 6])
  assert.deepEqual(
    first(
      noted(
        rows,
        [0, 1, 2, 3, 4, 5].map((x) => [0, x]),
      ),
      3,
    ),
    [
      [1, 0],
      [1, 1],
      [1, 2],
    ],
  )
  const box = new ReadPattern([10, 20])
  const read = [0, 1, 2].flatMap((y) => [5, 6, 7, 8].map((x) => [y, x]))
  assert.deepEqual(first(noted(box, read.slice(0, 10)), 4), [
    [2, 7],
    [2, 8],
    [3, 5],
    [3, 6],
  ])
})

test('a series at a point goes along its axis alone', () => {
  const series = line(0, 9).map(([t = 0]) => [t, 7, 11])
  assert.deepEqual(first(noted(new ReadPattern([20, 30, 30]), series), 2), [
    [10, 7, 11],
    [11, 7, 11],
  ])
})

test('blocks of four, as trees of tasks read them, are a pattern, also from the last to the first', () => {
  const block: Coords[] = [
    [9, 1, 1],
    [9, 1, 0],
    [9, 0, 1],
    [9, 0, 0],
  ]
  assert.deepEqual(first(noted(new ReadPattern([40, 2, 2]), block), 3), [
    [8, 1, 0],
    [8, 1, 1],
    [8, 0, 0],
  ])
})

test('where an array was walked through two neighbours are enough for the next run', () => {
  const pattern = new ReadPattern([1000])
  noted(pattern, line(0, 29))
  assert.equal(pattern.note([500], 400), undefined)
  assert.deepEqual(first(pattern.note([501], 410), 2), [[502], [503]])
})

test('who rests begins anew', () => {
  const pattern = new ReadPattern([1000])
  assert.ok(noted(pattern, line(0, 9)) !== undefined)
  assert.equal(pattern.note([10], 60_000), undefined)
})

test('of a thousand scattered chunks next to none looks like a pattern', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (const grid of [[10_000], [100, 100], [50, 20, 10]]) {
    const pattern = new ReadPattern(grid)
    let runs = 0
    for (let i = 0; i < 1000; i++) if (pattern.note(grid.map(random), i * 10) !== undefined) runs++
    assert.ok(runs <= 5, `${runs} of ${grid}`)
  }
})

test('a run of very many chunks goes on, and looks through what is near only', () => {
  const pattern = new ReadPattern([500, 500])
  let run: ReadRun | undefined
  for (let i = 0; i < 10_250; i++) run = pattern.note([Math.floor(i / 500), i % 500], i)
  assert.deepEqual(first(run, 2), [
    [20, 250],
    [20, 251],
  ])
})

test('reads of a file that follow each other are followed by as much again, then twice as much', () => {
  const pattern = new OffsetPattern()
  const found = Array.from({ length: 40 }, (_, i) => pattern.note({ offset: i * 1000, length: 1000 }, i * 10))
  const windows = found.filter((range) => range !== undefined)
  assert.deepEqual(windows.slice(0, 3), [
    { offset: 4000, length: 4000 },
    { offset: 8000, length: 6000 },
    { offset: 14_000, length: 12_000 },
  ])
  for (const [i, { offset }] of windows.entries()) {
    const before = windows[i - 1]
    if (before !== undefined) assert.equal(offset, before.offset + before.length, 'no byte twice, and none left out')
  }
})

test('reads of a file that lie apart, that rest, or that leave most of it out are followed by nothing', () => {
  const apart = new OffsetPattern()
  const thinned = new OffsetPattern()
  const resting = new OffsetPattern()
  for (let i = 0; i < 20; i++) {
    assert.equal(apart.note({ offset: i * 1_000_000, length: 1000 }, i * 10), undefined)
    assert.equal(thinned.note({ offset: i * 4000, length: 1000 }, i * 10), undefined)
    assert.equal(resting.note({ offset: i * 1000, length: 1000 }, i * 10_000), undefined)
  }
})

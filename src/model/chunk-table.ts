import { GrowingNumbers, type Numbers, numbersUpTo } from '../bytes/growing.ts'
import { type Maker, recipe } from './recipe.ts'

/** Chunks by their position in the grid: some bytes each, whatever their number. */
export interface ChunkTable<Column extends string> {
  readonly count: number
  /** Whether every chunk of the grid is there. */
  readonly isComplete: boolean
  /** The place of a chunk in the columns; undefined where there is none. */
  placeOf(position: number): number | undefined
  /** Numbers of the chunks; a column of zeros may have no places at all. */
  readonly columns: Readonly<Record<Column, Numbers>>
  /** Places in a column. */
  readonly places: number
  readonly weight: number
}

/** From so full a grid on, a place for each of its positions takes less than the positions do. */
const DENSE = 0.6

/** Collects chunks in any order, a number for each to `positions` and every column; of those of one position the last counts. */
export class ChunkRows<Column extends string> {
  readonly positions = new GrowingNumbers()
  readonly columns: Readonly<Record<Column, GrowingNumbers>>

  constructor(...names: readonly Column[]) {
    const columns = names.map((name) => [name, new GrowingNumbers()])
    this.columns = Object.fromEntries(columns) as Record<Column, GrowingNumbers>
  }

  get count(): number {
    return this.positions.length
  }

  table(gridSize: number): ChunkTable<Column> {
    const table = this.count >= gridSize * DENSE ? this.#dense(gridSize) : this.#sparse(gridSize)
    return table as ChunkTable<Column>
  }

  #dense(gridSize: number): ChunkTable<string> {
    const positions = this.positions.view()
    const present = new Uint8Array(Math.ceil(gridSize / 8))
    let count = 0
    for (const position of positions) {
      if (position >= gridSize || isPresent(present, position)) continue
      present[position >> 3] = (present[position >> 3] ?? 0) | (1 << (position & 7))
      count++
    }
    const columns = this.#filled(gridSize, (from, to) => {
      for (let row = 0; row < from.length; row++) to[positions[row] ?? 0] = from[row] ?? 0
    })
    return denseTable({ gridSize, present, count, columns })
  }

  #sparse(gridSize: number): ChunkTable<string> {
    const order = orderByPosition(this.positions.view())
    const pick = (from: Numbers, to: Numbers) => {
      for (let place = 0; place < order.length; place++) to[place] = from[order[place] ?? 0] ?? 0
    }
    const sorted = new Float64Array(order.length)
    pick(this.positions.view(), sorted)
    const positions = (sorted.at(-1) ?? 0) < 2 ** 32 ? Uint32Array.from(sorted) : sorted
    const columns = this.#filled(order.length, pick)
    return sparseTable({ gridSize, positions, columns })
  }

  #filled(places: number, fill: (from: Numbers, to: Numbers) => void): Columns {
    const columns: Record<string, Numbers> = {}
    for (const [name, growing] of Object.entries<GrowingNumbers>(this.columns)) {
      const from = growing.view()
      let most = 0
      for (const value of from) if (value > most) most = value
      const to = numbersUpTo(most, places)
      if (to.length > 0) fill(from, to)
      columns[name] = to
    }
    return columns
  }
}

type Columns = Readonly<Record<string, Numbers>>

interface DenseInput {
  readonly gridSize: number
  /** A bit for each position: whether there is a chunk. */
  readonly present: Uint8Array
  readonly count: number
  readonly columns: Columns
}

const denseTable = recipe(
  'dense-table',
  ({ gridSize, present, count, columns }: DenseInput): ChunkTable<string> => ({
    count,
    isComplete: count === gridSize,
    placeOf: (position) => (isPresent(present, position) ? position : undefined),
    columns,
    places: gridSize,
    weight: weightOf(columns, present),
  }),
)

interface SparseInput {
  readonly gridSize: number
  /** Ascending. */
  readonly positions: Numbers
  readonly columns: Columns
}

const sparseTable = recipe(
  'sparse-table',
  ({ gridSize, positions, columns }: SparseInput): ChunkTable<string> => ({
    count: positions.length,
    isComplete: positions.length === gridSize,
    placeOf: (position) => indexOfPosition(positions, position),
    columns,
    places: positions.length,
    weight: weightOf(columns, positions),
  }),
)

export const tableMakers: readonly Maker[] = [denseTable, sparseTable]

function isPresent(present: Uint8Array, position: number): boolean {
  return (((present[position >> 3] ?? 0) >> (position & 7)) & 1) === 1
}

function weightOf(columns: Columns, found: Numbers): number {
  return Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, found.byteLength)
}

/** Where a position stands among ascending ones; undefined where it is not among them. */
function indexOfPosition(positions: Numbers, position: number): number | undefined {
  let low = 0
  let high = positions.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = positions[middle] ?? 0
    if (found === position) return middle
    if (found < position) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

/** Rows by ascending position, one for each. */
function orderByPosition(positions: ArrayLike<number>): Uint32Array {
  const order = Uint32Array.from(positions, (_, row) => row)
  if (isAscending(positions)) return order
  order.sort((one, other) => (positions[one] ?? 0) - (positions[other] ?? 0) || one - other)
  return order.filter((row, place) => positions[row] !== positions[order[place + 1] ?? -1])
}

function isAscending(positions: ArrayLike<number>): boolean {
  for (let row = 1; row < positions.length; row++) {
    if ((positions[row] ?? 0) <= (positions[row - 1] ?? 0)) return false
  }
  return true
}

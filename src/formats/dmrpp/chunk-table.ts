import { malformed, overLimit } from '../../errors.ts'

/** One row: where a chunk, or a part of one, is. */
export interface ChunkRow {
  /** In C order over the grid. */
  readonly position: number
  readonly offset: number
  readonly length: number
  /** 0 is the document's data file, others count the files that chunks name. */
  readonly file: number
  /** HDF5's filter mask. */
  readonly mask: number
  /** Order among the parts of one chunk (`LinkedBlockIndex`); undefined for a chunk in one piece. */
  readonly part: number | undefined
}

/** Chunks of one variable. */
const MOST_ROWS = 2 ** 25
const FIRST_ROWS = 16
const GROWTH = 1.5

/**
 * The chunks of a variable as columns of numbers: 24 bytes a chunk, 4 more for each of file, mask and part where any chunk has
 * one. Rows may come in any order; `seal` sorts them.
 */
export class ChunkTable {
  #count = 0
  #positions = new Float64Array(FIRST_ROWS)
  #offsets = new Float64Array(FIRST_ROWS)
  #lengths = new Float64Array(FIRST_ROWS)
  #files: Uint32Array | undefined
  #masks: Uint32Array | undefined
  #parts: Uint32Array | undefined

  get count(): number {
    return this.#count
  }

  add(row: ChunkRow): void {
    const at = this.#count
    if (at >= MOST_ROWS) throw overLimit(`a variable of more than ${MOST_ROWS} chunks`)
    if (at === this.#positions.length) this.#resize(Math.ceil(at * GROWTH))
    this.#positions[at] = row.position
    this.#offsets[at] = row.offset
    this.#lengths[at] = row.length
    if (row.file !== 0) this.#files ??= new Uint32Array(this.#positions.length)
    if (row.mask !== 0) this.#masks ??= new Uint32Array(this.#positions.length)
    if (row.part !== undefined) this.#parts ??= new Uint32Array(this.#positions.length)
    if (this.#files !== undefined) this.#files[at] = row.file
    if (this.#masks !== undefined) this.#masks[at] = row.mask
    // One more than the part, so that 0 says: in one piece.
    if (this.#parts !== undefined) this.#parts[at] = row.part === undefined ? 0 : row.part + 1
    this.#count = at + 1
  }

  /** Sorts the rows and drops what was reserved; throws for two chunks at one place that are not parts of one. */
  seal(): void {
    if (!this.#isSorted()) this.#reorder(this.#order())
    else if (this.#positions.length > this.#count) this.#resize(this.#count)
    for (let row = 1; row < this.#count; row++) {
      if (this.#positions[row] !== this.#positions[row - 1]) continue
      const isLinked = (this.#parts?.[row] ?? 0) > 0 && (this.#parts?.[row - 1] ?? 0) > 0
      if (!isLinked) throw malformed('two chunks at one place')
    }
  }

  /** The rows of a position: from `first` up to `end`. */
  find(position: number): { readonly first: number; readonly end: number } {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#positions[middle] ?? 0) < position) low = middle + 1
      else high = middle
    }
    let end = low
    while (end < this.#count && this.#positions[end] === position) end++
    return { first: low, end }
  }

  row(index: number): ChunkRow {
    const part = this.#parts?.[index] ?? 0
    return {
      position: this.#positions[index] ?? 0,
      offset: this.#offsets[index] ?? 0,
      length: this.#lengths[index] ?? 0,
      file: this.#files?.[index] ?? 0,
      mask: this.#masks?.[index] ?? 0,
      part: part === 0 ? undefined : part - 1,
    }
  }

  /** Distinct positions. */
  places(): number {
    let places = 0
    for (let row = 0; row < this.#count; row++) {
      if (row === 0 || this.#positions[row] !== this.#positions[row - 1]) places++
    }
    return places
  }

  /** Whether any chunk has a filter mask. */
  get hasMasks(): boolean {
    return this.#masks !== undefined
  }

  weight(): number {
    const narrow = [this.#files, this.#masks, this.#parts].filter((column) => column !== undefined).length
    return this.#positions.length * (24 + 4 * narrow) + 300
  }

  #isSorted(): boolean {
    for (let row = 1; row < this.#count; row++) if (this.#compare(row - 1, row) > 0) return false
    return true
  }

  #compare(one: number, other: number): number {
    const difference = (this.#positions[one] ?? 0) - (this.#positions[other] ?? 0)
    if (difference !== 0) return difference
    return (this.#parts?.[one] ?? 0) - (this.#parts?.[other] ?? 0) || one - other
  }

  #order(): Uint32Array {
    const order = new Uint32Array(this.#count)
    for (let row = 0; row < order.length; row++) order[row] = row
    return order.sort((one, other) => this.#compare(one, other))
  }

  #resize(length: number): void {
    this.#positions = resized(this.#positions, new Float64Array(length))
    this.#offsets = resized(this.#offsets, new Float64Array(length))
    this.#lengths = resized(this.#lengths, new Float64Array(length))
    if (this.#files !== undefined) this.#files = resized(this.#files, new Uint32Array(length))
    if (this.#masks !== undefined) this.#masks = resized(this.#masks, new Uint32Array(length))
    if (this.#parts !== undefined) this.#parts = resized(this.#parts, new Uint32Array(length))
  }

  #reorder(order: Uint32Array): void {
    this.#positions = reordered(this.#positions, order, new Float64Array(order.length))
    this.#offsets = reordered(this.#offsets, order, new Float64Array(order.length))
    this.#lengths = reordered(this.#lengths, order, new Float64Array(order.length))
    if (this.#files !== undefined) this.#files = reordered(this.#files, order, new Uint32Array(order.length))
    if (this.#masks !== undefined) this.#masks = reordered(this.#masks, order, new Uint32Array(order.length))
    if (this.#parts !== undefined) this.#parts = reordered(this.#parts, order, new Uint32Array(order.length))
  }
}

function resized<Column extends Float64Array | Uint32Array>(from: Column, to: Column): Column {
  to.set(from.length > to.length ? from.subarray(0, to.length) : from)
  return to
}

function reordered<Column extends Float64Array | Uint32Array>(from: Column, order: Uint32Array, to: Column): Column {
  for (let row = 0; row < order.length; row++) to[row] = from[order[row] ?? 0] ?? 0
  return to
}

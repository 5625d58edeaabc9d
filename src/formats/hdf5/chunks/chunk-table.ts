import { indexOfPosition } from '../../../model/sorted-positions.ts'
import type { StoredChunk } from './locator.ts'

/** A whole index in memory: twelve bytes a chunk where most of the grid is stored, twenty where little of it is. */
export interface ChunkTable {
  readonly count: number
  at(position: number): StoredChunk | undefined
  readonly weight: number
}

/** A dense table must not be larger than this many times what a sparse one takes. */
const DENSE_FACTOR = 1.6

/** Collects the chunks of an index in any order. */
export class ChunkTableBuilder {
  #positions = new Float64Array(256)
  #addresses = new Float64Array(256)
  #sizes = new Uint32Array(256)
  #count = 0
  #isSorted = true
  readonly #masks = new Map<number, number>()

  get count(): number {
    return this.#count
  }

  add(position: number, address: number, size: number, mask: number): void {
    if (this.#count === this.#positions.length) this.#grow()
    const last = this.#count === 0 ? -1 : (this.#positions[this.#count - 1] ?? -1)
    if (position <= last) this.#isSorted = false
    this.#positions[this.#count] = position
    this.#addresses[this.#count] = address
    this.#sizes[this.#count] = size
    this.#count++
    // Masks are rare: a chunk whose compression did not pay off.
    if (mask !== 0) this.#masks.set(position, mask)
  }

  finish(gridSize: number): ChunkTable {
    return gridSize <= this.#count * DENSE_FACTOR ? this.#dense(gridSize) : this.#sparse()
  }

  #grow(): void {
    const length = this.#positions.length * 2
    const positions = new Float64Array(length)
    positions.set(this.#positions)
    const addresses = new Float64Array(length)
    addresses.set(this.#addresses)
    const sizes = new Uint32Array(length)
    sizes.set(this.#sizes)
    this.#positions = positions
    this.#addresses = addresses
    this.#sizes = sizes
  }

  #dense(gridSize: number): ChunkTable {
    const addresses = new Float64Array(gridSize).fill(-1)
    const sizes = new Uint32Array(gridSize)
    let count = 0
    for (let i = 0; i < this.#count; i++) {
      const position = this.#positions[i] ?? 0
      if (addresses[position] === -1) count++
      addresses[position] = this.#addresses[i] ?? 0
      sizes[position] = this.#sizes[i] ?? 0
    }
    const masks = this.#masks
    return {
      count,
      weight: gridSize * 12 + masks.size * 48,
      at: (position) => {
        const address = addresses[position] ?? -1
        if (address < 0) return undefined
        return { address, size: sizes[position] ?? 0, mask: masks.get(position) ?? 0 }
      },
    }
  }

  #sparse(): ChunkTable {
    const { positions, addresses, sizes } = this.#isSorted ? this.#cut() : this.#sorted()
    const masks = this.#masks
    return {
      count: positions.length,
      weight: positions.length * 20 + masks.size * 48,
      at: (position) => {
        const index = indexOfPosition(positions, position)
        if (index === undefined) return undefined
        return { address: addresses[index] ?? 0, size: sizes[index] ?? 0, mask: masks.get(position) ?? 0 }
      },
    }
  }

  #cut() {
    const count = this.#count
    return {
      positions: this.#positions.slice(0, count),
      addresses: this.#addresses.slice(0, count),
      sizes: this.#sizes.slice(0, count),
    }
  }

  #sorted() {
    const { positions, addresses, sizes } = this.#cut()
    const order = Uint32Array.from(positions, (_, i) => i).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0))
    return {
      positions: positions.slice().sort(),
      addresses: Float64Array.from(order, (i) => addresses[i] ?? 0),
      sizes: Uint32Array.from(order, (i) => sizes[i] ?? 0),
    }
  }
}

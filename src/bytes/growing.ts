/** Whole numbers in as few bytes each as they need. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** Whole numbers that come one by one: a typed array that doubles, of four bytes each until one is beyond them. */
export class GrowingNumbers {
  #values: Float64Array | Uint32Array = new Uint32Array(16)
  #length = 0
  #most = 2 ** 32 - 1

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (value > this.#most) this.#widen()
    if (this.#length === this.#values.length) this.#resize(this.#length * 2)
    this.#values[this.#length++] = value
  }

  at(index: number): number {
    return this.#values[index] ?? 0
  }

  /** A view, good until the next `push`. */
  view(): Float64Array | Uint32Array {
    return this.#values.subarray(0, this.#length)
  }

  #widen(): void {
    this.#most = Number.POSITIVE_INFINITY
    this.#resize(this.#values.length)
  }

  #resize(length: number): void {
    const wider = this.#most > 2 ** 32 ? new Float64Array(length) : new Uint32Array(length)
    wider.set(this.#values)
    this.#values = wider
  }
}

/** Bytes that come piece by piece. */
export class GrowingBytes {
  #bytes: Uint8Array = new Uint8Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(bytes: Uint8Array): void {
    const end = this.#length + bytes.length
    if (end > this.#bytes.length) {
      const wider = new Uint8Array(Math.max(end, this.#bytes.length * 2))
      wider.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = wider
    }
    this.#bytes.set(bytes, this.#length)
    this.#length = end
  }

  /** A view, good until the next `push`. */
  view(start: number, length: number): Uint8Array {
    return this.#bytes.subarray(start, Math.min(start + length, this.#length))
  }

  /** Gives back what is not used. */
  trim(): void {
    this.#bytes = this.finished()
  }

  /** All of it, in memory of its own size. */
  finished(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}

/** Zeros for so many whole numbers, none above `most`, in as few bytes as they need: in none where all are to be 0. */
export function numbersUpTo(most: number, length: number): Numbers {
  if (most === 0) return new Uint8Array(0)
  if (most < 2 ** 8) return new Uint8Array(length)
  if (most < 2 ** 16) return new Uint16Array(length)
  return most < 2 ** 32 ? new Uint32Array(length) : new Float64Array(length)
}

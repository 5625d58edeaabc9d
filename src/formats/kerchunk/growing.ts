/** Numbers that come one by one: a typed array that doubles. */
export class GrowingNumbers {
  #values: Float64Array | Uint32Array
  #length = 0

  constructor(kind: 'uint32' | 'float64') {
    this.#values = kind === 'uint32' ? new Uint32Array(16) : new Float64Array(16)
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const wider =
        this.#values instanceof Uint32Array ? new Uint32Array(this.#length * 2) : new Float64Array(this.#length * 2)
      wider.set(this.#values)
      this.#values = wider
    }
    this.#values[this.#length++] = value
  }

  at(index: number): number {
    return this.#values[index] ?? 0
  }

  set(index: number, value: number): void {
    this.#values[index] = value
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

/** The narrowest array that holds these whole numbers. */
export function narrowed(values: Float64Array | Uint32Array): Columns {
  let most = 0
  for (const value of values) if (value > most) most = value
  if (most < 2 ** 8) return Uint8Array.from(values)
  if (most < 2 ** 16) return Uint16Array.from(values)
  return most < 2 ** 32 ? (values instanceof Uint32Array ? values : Uint32Array.from(values)) : values
}

/** Whole numbers in as few bytes each as they need. */
export type Columns = Uint8Array | Uint16Array | Uint32Array | Float64Array

// FlatBuffers, "Internals" (flatbuffers.dev), written from front to back: what a table refers to follows it, and offsets are filled in then.

/** The fields that tables of one kind have: bytes of each by its number in the schema, 0 for one that is absent. */
export class FlatLayout {
  /** Where each field lies in the table. */
  readonly places: readonly number[]
  readonly size: number

  constructor(sizes: readonly number[]) {
    const places = sizes.map(() => 0)
    let at = 4
    // Longer numbers first, so that each stands at a multiple of its own length.
    for (const [slot, size] of [...sizes.entries()].sort(([, one], [, other]) => alignOf(other) - alignOf(one))) {
      if (size === 0) continue
      at = alignedTo(at, alignOf(size))
      places[slot] = at
      at += size
    }
    this.places = places
    this.size = at
  }
}

function alignOf(size: number): number {
  return size === 8 ? 8 : size === 4 ? 4 : 1
}

function alignedTo(at: number, align: number): number {
  return Math.ceil(at / align) * align
}

/** A buffer that grows while tables are put into it; the first one is the root. */
export class FlatWriter {
  #bytes = Buffer.alloc(1024)
  #length = 8
  readonly #vtables = new Map<FlatLayout, number>()

  constructor(identifier: string) {
    this.#bytes.write(identifier, 4, 'latin1')
  }

  /** A table whose fields are zero; the first is the root. */
  table(layout: FlatLayout): number {
    const vtable = this.#vtables.get(layout) ?? this.#vtable(layout)
    const at = this.#take(layout.size, 8)
    this.#bytes.writeInt32LE(at - vtable, at)
    if (this.#bytes.readUInt32LE(0) === 0) this.#bytes.writeUInt32LE(at, 0)
    return at
  }

  u8(at: number, value: number): void {
    this.#bytes.writeUInt8(value, at)
  }

  u32(at: number, value: number): void {
    this.#bytes.writeUInt32LE(value, at)
  }

  u64(at: number, value: number): void {
    this.#bytes.writeUInt32LE(value % 2 ** 32, at)
    this.#bytes.writeUInt32LE(Math.floor(value / 2 ** 32), at + 4)
  }

  bytes(at: number, value: Uint8Array): void {
    this.#bytes.set(value, at)
  }

  /** Lets an offset lead to a place behind it. */
  link(at: number, target: number): void {
    this.u32(at, target - at)
  }

  /** A vector of zeros that an offset leads to; where its elements begin, at a multiple of `align`. */
  vector(from: number, count: number, elementBytes: number, align = 4): number {
    const start = alignedTo(this.#length + 4, align)
    this.#take(start - this.#length + count * elementBytes, 1)
    this.u32(start - 4, count)
    this.link(from, start - 4)
    return start
  }

  /** Bytes that an offset leads to, with the zero behind them that strings have. */
  blob(from: number, value: Uint8Array): void {
    const start = this.vector(from, value.length, 1)
    this.bytes(start, value)
    this.#take(1, 1)
  }

  finished(): Uint8Array {
    return this.#bytes.subarray(0, alignedTo(this.#length, 8))
  }

  #vtable(layout: FlatLayout): number {
    const length = 4 + layout.places.length * 2
    const at = this.#take(length, 2)
    this.#bytes.writeUInt16LE(length, at)
    this.#bytes.writeUInt16LE(layout.size, at + 2)
    for (const [slot, place] of layout.places.entries()) this.#bytes.writeUInt16LE(place, at + 4 + slot * 2)
    this.#vtables.set(layout, at)
    return at
  }

  /** So many zeros at a multiple of a number. */
  #take(length: number, align: number): number {
    const at = alignedTo(this.#length, align)
    this.#length = at + length
    // Room for what `finished` fills up.
    if (this.#length + 8 > this.#bytes.length) {
      const wider = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#length + 8))
      wider.set(this.#bytes)
      this.#bytes = wider
    }
    return at
  }
}

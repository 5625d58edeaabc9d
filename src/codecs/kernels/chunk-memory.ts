// Lends the memory of one chunk to the next, since the system zeroes each page of new memory when it is first touched. LZ4 decodes 2,353 MB/s with it and
// 991 without it under the image's settings of the allocator (docs/performance.md); `npm run bench decoders` shows the first of the two.

/** Shorter results take what the allocator has at hand; what codecs keep from chunk to chunk is shorter, too. */
const SHORTEST_BYTES = 2 ** 16
/** Of one thread: some results of a long chunk. */
const MOST_KEPT_BYTES = 2 ** 24

/**
 * Memory for what codecs make of a chunk. Within a task (`begin`, `end`), which is all that a thread does at a time, the memory of an
 * earlier task is lent again. Outside of tasks all memory is new.
 */
class ChunkMemory {
  /** Lent in this task, or in this part of it; undefined outside of tasks. */
  #lent: ArrayBuffer[] | undefined
  /** What was used last is last. */
  readonly #kept: ArrayBuffer[] = []

  /** Bytes that are about to be written over completely, for a result that nobody keeps beyond the task. */
  take(length: number): Uint8Array<ArrayBuffer> {
    return this.#used(length) ?? this.#new(length)
  }

  /** The same for results of which something may stay zero. */
  zeros(length: number): Uint8Array<ArrayBuffer> {
    return this.#used(length)?.fill(0) ?? this.#new(length)
  }

  /** A copy in such memory. */
  copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const copy = this.take(bytes.length)
    copy.set(bytes)
    return copy
  }

  begin(): void {
    this.#lent = []
  }

  /** `isOver`: nothing of the task goes on. What was given to another thread has left this one. */
  end(isOver: boolean): void {
    const lent = this.#lent ?? []
    this.#lent = undefined
    if (isOver) this.#keep(lent)
  }

  /** A part of a task, alone at work, of which nothing is needed after it. Outside of tasks it is any other work. */
  async during(part: () => Promise<void>): Promise<void> {
    const before = this.#lent
    if (before === undefined) return await part()
    const lent: ArrayBuffer[] = []
    this.#lent = lent
    // Where it fails all that the task has lent is let go.
    await part()
    this.#lent = before
    this.#keep(lent)
  }

  #keep(lent: readonly ArrayBuffer[]): void {
    this.#kept.push(...lent.filter(({ byteLength }) => byteLength > 0))
    let bytes = bytesOf(this.#kept)
    while (bytes > MOST_KEPT_BYTES) bytes -= this.#kept.shift()?.byteLength ?? 0
  }

  #used(length: number): Uint8Array<ArrayBuffer> | undefined {
    const place = this.#lent === undefined ? -1 : this.#kept.findLastIndex(({ byteLength }) => byteLength === length)
    const [buffer] = place < 0 ? [] : this.#kept.splice(place, 1)
    if (buffer === undefined) return undefined
    this.#lent?.push(buffer)
    return new Uint8Array(buffer)
  }

  #new(length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length)
    // What a task takes beyond is garbage as soon as nobody needs it.
    const isLent = length >= SHORTEST_BYTES && length + bytesOf(this.#lent ?? []) <= MOST_KEPT_BYTES
    if (isLent) this.#lent?.push(bytes.buffer)
    return bytes
  }
}

function bytesOf(buffers: readonly ArrayBuffer[]): number {
  return buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** That of this thread. */
export const chunkMemory = new ChunkMemory()

/**
 * Parts of an index or a table that is not held whole: those used last, up to a number of bytes. The newest one stays, whatever
 * its size: somebody is about to use it. A class, since it remembers.
 */
export class RecentParts<Key, Part> {
  readonly #mostBytes: number
  readonly #bytesOf: (part: Part) => number
  /** In the order of last use. */
  readonly #parts = new Map<Key, Part>()
  readonly #loading = new Map<Key, Promise<Part>>()
  #weight = 0

  constructor(mostBytes: number, bytesOf: (part: Part) => number) {
    this.#mostBytes = mostBytes
    this.#bytesOf = bytesOf
  }

  /** Bytes of memory held. */
  get weight(): number {
    return this.#weight
  }

  /** What is there, the one used last at the end. */
  entries(): readonly (readonly [Key, Part])[] {
    return [...this.#parts]
  }

  readonly get = (key: Key): Part | undefined => {
    const part = this.#parts.get(key)
    if (part === undefined) return undefined
    this.#parts.delete(key)
    this.#parts.set(key, part)
    return part
  }

  put(key: Key, part: Part): void {
    if (this.#parts.has(key)) return
    this.#parts.set(key, part)
    this.#weight += this.#bytesOf(part)
    for (const [oldest, old] of this.#parts) {
      if (this.#weight <= this.#mostBytes || oldest === key) break
      this.#parts.delete(oldest)
      this.#weight -= this.#bytesOf(old)
    }
  }

  /** A part that is read where it is not there; no promise where it is. Who asks at the same time shares one reading. */
  load(key: Key, read: (key: Key) => Promise<Part>, signal?: AbortSignal): Part | Promise<Part> {
    const part = this.get(key)
    if (part !== undefined) return part
    const loading = this.#loading.get(key)
    if (loading !== undefined) return loading
    const reading = this.#read(key, read)
    // Who waits for a part must not inherit another one's abort: only what is read without a signal is shared.
    if (signal !== undefined) return reading
    this.#loading.set(key, reading)
    return reading.finally(() => this.#loading.delete(key))
  }

  clear(): void {
    this.#parts.clear()
    this.#weight = 0
  }

  async #read(key: Key, read: (key: Key) => Promise<Part>): Promise<Part> {
    const part = await read(key)
    this.put(key, part)
    return part
  }
}

/** Goes on at once where a value is there already. */
export function after<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Many values that may be there already: a promise only where one of them is. */
export function afterAll<Value>(
  values: readonly (Value | Promise<Value>)[],
): readonly Value[] | Promise<readonly Value[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly Value[])
}

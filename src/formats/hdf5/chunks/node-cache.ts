/** What one array keeps of its index between chunks: a way from the root to a leaf, and the last leaves. */
const MOST_BYTES = 524_288
/** Bytes that keeping a node costs besides its content. */
const OVERHEAD = 200

/** The nodes that were used last, copied out of what they were read with. */
export class NodeCache {
  readonly #nodes = new Map<number, Uint8Array>()
  #weight = 0

  get weight(): number {
    return this.#weight
  }

  readonly get = (address: number): Uint8Array | undefined => {
    const node = this.#nodes.get(address)
    if (node === undefined) return undefined
    this.#nodes.delete(address)
    this.#nodes.set(address, node)
    return node
  }

  put(address: number, bytes: Uint8Array): void {
    if (this.#nodes.has(address)) return
    this.#nodes.set(address, bytes.slice())
    this.#weight += bytes.length + OVERHEAD
    for (const [oldest, node] of this.#nodes) {
      // The newest one stays, whatever its size: somebody is about to use it.
      if (this.#weight <= MOST_BYTES || oldest === address) break
      this.#nodes.delete(oldest)
      this.#weight -= node.length + OVERHEAD
    }
  }

  clear(): void {
    this.#nodes.clear()
    this.#weight = 0
  }
}

import type { ChunkIndex } from '../model/chunk-index.ts'
import type { VirtualNode } from '../model/virtual-store.ts'

/** What an opened source takes in memory, roughly: chunk indexes know exactly, the rest is estimated. */
export class SourceWeight {
  #bytes = 4096
  /** What indexes weighed when they were last looked at: lazy ones load more of themselves. */
  readonly #indexes = new WeakMap<ChunkIndex, number>()

  constructor(root: VirtualNode) {
    this.#addTree(root)
  }

  get bytes(): number {
    return this.#bytes
  }

  add(bytes: number): void {
    this.#bytes += bytes
  }

  /**
   * Weighs an index anew; true where it weighs something else. One that is new here is of a view, which is made of an index that
   * was weighed. What several requests have waited for counts once.
   */
  weighAgain(chunks: ChunkIndex): boolean {
    const weight = chunks.weight()
    const before = this.#indexes.get(chunks)
    if (before === weight) return false
    this.#indexes.set(chunks, weight)
    if (before === undefined) return false
    this.#bytes += weight - before
    return true
  }

  #addTree(node: VirtualNode): void {
    this.#bytes += (node.kind === 'array' ? 2000 : 500) + node.attributes.size * 200
    if (node.kind === 'array') {
      const weight = node.chunks.weight()
      this.#indexes.set(node.chunks, weight)
      this.#bytes += weight
      return
    }
    for (const member of node.members.values()) {
      if (member.kind === 'skipped') this.#bytes += 200
      else this.#addTree(member)
    }
  }
}

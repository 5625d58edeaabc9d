import { elementCount } from '../../model/shape.ts'
import type { ArrayNode } from '../open-store.ts'
import type { StoreDescription } from '../store-service.ts'
import type { LeftOut } from './plan.ts'
import type { ExportedArray } from './references.ts'

/** How far an export is, for who waits for it: chunks looked up, of those of the served arrays. */
export class ExportProgress {
  /** What the export leaves out, with the reasons. */
  readonly leftOut: LeftOut = {}
  readonly #of: number
  #node: ArrayNode | undefined
  #before = 0
  #array = 0
  #part = 0

  constructor({ store }: StoreDescription) {
    let count = 0
    for (const node of store.nodes.values()) if (node.kind === 'array') count += elementCount(node.grid)
    this.#of = count
  }

  /** An array whose references are looked up next; each of them counts. An export's own grid may have other chunks. */
  counted(node: ArrayNode, exported: ExportedArray): ExportedArray {
    // One that is tried a second way is the same array.
    if (node !== this.#node) this.#before += this.#array
    this.#node = node
    this.#array = elementCount(node.grid)
    this.#part = 0
    const each = 1 / Math.max(1, elementCount(exported.gridShape))
    return {
      ...exported,
      reference: (coords) => {
        this.#part += each
        return exported.reference(coords)
      },
    }
  }

  get soFar(): { readonly read: number; readonly of: number } {
    const read = this.#before + Math.min(1, this.#part) * this.#array
    return { read: Math.min(this.#of, Math.round(read)), of: this.#of }
  }
}

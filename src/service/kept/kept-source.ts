import type { ManifestStore } from '../../manifests/manifests.ts'
import type { Sources } from '../../source/source.ts'
import { turn } from '../../turns.ts'
import { digest } from '../document.ts'
import type { ParsedSource } from '../open-source.ts'
import { encodeBody, encodeHead, headOf, type KeptHead } from './entry.ts'

/** Documents of roots that are kept with a source: those of so many views, and no longer than this together. */
const MOST_ROOTS = 8
const MOST_ROOT_BYTES = 32 * 2 ** 20
/** An index grows chunk by chunk: it is written when nothing came for a while, or is closed. */
const GROWN_MILLISECONDS = 5000

export interface KeptSourceInput {
  readonly manifests: ManifestStore
  readonly sources: Sources
  /** Of the head. */
  readonly name: string
  readonly parsed: ParsedSource
  /** What is kept of it already, where it comes from there. */
  readonly head: KeptHead | undefined
}

/** An opened source as it is kept: written once it is parsed, and again when more of it is known. One writing at a time. */
export class KeptSource {
  readonly #input: KeptSourceInput
  readonly #roots: Map<string, Uint8Array>
  #body: string | undefined
  #canBeKept = true
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #hasGrown = false

  constructor(input: KeptSourceInput) {
    this.#input = input
    this.#roots = new Map(input.head?.roots)
    this.#body = input.head?.body
  }

  /** Writes everything; resolves when others can read it, or it is known that it can't be kept. */
  async write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      this.#body = undefined
      await this.#write()
    })
    await this.#writing
  }

  /** The document of the root in a view, which the next process can answer with before it has looked at the tree. */
  async addRoot(view: string, document: Uint8Array): Promise<void> {
    const total = [...this.#roots.values()].reduce((sum, { length }) => sum + length, document.length)
    if (this.#roots.has(view) || this.#roots.size >= MOST_ROOTS || total > MOST_ROOT_BYTES) return
    this.#roots.set(view, document)
    this.#writing = this.#writing.then(() => this.#write())
    await this.#writing
  }

  /** More of an index was read: it is worth writing when that comes to an end. */
  grown(onWritten: () => void): void {
    this.#hasGrown = true
    const write = async () => {
      await this.flush()
      if (!this.#hasGrown) onWritten()
    }
    this.#timer ??= setTimeout(() => void write(), GROWN_MILLISECONDS).unref()
  }

  /** Writes what is still to be written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#hasGrown) {
      this.#hasGrown = false
      await this.write()
    } else await this.#writing
  }

  async #write(): Promise<void> {
    if (!this.#canBeKept) return
    const { manifests, sources, name, parsed } = this.#input
    try {
      const head = headOf(parsed, sources)
      this.#body ??= await this.#writeBody()
      // What no place takes leaves what they had.
      if (this.#body === undefined) return
      const wait = turn()
      if (wait !== undefined) await wait
      await manifests.put(name, encodeHead({ ...head, body: this.#body, roots: this.#roots }))
    } catch (error) {
      // `NotWritten`, or a mistake of ours: it costs the keeping, and no answer.
      this.#canBeKept = false
      manifests.skipped(error)
    }
  }

  async #writeBody(): Promise<string | undefined> {
    const { manifests, parsed } = this.#input
    const body = await encodeBody(parsed)
    const name = manifests.nameOf('body', digest(body))
    return (await manifests.put(name, body)) ? name : undefined
  }
}

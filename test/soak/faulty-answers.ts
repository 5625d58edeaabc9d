import { setTimeout } from 'node:timers'
import { type FaultCase, isVerdict } from '../faults/faults.ts'
import type { Fault, Origin, SeenRequest } from '../helpers/origin.ts'
import { randoms } from '../helpers/randoms.ts'

const SHARE = 0.1
/** Requests to a copy that is no longer asked for may still be under way. */
const STAYS_MILLISECONDS = 60_000

interface Attacked {
  /** The one file that can't be absent or refused for a moment: of others that is an answer, which may be kept. */
  readonly source: string
  readonly faults: string[]
}

/** Lets one answer of ten go wrong, in the folders that are under attack. */
export class FaultyAnswers {
  readonly #folders = new Map<string, Attacked>()
  readonly #faults: readonly FaultCase[]
  readonly #random: () => number
  readonly #counts = { answers: 0, faults: 0 }

  constructor(origin: Origin, faults: readonly FaultCase[], seed: number) {
    this.#faults = faults
    const numbers = randoms(seed + 1)
    this.#random = () => numbers.next().value / 2 ** 32
    origin.faultOf = (request) => this.#next(request)
    // What is counted for tests of single requests would grow for ever.
    setInterval(() => origin.forget(), 1000).unref()
  }

  get counts(): { readonly answers: number; readonly faults: number } {
    return this.#counts
  }

  attack(folder: string, way: string, source: string): void {
    this.#folders.set(folder, { source, faults: [way] })
  }

  /** What went wrong in a folder last. */
  of(folder: string): readonly string[] {
    return this.#folders.get(folder)?.faults ?? []
  }

  spare(folder: string, remove: () => void): void {
    const end = () => {
      this.#folders.delete(folder)
      remove()
    }
    setTimeout(end, STAYS_MILLISECONDS).unref()
  }

  #next({ path, headers }: SeenRequest): Fault | undefined {
    const slash = path.indexOf('/', 1)
    const attacked = this.#folders.get(path.slice(1, slash))
    if (attacked === undefined) return undefined
    this.#counts.answers++
    if (this.#random() >= SHARE) return undefined
    const one = this.#faults[Math.floor(this.#random() * this.#faults.length)]
    if (one === undefined || (isVerdict(one) && path.slice(slash + 1) !== attacked.source)) return undefined
    this.#counts.faults++
    attacked.faults.push(`${one.name} of ${path.slice(slash + 1)} ${headers['range'] ?? ''}`)
    if (attacked.faults.length > 12) attacked.faults.splice(1, 1)
    return one.fault
  }
}

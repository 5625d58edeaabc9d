import { type Numbers, uniqueName } from '../model/unique-name.ts'
import type { Diagnostic, VirtualArray } from '../model/virtual-store.ts'
import { type DimensionScope, INVENTED } from './dimension-scope.ts'

export interface GroupNamingInput {
  /** Dimensions of the groups above. */
  readonly above: DimensionScope
  readonly arrays: readonly (readonly [string, VirtualArray])[]
  readonly sharedLengths: boolean
  warn(diagnostic: Diagnostic): void
}

/** The dimension names of one group while they are being given. */
export class GroupNaming {
  /** How long the dimensions named so far are. */
  readonly lengths = new Map<string, number>()
  readonly #input: GroupNamingInput
  /** Names that mean something already: those of the source, and those that a scalar variable keeps from being a dimension. */
  readonly #given = new Set<string>()
  readonly #scalars = new Set<string>()
  readonly #renamed = new Map<string, string[]>()
  readonly #numbers: Numbers = new Map()
  readonly #inventedByLength = new Map<number, string[]>()
  #inventedCount = 0

  constructor(input: GroupNamingInput) {
    this.#input = input
    for (const [name, { shape, dimensionNames }] of input.arrays) {
      if (shape.length === 0) this.#scalars.add(name)
      for (const given of dimensionNames ?? []) if (given !== null) this.#given.add(given)
    }
  }

  /** The source's own names, changed where they break a rule; null where it has none. */
  sourceNames(array: VirtualArray, path: string): readonly (string | null)[] {
    const names: (string | null)[] = []
    array.shape.forEach((length, axis) => {
      const given = array.dimensionNames?.[axis] ?? ''
      const name = given === '' ? null : this.#fitting(given, length, names)
      if (name !== null) this.lengths.set(name, length)
      if (name !== null && name !== given) {
        const message = `dimension ${given} of axis ${axis} is served as ${name}: the name stands for something else here`
        this.#input.warn({ code: 'dimension-renamed', message, path })
      }
      names.push(name)
    })
    return names
  }

  /** All names, the missing ones invented; to be asked for when the source's names of the whole group are known. */
  completed(array: VirtualArray, names: readonly (string | null)[]): readonly string[] {
    const completed: string[] = []
    array.shape.forEach((length, axis) => {
      const used = new Set([...names, ...completed])
      completed.push(names[axis] ?? this.#invent(length, used))
    })
    return completed
  }

  #fitting(given: string, length: number, used: readonly (string | null)[]): string {
    if (this.#fits(given, length) && !used.includes(given)) return given
    const key = `${length} ${given}`
    const earlier = this.#renamed.get(key) ?? []
    const again = earlier.find((name) => !used.includes(name))
    if (again !== undefined) return again
    const isTaken = (name: string) => this.#given.has(name) || used.includes(name) || !this.#fits(name, length)
    const name = uniqueName(given, { has: isTaken }, this.#numbers)
    this.#renamed.set(key, [...earlier, name])
    return name
  }

  /** Xarray refuses a dimension that is called like a scalar variable of its group. */
  #fits(name: string, length: number): boolean {
    if (!this.#input.sharedLengths) return true
    return !this.#scalars.has(name) && (this.lengths.get(name) ?? length) === length
  }

  #invent(length: number, used: ReadonlySet<string | null>): string {
    const known = this.#invented(length)
    let name = known.find((candidate) => !used.has(candidate) && !this.#isMeant(candidate))
    while (name === undefined) {
      const candidate = `${INVENTED}${this.#inventedCount++}`
      if (this.#isMeant(candidate) || this.#input.above.lengthOf(candidate) !== undefined) continue
      known.push(candidate)
      name = candidate
    }
    this.lengths.set(name, length)
    return name
  }

  #isMeant(name: string): boolean {
    return this.#given.has(name) || this.#scalars.has(name)
  }

  #invented(length: number): string[] {
    const known = this.#inventedByLength.get(length) ?? [...this.#input.above.invented(length)]
    this.#inventedByLength.set(length, known)
    return known
  }
}

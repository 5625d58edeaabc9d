import type { DeliveryWorld } from '../../delivery/delivery.ts'
import { isVirtualZarrError, malformed } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { attributeDifference, meaningDifference, shapeDifference, typeText } from '../../joins/differences.ts'
import { refuse } from '../../joins/fit.ts'
import type { OpenPart } from '../../joins/parts.ts'
import { areSameTimes, areTimesApart, TIME_ATTRIBUTES } from '../../joins/times/same-times.ts'
import { calendarDifference, timesOf } from '../../joins/times-of.ts'
import { type PartTree, splitPath } from '../../joins/tree.ts'
import { itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { Diagnostic, VirtualArray } from '../../model/virtual-store.ts'
import { readMember } from './read-whole.ts'

/** Coordinates of other dimensions must be equal, however long; other variables are compared while they are short. */
const MOST_COORDINATE_BYTES = 2 ** 22
const MOST_OTHER_BYTES = 2 ** 16
/** Variables of one source that are read at the same time. */
const COMPARED_AT_ONCE = 8

/** Variables that sources share: those of one are served, so that those of all others must be equal. */
export class SharedValues {
  readonly #first: OpenPart
  readonly #paths: readonly string[]
  readonly #world: DeliveryWorld
  readonly #known: Map<string, Promise<Uint8Array>>
  readonly #compared: WeakSet<PartTree>

  constructor(
    first: OpenPart,
    shared: readonly string[],
    world: DeliveryWorld,
    warn: (diagnostic: Diagnostic) => void,
    before?: SharedValues,
  ) {
    this.#first = first
    this.#world = world
    const comparable = (path: string) => isComparable(first.tree.arrays.get(path), path)
    this.#paths = shared.filter(comparable)
    // What was compared before the sources were joined need not be again.
    const isSame = before !== undefined && before.#paths.join('\n') === this.#paths.join('\n')
    this.#known = isSame ? before.#known : new Map()
    this.#compared = isSame ? before.#compared : new WeakSet()
    const others = shared.filter((path) => !comparable(path) && first.tree.arrays.get(path)?.kind === 'array')
    if (others.length === 0) return
    const message = `${others.join(', ')}: without the joined dimension, taken from ${first.tree.url} and not compared with the other sources`
    warn({ code: 'join-from-first', message })
  }

  /** Compares while what was read with the header is at hand; a difference is told when the source is joined. */
  async foresee(part: OpenPart): Promise<void> {
    try {
      await this.compare(part)
    } catch (error) {
      if (!isVirtualZarrError(error)) throw error
    }
  }

  /** Throws where a source has other values than the first. `world` reads this source alone; without it the join's does. */
  async compare(part: OpenPart, world?: DeliveryWorld): Promise<void> {
    if (part.tree === this.#first.tree || this.#compared.has(part.tree)) return
    await inParallel(this.#paths, COMPARED_AT_ONCE, (path) => this.#compareOne(path, part, world))
    this.#compared.add(part.tree)
  }

  async #compareOne(path: string, part: OpenPart, world?: DeliveryWorld): Promise<void> {
    const [one, other] = [this.#first, part].map(({ tree }) => tree.arrays.get(path))
    // What only one of them has is no contradiction.
    if (one?.kind !== 'array' || other?.kind !== 'array') return
    const [left, right] = [this.#first.tree.url, part.tree.url]
    const areTimes = areTimesApart({ tree: this.#first.tree, array: one }, { tree: part.tree, array: other }, path)
    const areSame = areTimes
      ? await this.#areSameTimes(path, one, other, part, world)
      : await this.#areSameBytes(path, one, other, part, world)
    if (!areSame) throw malformed(`the values of ${path} differ between ${left} and ${right}`, { path })
  }

  async #areSameBytes(
    path: string,
    one: VirtualArray,
    other: VirtualArray,
    part: OpenPart,
    world: DeliveryWorld | undefined,
  ): Promise<boolean> {
    const difference =
      calendarDifference(timesOf(this.#first.tree, path), timesOf(part.tree, path)) ??
      shapeDifference(one, other) ??
      typeDifference(one, other) ??
      meaningDifference(one, other) ??
      attributeDifference(one, other)
    refuse({ path, firstUrl: this.#first.tree.url }, part.tree, difference)
    const [values, own] = await this.#bothValues(path, one, other, part, world)
    return Buffer.compare(values, own) === 0
  }

  /** Times that count from other dates, in other units or types, compared as times. */
  async #areSameTimes(
    path: string,
    one: VirtualArray,
    other: VirtualArray,
    part: OpenPart,
    world: DeliveryWorld | undefined,
  ): Promise<boolean> {
    const { tree } = this.#first
    const difference = shapeDifference(one, other) ?? meaningDifference(one, other, TIME_ATTRIBUTES)
    refuse({ path, firstUrl: tree.url }, part.tree, difference)
    const [values, own] = await this.#bothValues(path, one, other, part, world)
    const [left, right] = [timesOf(tree, path)?.parsed, timesOf(part.tree, path)?.parsed]
    if (left === undefined || right === undefined) return false
    return areSameTimes({ array: one, units: left, bytes: values }, { array: other, units: right, bytes: own })
  }

  async #bothValues(
    path: string,
    one: VirtualArray,
    other: VirtualArray,
    part: OpenPart,
    world: DeliveryWorld | undefined,
  ): Promise<[Uint8Array, Uint8Array]> {
    return await Promise.all([
      this.#valuesOfFirst(path, () => this.#read(one, this.#first)),
      this.#read(other, part, world),
    ])
  }

  async #valuesOfFirst(key: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const reading = this.#known.get(key) ?? read()
    this.#known.set(key, reading)
    return await reading
  }

  async #read(array: VirtualArray, part: OpenPart, world?: DeliveryWorld): Promise<Uint8Array> {
    try {
      return await readMember(part, array, world ?? this.#world)
    } catch (error) {
      // Texts that lie in a heap of their own can't be put on another grid.
      if (isVirtualZarrError(error, 'unsupported-feature')) return new Uint8Array(0)
      throw error
    }
  }
}

function typeDifference(one: VirtualArray, other: VirtualArray) {
  const [left, right] = [typeText(one.dataType), typeText(other.dataType)]
  return left === right ? undefined : { what: 'the data type', one: left, other: right }
}

function isComparable(
  array: PartTree['arrays'] extends ReadonlyMap<string, infer Item> ? Item | undefined : never,
  path: string,
): boolean {
  if (array?.kind !== 'array') return false
  const length = elementCount(array.shape) * (itemSize(array.dataType) ?? 16)
  const isIndex = array.shape.length === 1 && array.dimensionNames?.[0] === splitPath(path).name
  return length <= (isIndex ? MOST_COORDINATE_BYTES : MOST_OTHER_BYTES)
}

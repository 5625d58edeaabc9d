import { copyBox, filledElements } from '../../codecs/elements.ts'
import { malformed, overLimit } from '../../errors.ts'
import { itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import type { Found } from '../common-meaning.ts'
import { shapeDifference } from '../differences.ts'
import type { Pattern } from '../fit.ts'
import { numberScalar } from '../packing.ts'
import type { PartTree } from '../tree.ts'
import { arrayAtHand } from './coordinate.ts'
import type { Run } from './labels.ts'
import { boxesOf } from './padded.ts'

/** What is put together of many sources in memory. */
const MOST_BYTES = 2 ** 22

/** A variable that sources share, under coordinates of which each has some: where two have a point, its value is one. */
export class SharedCanvas {
  readonly #pattern: Pick<Pattern, 'path' | 'first' | 'firstUrl' | 'meaning'>
  readonly #found: readonly Found[]
  readonly #shape: readonly number[]
  readonly #size: number
  readonly #bytes: Uint8Array
  /** By point, the number of the source that said its value, from 1. */
  readonly #saidBy: Uint32Array
  readonly #urls: string[] = []

  constructor(
    pattern: Pick<Pattern, 'path' | 'first' | 'firstUrl' | 'meaning'>,
    found: readonly Found[],
    shape: readonly number[],
  ) {
    const { path, meaning } = pattern
    const size = itemSize(meaning.dataType)
    const count = elementCount(shape)
    if (size === undefined || count * size > MOST_BYTES) {
      throw overLimit(
        `${path} is without the joined dimension and can not be put together here: at most ${MOST_BYTES} bytes of numbers are; drop leaves it out`,
        { path },
      )
    }
    const isFloat = meaning.dataType.kind === 'float'
    const sentinel = meaning.sentinels[0] ?? (isFloat ? numberScalar(Number.NaN, meaning.dataType) : undefined)
    const canvas = filledElements({ shape, dataType: meaning.dataType }, sentinel)
    this.#pattern = pattern
    this.#found = found
    this.#shape = shape
    this.#size = size
    this.#bytes = canvas.kind === 'fixed' ? canvas.bytes : new Uint8Array(0)
    this.#saidBy = new Uint32Array(count)
  }

  /** Throws where a source has other dimensions. */
  check(tree: PartTree, array: VirtualArray, axes: readonly (string | undefined)[]): void {
    const { path, first, firstUrl } = this.#pattern
    const difference = shapeDifference(first, array, (axis) => axes[axis] !== undefined)
    if (difference === undefined) return
    const { what, one, other } = difference
    throw malformed(`${what} of ${path} is ${one} in ${firstUrl} and ${other} in ${tree.url}`, { path })
  }

  /** Puts down the values of a source; throws where another has said otherwise. */
  put(
    { url }: PartTree,
    shape: readonly number[],
    bytes: Uint8Array,
    runs: readonly (readonly Run[] | undefined)[],
  ): void {
    const number = this.#urls.push(url)
    const own = filledElements({ shape: this.#shape, dataType: this.#pattern.meaning.dataType })
    const says = new Uint8Array(this.#saidBy.length)
    const ones = new Uint8Array(elementCount(shape)).fill(1)
    for (const box of boxesOf(shape, runs)) {
      const copy = {
        from: box.map(({ from }) => from),
        to: box.map(({ to }) => to),
        extent: box.map((run) => run.length),
      }
      copyBox({ kind: 'fixed', bytes }, shape, own, this.#shape, copy, this.#size)
      copyBox({ kind: 'fixed', bytes: ones }, shape, { kind: 'fixed', bytes: says }, this.#shape, copy, 1)
    }
    if (own.kind === 'fixed') this.#take(number, own.bytes, says)
  }

  #take(number: number, own: Uint8Array, says: Uint8Array): void {
    const size = this.#size
    for (let place = 0; place < says.length; place++) {
      if (says[place] === 0) continue
      const value = own.subarray(place * size, (place + 1) * size)
      const before = this.#saidBy[place] ?? 0
      if (before === 0) {
        this.#bytes.set(value, place * size)
        this.#saidBy[place] = number
      } else if (Buffer.compare(value, this.#bytes.subarray(place * size, (place + 1) * size)) !== 0) {
        const { path } = this.#pattern
        const [one, other] = [this.#urls[before - 1], this.#urls[number - 1]]
        throw malformed(`the values of ${path} differ between ${one} and ${other}`, { path })
      }
    }
  }

  /** The variable, once all sources have said their part; throws where no value says that nobody did. */
  finished(): VirtualArray {
    const { path, meaning } = this.#pattern
    const isWhole = this.#saidBy.every((number) => number > 0)
    if (!isWhole && meaning.sentinels.length === 0 && meaning.dataType.kind !== 'float') {
      throw malformed(`${path} would be padded, and no value of it says that it is missing`, { path })
    }
    return arrayAtHand(this.#pattern, this.#found, this.#shape, this.#bytes)
  }
}

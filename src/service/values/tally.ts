import { isLong, type Numbers } from '../../codecs/numbers.ts'
import type { DataType } from '../../model/data-type.ts'

/** No date or duration, as NumPy has it. */
const NOT_A_TIME = -(2n ** 63n)

/** Counts, compares and adds numbers that are not missing. */
export class Tally {
  missing = 0
  valid = 0
  least: number | bigint | undefined
  greatest: number | bigint | undefined
  readonly #sentinels: readonly (number | bigint)[]
  /** The sum, and what rounding has taken off it (Neumaier's algorithm). */
  #sum = 0
  #lost = 0
  /** What is not finite has no part that could be lost. */
  #infinite = 0
  /** Of whole numbers of 64 bits, exactly. */
  #whole = 0n

  constructor(type: DataType, sentinels: ReadonlySet<number | bigint>) {
    const isTime = type.kind === 'datetime' || type.kind === 'timedelta'
    this.#sentinels = [...sentinels, ...(isTime ? [NOT_A_TIME] : [])]
  }

  add(numbers: Numbers): void {
    if (isLong(numbers)) this.#addWhole(numbers)
    else this.#addNumbers(numbers)
  }

  /** NaN where infinities of both signs were added, as NumPy has it. */
  get mean(): number | undefined {
    if (this.valid === 0) return undefined
    if (this.#whole !== 0n) return Number(this.#whole) / this.valid
    return (this.#infinite === 0 ? this.#sum + this.#lost : this.#infinite) / this.valid
  }

  #addNumbers(numbers: Exclude<Numbers, BigInt64Array | BigUint64Array>): void {
    let least = typeof this.least === 'number' ? this.least : Number.POSITIVE_INFINITY
    let greatest = typeof this.greatest === 'number' ? this.greatest : Number.NEGATIVE_INFINITY
    let [sum, lost, valid] = [this.#sum, this.#lost, 0]
    for (let i = 0; i < numbers.length; i++) {
      const value = numbers[i] ?? 0
      if (Number.isNaN(value) || this.#sentinels.includes(value)) continue
      valid++
      if (value < least) least = value
      if (value > greatest) greatest = value
      if (!Number.isFinite(value)) {
        this.#infinite += value
        continue
      }
      const next = sum + value
      lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
      sum = next
    }
    this.#sum = sum
    this.#lost = lost
    this.#counted(numbers.length, valid, least, greatest)
  }

  #addWhole(numbers: BigInt64Array | BigUint64Array): void {
    let { least, greatest } = this
    let valid = 0
    for (const value of numbers) {
      if (this.#sentinels.includes(value)) continue
      valid++
      if (least === undefined || value < least) least = value
      if (greatest === undefined || value > greatest) greatest = value
      this.#whole += value
    }
    if (least !== undefined && greatest !== undefined) this.#counted(numbers.length, valid, least, greatest)
    else this.missing += numbers.length
  }

  #counted(count: number, valid: number, least: number | bigint, greatest: number | bigint): void {
    this.missing += count - valid
    this.valid += valid
    if (this.valid === 0) return
    this.least = least
    this.greatest = greatest
  }
}

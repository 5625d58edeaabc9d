// ITU-T T.87 (JPEG-LS), annex A: the samples of one scan, by context and by runs.
import { malformed } from '../../errors.ts'
import { JpegLsBits } from './jpegls-bits.ts'

/** What a scan's samples are coded with (C.2.4.1). */
export interface ScanCoding {
  readonly maximum: number
  /** How far a sample may be from the original. */
  readonly near: number
  readonly thresholds: readonly [number, number, number]
  readonly reset: number
}

/** The rows of one component: the one above and the one being decoded, with a place before and one behind (A.2.1). */
export interface Rows {
  above: Int32Array
  row: Int32Array
  runIndex: number
}

/** Orders of run lengths (A.7.1.2). */
const RUN_ORDERS = [
  0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15,
]
const CONTEXTS = 365
const MOST_RUN_INDEX = 31
const MOST_SHIFT = 24

/** A class, since contexts are adapted from sample to sample. */
export class JpegLsScan {
  readonly #bits: JpegLsBits
  readonly #coding: ScanCoding
  readonly #range: number
  readonly #rangeBits: number
  readonly #limit: number
  readonly #step: number
  readonly #gradients: Int8Array
  // Of the contexts, and of the two for samples that end a run (A.2.1).
  readonly #sums: Int32Array
  readonly #counts: Int32Array
  readonly #biases = new Int32Array(CONTEXTS)
  readonly #corrections = new Int32Array(CONTEXTS)
  readonly #negatives = new Int32Array(2)

  constructor(bytes: Uint8Array, coding: ScanCoding) {
    const { maximum, near } = coding
    this.#bits = new JpegLsBits(bytes)
    this.#coding = coding
    this.#step = 2 * near + 1
    this.#range = Math.floor((maximum + 2 * near) / this.#step) + 1
    this.#rangeBits = Math.ceil(Math.log2(this.#range))
    const bits = Math.max(2, Math.ceil(Math.log2(maximum + 1)))
    this.#limit = 2 * (bits + Math.max(8, bits))
    this.#sums = new Int32Array(CONTEXTS + 2).fill(Math.max(2, Math.floor((this.#range + 32) / 64)))
    this.#counts = new Int32Array(CONTEXTS + 2).fill(1)
    this.#gradients = gradientsOf(coding)
  }

  /** Bytes up to what follows the scan. */
  end(): number {
    return this.#bits.end()
  }

  /** One row of the components that are coded together, sample by sample. */
  decodeRow(components: readonly Rows[], width: number): void {
    for (const { above, row } of components) {
      above[width + 1] = above[width] ?? 0
      row[0] = above[1] ?? 0
    }
    const [first] = components
    if (first === undefined) return
    for (let x = 1; x <= width; ) {
      const context = this.#contextAt(first.above, first.row, x)
      if (components.length > 1) x = this.#decodeTogether(components, first, x, width)
      else if (context === 0) x = this.#decodeRun(components, first, x, width)
      else this.#decodeSample(first, x++, context)
    }
  }

  #decodeTogether(components: readonly Rows[], first: Rows, x: number, width: number): number {
    const contexts = components.map(({ above, row }) => this.#contextAt(above, row, x))
    if (contexts.every((context) => context === 0)) return this.#decodeRun(components, first, x, width)
    components.forEach((rows, i) => void this.#decodeSample(rows, x, contexts[i] ?? 0))
    return x + 1
  }

  /** Quantised gradients as one number, whose sign is that of the first that is not zero (A.3.3, A.3.4). */
  #contextAt(above: Int32Array, row: Int32Array, x: number): number {
    const { maximum } = this.#coding
    const a = row[x - 1] ?? 0
    const b = above[x] ?? 0
    const c = above[x - 1] ?? 0
    const d = above[x + 1] ?? 0
    const level = this.#gradients
    return ((level[d - b + maximum] ?? 0) * 9 + (level[b - c + maximum] ?? 0)) * 9 + (level[c - a + maximum] ?? 0)
  }

  #decodeSample({ above, row }: Rows, x: number, signed: number): void {
    const sign = (signed >> 31) | 1
    const context = sign * signed
    const a = row[x - 1] ?? 0
    const b = above[x] ?? 0
    const c = above[x - 1] ?? 0
    // A.4.2, without its branches: noise makes them hard to predict.
    const median = Math.max(Math.min(a, b), Math.min(Math.max(a, b), a + b - c))
    const predicted = clamped(median + sign * (this.#corrections[context] ?? 0), this.#coding.maximum)
    const error = this.#decodeError(context)
    this.#adapt(context, error)
    row[x] = this.#restored(predicted, sign * error)
  }

  /** A.5.1, A.5.2. */
  #decodeError(context: number): number {
    const count = this.#counts[context] ?? 1
    const shift = this.#shiftOf(count, this.#sums[context] ?? 0)
    const mapped = this.#bits.golomb(shift, this.#limit, this.#rangeBits)
    const isTurned = this.#coding.near === 0 && shift === 0 && 2 * (this.#biases[context] ?? 0) <= -count
    const error = (mapped >> 1) ^ -(mapped & 1)
    return isTurned ? ~error : error
  }

  #shiftOf(count: number, sum: number): number {
    const shift = Math.max(Math.clz32(count) - Math.clz32(sum), 0)
    return Math.min(count << shift < sum ? shift + 1 : shift, MOST_SHIFT)
  }

  /** A.6. */
  #adapt(context: number, error: number): void {
    let bias = (this.#biases[context] ?? 0) + error * this.#step
    let sum = (this.#sums[context] ?? 0) + Math.abs(error)
    let count = this.#counts[context] ?? 1
    if (count === this.#coding.reset) {
      sum >>= 1
      bias = bias >= 0 ? bias >> 1 : -((1 - bias) >> 1)
      count >>= 1
    }
    count++
    // A.6.2, without its branches: all bits are set of what is the case.
    const isLow = (bias + count - 1) >> 31
    const isHigh = -bias >> 31
    const correction = (this.#corrections[context] ?? 0) + isLow - isHigh
    this.#corrections[context] = Math.max(-128, Math.min(correction, 127))
    bias = Math.max(1 - count, Math.min(bias + (count & isLow) - (count & isHigh), 0))
    this.#biases[context] = bias
    this.#sums[context] = sum
    this.#counts[context] = count
  }

  /** A sample of its prediction and its error, which counts modulo the range (A.4.5). */
  #restored(predicted: number, error: number): number {
    const { maximum, near } = this.#coding
    const turn = this.#range * this.#step
    const sum = predicted + error * this.#step
    if (sum < -near) return clamped(sum + turn, maximum)
    return clamped(sum > maximum + near ? sum - turn : sum, maximum)
  }

  /** A run of samples like those to the left, and the sample that ends it (A.7); returns what comes next. */
  #decodeRun(components: readonly Rows[], state: Rows, from: number, width: number): number {
    let x = from
    while (this.#bits.bit() === 1) {
      const length = 1 << (RUN_ORDERS[state.runIndex] ?? 0)
      const end = Math.min(x + length, width + 1)
      fillRun(components, from, x, end)
      if (end - x === length && state.runIndex < MOST_RUN_INDEX) state.runIndex++
      x = end
      if (x > width) return x
    }
    const order = RUN_ORDERS[state.runIndex] ?? 0
    const end = x + this.#bits.bits(order)
    if (end > width) throw malformed('a run of a JPEG-LS picture goes on behind its row')
    fillRun(components, from, x, end)
    for (const rows of components) this.#decodeEnding(rows, end, order, components.length === 1)
    if (state.runIndex > 0) state.runIndex--
    return end + 1
  }

  /** A.7.2; pictures whose components are coded sample by sample have one kind of it. */
  #decodeEnding({ above, row }: Rows, x: number, order: number, isAlone: boolean): void {
    const [left, up] = [row[x - 1] ?? 0, above[x] ?? 0]
    const kind = isAlone && Math.abs(left - up) <= this.#coding.near ? 1 : 0
    const context = CONTEXTS + kind
    const count = this.#counts[context] ?? 1
    const sum = this.#sums[context] ?? 0
    const shift = this.#shiftOf(count, kind === 1 ? sum + (count >> 1) : sum)
    const mapped = this.#bits.golomb(shift, this.#limit - order - 1, this.#rangeBits)
    const negatives = this.#negatives[kind] ?? 0
    const odd = (mapped + kind) & 1
    const size = (mapped + kind + odd) >> 1
    const error = (shift !== 0 || 2 * negatives >= count) === (odd === 1) ? -size : size
    this.#adaptEnding(kind, error, mapped)
    row[x] = kind === 1 ? this.#restored(left, error) : this.#restored(up, up >= left ? error : -error)
  }

  #adaptEnding(kind: number, error: number, mapped: number): void {
    const context = CONTEXTS + kind
    let sum = (this.#sums[context] ?? 0) + ((mapped + 1 - kind) >> 1)
    let count = this.#counts[context] ?? 1
    let negatives = (this.#negatives[kind] ?? 0) + (error < 0 ? 1 : 0)
    if (count === this.#coding.reset) {
      sum >>= 1
      count >>= 1
      negatives >>= 1
    }
    this.#sums[context] = sum
    this.#counts[context] = count + 1
    this.#negatives[kind] = negatives
  }
}

function fillRun(components: readonly Rows[], from: number, start: number, end: number): void {
  for (const { row } of components) row.fill(row[from - 1] ?? 0, start, end)
}

function clamped(value: number, maximum: number): number {
  return Math.max(0, Math.min(value, maximum))
}

/** The level of every difference of two samples, from -4 to 4; that of 0 is at `maximum`. */
function gradientsOf({ maximum, near, thresholds }: ScanCoding): Int8Array {
  const [first, second, third] = thresholds
  const levels = new Int8Array(2 * maximum + 1)
  for (let difference = 0; difference <= maximum; difference++) {
    const level =
      difference >= third ? 4 : difference >= second ? 3 : difference >= first ? 2 : difference > near ? 1 : 0
    levels[maximum + difference] = level
    levels[maximum - difference] = -level
  }
  return levels
}

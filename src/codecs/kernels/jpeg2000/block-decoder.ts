// T.800 annex D: the coefficients of a code block, bit plane by bit plane, in up to three passes each.
import { malformed } from '../../../errors.ts'
import { type Orientation, SIGNIFICANCE, SIGNS } from './block-contexts.ts'
import { FIRST_REFINING_CONTEXT, MqDecoder, RUN_CONTEXT, UNIFORM_CONTEXT } from './mq-decoder.ts'
import { RawBits } from './raw-bits.ts'

/** Variants of the coding (table A.19). */
export interface BlockStyle {
  readonly bypasses: boolean
  readonly resets: boolean
  readonly terminates: boolean
  readonly isCausal: boolean
  readonly hasMarks: boolean
}

/** Passes that were coded together. */
export interface BlockSegment {
  readonly passes: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface CodedBlock {
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
  /** Bit planes that are not zero throughout. */
  readonly planes: number
  readonly segments: readonly BlockSegment[]
}

/** Twice the magnitudes, in stripes of four rows, column by column: `(row >> 2) * 4 * width + 4 * column + (row & 3)`. */
export type Magnitudes = Int32Array | Float64Array

/** Coefficients of a block: at most, with its last stripe filled up. */
const MOST_COEFFICIENTS = 4096
/** Passes in front of those that may be raw. */
export const CODED_PASSES = 10
/** Planes of which twice a magnitude is a signed integer of 32 bits. */
const MOST_NARROW_PLANES = 30
/** What is written behind each plane by those who write marks. */
const MARK = 0b1010

// Of each column of a stripe there is a word: which of its four coefficients and of the fourteen around them are significant (bits 0 to 17, row
// by row from the one above, three each), which were visited in this plane (19, 22, 25, 28), and which were refined before (20, 23, 26, 29).
const AROUND = 0b111_101_111
const SELF = 0b000_010_000
const ALL_SELVES = SELF * 0b001_001_001_001
const VISITED = SELF << 15
const REFINED = SELF << 16
const ALL_VISITED = ALL_SELVES << 15
const NORTHERN = 1 << 16
const SOUTHERN = 1 << 1

/** Decodes blocks, one after the other. */
export class BlockDecoder {
  readonly #coded = new MqDecoder()
  readonly #raw = new RawBits()
  /** Words and signs, with a stripe and a column around them. */
  readonly #words = new Int32Array(2 * MOST_COEFFICIENTS)
  readonly #signs = new Uint8Array(2 * MOST_COEFFICIENTS)
  readonly #narrow = new Int32Array(MOST_COEFFICIENTS)
  #wide = new Float64Array(0)
  #magnitudes: Magnitudes = this.#narrow
  #contexts = SIGNIFICANCE.LL
  #width = 0
  #height = 0
  #isCausal = false

  decode(block: CodedBlock, style: BlockStyle): Magnitudes {
    this.#clear(block)
    this.#isCausal = style.isCausal
    let pass = 0
    for (const { passes, bytes } of block.segments) {
      const isRaw = style.bypasses && pass >= CODED_PASSES && (pass + 2) % 3 !== 2
      if (isRaw) this.#raw.start(bytes)
      else this.#coded.start(bytes)
      for (const end = pass + passes; pass < end; pass++) {
        this.#pass(pass, block.planes, isRaw, style.hasMarks)
        if (style.resets) this.#coded.resetContexts()
      }
    }
    return this.#magnitudes
  }

  /** Whether a coefficient is negative. */
  isNegative(row: number, column: number): boolean {
    const place = ((row >> 2) + 1) * (this.#width + 2) + column + 1
    return (((this.#signs[place] ?? 0) >> (row & 3)) & 1) === 1
  }

  #clear({ width, height, orientation, planes }: CodedBlock): void {
    this.#width = width
    this.#height = height
    this.#contexts = SIGNIFICANCE[orientation]
    const stripes = (height + 3) >> 2
    this.#words.fill(0, 0, (width + 2) * (stripes + 2))
    this.#signs.fill(0, 0, (width + 2) * (stripes + 2))
    if (planes > MOST_NARROW_PLANES && this.#wide.length === 0) this.#wide = new Float64Array(MOST_COEFFICIENTS)
    this.#magnitudes = planes > MOST_NARROW_PLANES ? this.#wide : this.#narrow
    this.#magnitudes.fill(0, 0, 4 * width * stripes)
    this.#coded.resetContexts()
  }

  /** The first plane has only the last of three passes. */
  #pass(pass: number, planes: number, isRaw: boolean, hasMarks: boolean): void {
    const plane = planes - 1 - Math.floor((pass + 2) / 3)
    const unit = plane < MOST_NARROW_PLANES ? 1 << plane : 2 ** plane
    const kind = (pass + 2) % 3
    if (kind === 0 && isRaw) this.#rawSignificance(unit)
    else if (kind === 0) this.#significance(unit)
    else if (kind === 1 && isRaw) this.#rawRefine(unit)
    else if (kind === 1) this.#refine(unit)
    else this.#cleanUp(unit)
    if (kind === 2 && hasMarks) this.#readMark()
  }

  #readMark(): void {
    let mark = 0
    for (let bit = 0; bit < 4; bit++) mark = 2 * mark + this.#coded.bit(UNIFORM_CONTEXT)
    if (mark !== MARK) throw malformed(`a code block of a JPEG 2000 picture has the mark ${mark}, expected ${MARK}`)
  }

  /** Coefficients that have significant ones around them (D.3.1). */
  #significance(unit: number): void {
    const [words, contexts, coded, width] = [this.#words, this.#contexts, this.#coded, this.#width]
    for (let top = 0, at = 0; top < this.#height; top += 4) {
      const rows = Math.min(4, this.#height - top)
      let place = ((top >> 2) + 1) * (width + 2) + 1
      for (const end = place + width; place < end; place++, at += 4) {
        let word = words[place] ?? 0
        if (word === 0) continue
        for (let row = 0; row < rows; row++) {
          const around = (word >>> (3 * row)) & (AROUND | SELF)
          if (around === 0 || (around & SELF) !== 0) continue
          if (coded.bit(contexts[around] ?? 0) === 1)
            this.#becomeSignificant(place, row, at, unit, this.#sign(place, row))
          word = (words[place] ?? 0) | (VISITED << (3 * row))
          words[place] = word
        }
      }
    }
  }

  #rawSignificance(unit: number): void {
    const [words, raw, width] = [this.#words, this.#raw, this.#width]
    for (let top = 0, at = 0; top < this.#height; top += 4) {
      const rows = Math.min(4, this.#height - top)
      let place = ((top >> 2) + 1) * (width + 2) + 1
      for (const end = place + width; place < end; place++, at += 4) {
        for (let row = 0; row < rows; row++) {
          const around = ((words[place] ?? 0) >>> (3 * row)) & (AROUND | SELF)
          if (around === 0 || (around & SELF) !== 0) continue
          if (raw.bit() === 1) this.#becomeSignificant(place, row, at, unit, raw.bit())
          words[place] = (words[place] ?? 0) | (VISITED << (3 * row))
        }
      }
    }
  }

  /** One more bit of those that were significant before this plane (D.3.3). */
  #refine(unit: number): void {
    const [words, coded, width, magnitudes] = [this.#words, this.#coded, this.#width, this.#magnitudes]
    for (let top = 0, at = 0; top < this.#height; top += 4) {
      let place = ((top >> 2) + 1) * (width + 2) + 1
      for (const end = place + width; place < end; place++, at += 4) {
        let word = words[place] ?? 0
        const refined = word & ~(word >>> 15) & ALL_SELVES
        if (refined === 0) continue
        for (let row = 0, shift = 0; row < 4; row++, shift += 3) {
          if ((refined & (SELF << shift)) === 0) continue
          const context = (word & (REFINED << shift)) !== 0 ? 2 : (word & (AROUND << shift)) !== 0 ? 1 : 0
          const bit = coded.bit(FIRST_REFINING_CONTEXT + context)
          magnitudes[at + row] = (magnitudes[at + row] ?? 0) + (2 * bit - 1) * unit
        }
        word |= refined << 16
        words[place] = word
      }
    }
  }

  #rawRefine(unit: number): void {
    const [words, raw, width, magnitudes] = [this.#words, this.#raw, this.#width, this.#magnitudes]
    for (let top = 0, at = 0; top < this.#height; top += 4) {
      let place = ((top >> 2) + 1) * (width + 2) + 1
      for (const end = place + width; place < end; place++, at += 4) {
        const word = words[place] ?? 0
        const refined = word & ~(word >>> 15) & ALL_SELVES
        for (let row = 0; row < 4; row++) {
          if ((refined & (SELF << (3 * row))) === 0) continue
          magnitudes[at + row] = (magnitudes[at + row] ?? 0) + (2 * raw.bit() - 1) * unit
        }
        words[place] = word | (refined << 16)
      }
    }
  }

  /** All others (D.3.4): four with nothing around them have one bit together while they stay zero. */
  #cleanUp(unit: number): void {
    const [words, contexts, coded, width] = [this.#words, this.#contexts, this.#coded, this.#width]
    for (let top = 0, at = 0; top < this.#height; top += 4) {
      const rows = Math.min(4, this.#height - top)
      let place = ((top >> 2) + 1) * (width + 2) + 1
      for (const end = place + width; place < end; place++, at += 4) {
        let row = 0
        if (rows === 4 && words[place] === 0) {
          if (coded.bit(RUN_CONTEXT) === 0) continue
          row = 2 * coded.bit(UNIFORM_CONTEXT) + coded.bit(UNIFORM_CONTEXT)
          this.#becomeSignificant(place, row, at, unit, this.#sign(place, row))
          row++
        }
        let word = words[place] ?? 0
        for (; row < rows; row++) {
          if ((word & ((SELF | VISITED) << (3 * row))) !== 0) continue
          if (coded.bit(contexts[(word >>> (3 * row)) & AROUND] ?? 0) === 0) continue
          this.#becomeSignificant(place, row, at, unit, this.#sign(place, row))
          word = words[place] ?? 0
        }
        words[place] = word & ~ALL_VISITED
      }
    }
  }

  /** 1 of a negative coefficient (D.3.2). */
  #sign(place: number, row: number): number {
    const [words, signs, stride] = [this.#words, this.#signs, this.#width + 2]
    const column =
      ((signs[place - stride] ?? 0) >> 3) | ((signs[place] ?? 0) << 1) | (((signs[place + stride] ?? 0) & 1) << 5)
    const entry =
      (((words[place] ?? 0) >>> (3 * row)) & 0b1010_1010) |
      (((signs[place - 1] ?? 0) >> row) & 1) |
      ((((signs[place + 1] ?? 0) >> row) & 1) << 2) |
      (((column >> row) & 1) << 4) |
      (((column >> (row + 2)) & 1) << 6)
    const context = SIGNS[entry] ?? 0
    return this.#coded.bit(context >> 1) ^ (context & 1)
  }

  #becomeSignificant(place: number, row: number, at: number, unit: number, sign: number): void {
    const [words, stride, shift] = [this.#words, this.#width + 2, 3 * row]
    // The middle of what it may be: one and a half.
    this.#magnitudes[at + row] = 3 * unit
    this.#signs[place] = (this.#signs[place] ?? 0) | (sign << row)
    words[place - 1] = (words[place - 1] ?? 0) | ((SELF << 1) << shift)
    words[place] = (words[place] ?? 0) | (SELF << shift)
    words[place + 1] = (words[place + 1] ?? 0) | ((SELF >> 1) << shift)
    if (row === 0 && !this.#isCausal) this.#tell(place - stride, NORTHERN)
    if (row === 3) this.#tell(place + stride, SOUTHERN)
  }

  /** A stripe above or below has it at its edge. */
  #tell(place: number, mark: number): void {
    const words = this.#words
    words[place - 1] = (words[place - 1] ?? 0) | (mark << 1)
    words[place] = (words[place] ?? 0) | mark
    words[place + 1] = (words[place + 1] ?? 0) | (mark >> 1)
  }
}

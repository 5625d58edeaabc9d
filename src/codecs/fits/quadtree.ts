import { malformed } from '../../errors.ts'
import { BitReader } from '../kernels/bit-reader.ts'

/** A rectangle of an array of rows of `width`. */
interface Quadrant {
  readonly start: number
  readonly width: number
  readonly rows: number
  readonly columns: number
}

/** How a bit plane is coded. */
const DIRECT = 0
const QUADTREE = 0xf

/** Codes of 3 to 6 bits for which of four pixels have a bit. */
const FOUR_BITS = [3, 5, 10, 12, 15]
const FIVE_BITS = [6, 7, 9, 11, 13]

/** Reads the bit planes of HCOMPRESS: quadtrees from one code for all down to one for every 2 x 2 pixels. */
export class QuadtreeReader {
  readonly #bytes: Uint8Array
  #reader: BitReader
  #bits = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#reader = new BitReader(bytes, 'a HCOMPRESS tile')
  }

  /** Adds the planes of a quadrant, the highest first, to its values. */
  decode(values: Float64Array, quadrant: Quadrant, planes: number): void {
    const { rows, columns } = quadrant
    const scratch = new Uint8Array(Math.ceil(rows / 2) * Math.ceil(columns / 2))
    for (let plane = planes - 1; plane >= 0; plane--) {
      const kind = this.#read(4)
      if (kind === DIRECT) for (let i = 0; i < scratch.length; i++) scratch[i] = this.#read(4)
      else if (kind === QUADTREE) this.#expandAll(scratch, rows, columns)
      else throw malformed(`a HCOMPRESS bit plane is coded in way ${kind}, expected 0 or 15`)
      insertPlane(scratch, values, quadrant, 2 ** plane)
    }
  }

  /** Behind the planes: an end mark, then signs from the next whole byte on. */
  beginSigns(): void {
    if (this.#read(4) !== 0) throw malformed('the bit planes of a HCOMPRESS tile have no end mark')
    this.#bits = Math.ceil(this.#bits / 8) * 8
    this.#reader = new BitReader(this.#bytes.subarray(this.#bits / 8), 'a HCOMPRESS tile')
  }

  bit(): number {
    return this.#read(1)
  }

  /** Throws when the last read went past the end. */
  finish(): void {
    this.#reader.finish()
  }

  #read(bits: number): number {
    this.#bits += bits
    return this.#reader.read(bits)
  }

  /** From one code for the whole quadrant to one for each 2 x 2 pixels. */
  #expandAll(codes: Uint8Array, rows: number, columns: number): void {
    const levels = Math.ceil(Math.log2(Math.max(rows, columns, 1)))
    if (codes.length > 0) codes[0] = this.#code()
    else this.#code()
    for (let level = levels - 1; level >= 1; level--) {
      const height = Math.ceil(rows / 2 ** level)
      const width = Math.ceil(columns / 2 ** level)
      spread(codes, height, width)
      for (let i = height * width - 1; i >= 0; i--) if (codes[i] !== 0) codes[i] = this.#code()
    }
  }

  #code(): number {
    let code = this.#read(3)
    if (code < 4) return 1 << code
    code = code * 2 + this.#read(1)
    if (code < 13) return FOUR_BITS[code - 8] ?? 0
    code = code * 2 + this.#read(1)
    if (code < 31) return FIVE_BITS[code - 26] ?? 0
    code = code * 2 + this.#read(1)
    return code === 62 ? 0 : 14
  }
}

/** Each code becomes 2 x 2 ones of a plane twice as wide and high, in place: from the end, since targets lie behind. */
function spread(codes: Uint8Array, height: number, width: number): void {
  const half = Math.ceil(width / 2)
  for (let y = Math.ceil(height / 2) - 1; y >= 0; y--) {
    for (let x = half - 1; x >= 0; x--) {
      const code = codes[y * half + x] ?? 0
      const at = 2 * y * width + 2 * x
      const [hasRight, hasBelow] = [2 * x + 1 < width, 2 * y + 1 < height]
      if (hasBelow && hasRight) codes[at + width + 1] = code & 1
      if (hasBelow) codes[at + width] = (code >> 1) & 1
      if (hasRight) codes[at + 1] = (code >> 2) & 1
      codes[at] = (code >> 3) & 1
    }
  }
}

/** The four bits of each code, as a bit of the values. */
function insertPlane(codes: Uint8Array, values: Float64Array, quadrant: Quadrant, weight: number): void {
  const { start, width, rows, columns } = quadrant
  let place = 0
  for (let y = 0; y < rows; y += 2) {
    const hasBelow = y + 1 < rows
    for (let x = 0; x < columns; x += 2) {
      const code = codes[place++] ?? 0
      if (code === 0) continue
      const at = start + y * width + x
      const hasRight = x + 1 < columns
      if (code & 8) values[at] = (values[at] ?? 0) + weight
      if (hasRight && code & 4) values[at + 1] = (values[at + 1] ?? 0) + weight
      if (hasBelow && code & 2) values[at + width] = (values[at + width] ?? 0) + weight
      if (hasBelow && hasRight && code & 1) values[at + width + 1] = (values[at + width + 1] ?? 0) + weight
    }
  }
}

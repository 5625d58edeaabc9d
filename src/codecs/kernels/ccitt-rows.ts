// ITU-T T.4 and T.6: rows of black and white as runs, by themselves or by what differs from the row above.
import { malformed, unsupported } from '../../errors.ts'
import { BLACK_RUNS, CODE_BITS, PART_LENGTH, WHITE_RUNS } from './ccitt-codes.ts'

/** Bytes of zeros after the input: whole words can be read at its end. */
const MARGIN = 8

const HORIZONTAL = -4
const PASS = -5
/** Modes of T.4 table 4 by the next seven bits: the shift of a vertical mode or one of the two others, and the bits. */
const MODES: ReadonlyArray<readonly [number, number] | undefined> = Array.from({ length: 128 }, (_, bits) => {
  if (bits >= 64) return [0, 1]
  if (bits >= 48) return [1, 3]
  if (bits >= 32) return [-1, 3]
  if (bits >= 16) return [HORIZONTAL, 3]
  if (bits >= 8) return [PASS, 4]
  if (bits >= 6) return [2, 6]
  if (bits >= 4) return [-2, 6]
  if (bits === 3) return [3, 7]
  if (bits === 2) return [-3, 7]
  return undefined
})

/** Reads the rows of one block; a row is the positions where its colour changes, beginning with white. */
export class CcittRows {
  readonly #view: DataView
  readonly #bits: number
  readonly #columns: number
  #at = 0
  #above: Uint32Array
  #row: Uint32Array
  #changes = 0

  constructor(bytes: Uint8Array, columns: number) {
    const padded = new Uint8Array(bytes.length + MARGIN)
    padded.set(bytes)
    this.#view = new DataView(padded.buffer)
    this.#bits = bytes.length * 8
    this.#columns = columns
    // At most one change a pixel, and the edge where there is no more; the row above the first one is white.
    this.#above = new Uint32Array(columns + 4).fill(columns)
    this.#row = new Uint32Array(columns + 4).fill(columns)
  }

  /** Sets the black pixels of the row that was read. */
  paint(target: Uint8Array): void {
    for (let i = 0; i < this.#changes; i += 2) target.fill(1, this.#row[i], this.#row[i + 1])
  }

  /** The next row begins at a whole byte. */
  align(): void {
    this.#at = (this.#at + 7) & ~7
  }

  /** Skips an end of line (at least eleven zeros and a one), with the bits that fill up before it; false if there is none. */
  skipEnd(): boolean {
    let at = this.#at
    while (at < this.#bits && this.#word(at) >>> 24 === 0) at += 8
    at += Math.clz32(this.#word(at))
    if (at - this.#at < 11 || at >= this.#bits) return false
    this.#at = at + 1
    return true
  }

  /** The next bits as a number. */
  read(count: number): number {
    const value = this.#peek(count)
    this.#skip(count)
    return value
  }

  /** A row coded by itself. */
  readAlone(): void {
    this.#begin()
    for (let at = 0, black = false; at < this.#columns; black = !black) {
      at += this.#run(black)
      this.#change(at)
    }
    this.#end()
  }

  /** A row coded by what differs from the one above. */
  readBelow(): void {
    this.#begin()
    const above = this.#above
    const columns = this.#columns
    let at = -1
    let black = 0
    // Where the row above changes to the other colour, right of `at`.
    let place = 0
    while (at < columns) {
      while ((above[place] ?? columns) <= at && (above[place] ?? columns) < columns) place += 2
      const [mode, bits] = MODES[this.#peek(7)] ?? this.#refuse()
      this.#skip(bits)
      if (mode === PASS) {
        at = above[place + 1] ?? columns
      } else if (mode === HORIZONTAL) {
        const first = Math.max(at, 0) + this.#run(black === 1)
        at = first + this.#run(black === 0)
        this.#change(first)
        this.#change(at)
      } else {
        const next = (above[place] ?? columns) + mode
        if (next < at || next < 0) throw malformed(`a CCITT row steps back from pixel ${at} to ${next}`)
        at = next
        this.#change(at)
        black = 1 - black
        place = place > 0 ? place - 1 : place + 1
      }
    }
    this.#end()
  }

  #begin(): void {
    const row = this.#above
    this.#above = this.#row
    this.#row = row
    this.#changes = 0
  }

  #change(at: number): void {
    if (at > this.#columns) throw malformed(`a CCITT row reaches pixel ${at} of ${this.#columns}`)
    if (this.#changes >= this.#columns + 1) throw malformed('a CCITT row has more changes than pixels')
    this.#row[this.#changes++] = at
  }

  #end(): void {
    this.#row.fill(this.#columns, this.#changes)
  }

  #run(black: boolean): number {
    const table = black ? BLACK_RUNS : WHITE_RUNS
    for (let length = 0; ; ) {
      const entry = table[this.#peek(CODE_BITS)] ?? 0
      if (entry === 0) throw malformed(`CCITT: no run of pixels is coded as at bit ${this.#at}`)
      this.#skip(entry >> 12)
      const part = entry & 0xfff
      length += part
      if (part < PART_LENGTH) return length
      if (length > this.#columns) throw malformed(`a CCITT run has ${length} of ${this.#columns} pixels`)
    }
  }

  #refuse(): never {
    if (this.#peek(7) === 1) throw unsupported('CCITT extensions', 'the uncompressed mode of CCITT is not decoded')
    throw malformed(`CCITT: no mode is coded as at bit ${this.#at}`)
  }

  #peek(count: number): number {
    return this.#word(this.#at) >>> (32 - count)
  }

  /** 25 bits or more. */
  #word(at: number): number {
    return at >= this.#bits ? 0 : this.#view.getUint32(at >> 3) << (at & 7)
  }

  #skip(count: number): void {
    this.#at += count
    if (this.#at > this.#bits) throw malformed('a CCITT block ends before its last row')
  }
}

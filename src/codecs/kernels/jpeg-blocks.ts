// ITU-T T.81 F.2.2 and G.2: the coefficients of one block, of each kind of scan.
import { malformed } from '../../errors.ts'
import type { HuffmanTable, JpegBits } from './jpeg-huffman.ts'
import { type JpegScan, ZIGZAG } from './jpeg-markers.ts'

/** What a component carries from block to block. */
export interface BlockState {
  readonly dc: HuffmanTable | undefined
  readonly ac: HuffmanTable | undefined
  prediction: number
}

/** Reads blocks of one scan into coefficients; bands of zeros may run over many blocks. */
export class JpegBlocks {
  readonly #bits: JpegBits
  readonly #scan: JpegScan
  readonly #progressive: boolean
  #zeroBlocks = 0

  constructor(bits: JpegBits, scan: JpegScan, progressive: boolean) {
    this.#bits = bits
    this.#scan = scan
    this.#progressive = progressive
  }

  restart(): void {
    this.#zeroBlocks = 0
  }

  /** Adds what the scan knows of the block at `at`. */
  read(state: BlockState, block: Int16Array, at: number): void {
    if (!this.#progressive) this.#readWhole(state, block, at)
    else if (this.#scan.first === 0) this.#readDc(state, block, at)
    else if (this.#scan.high === 0) this.#readBand(state, block, at)
    else this.#refineBand(state, block, at)
  }

  #readWhole(state: BlockState, block: Int16Array, at: number): void {
    const bits = this.#bits
    state.prediction += bits.signed(bits.decode(required(state.dc)) & 15)
    block[at] = state.prediction
    const table = required(state.ac)
    for (let k = 1; k < 64; k++) {
      const code = bits.decode(table)
      const size = code & 15
      if (size === 0) {
        if (code !== 0xf0) return
        k += 15
      } else {
        k += code >> 4
        if (k > 63) throw malformed('a JPEG block has more than 64 coefficients')
        block[at + (ZIGZAG[k] ?? 0)] = bits.signed(size)
      }
    }
  }

  #readDc(state: BlockState, block: Int16Array, at: number): void {
    const { high, low } = this.#scan
    const bits = this.#bits
    if (high !== 0) {
      if (bits.read(1) === 1) block[at] = (block[at] ?? 0) | (1 << low)
      return
    }
    state.prediction += bits.signed(bits.decode(required(state.dc)) & 15)
    block[at] = state.prediction << low
  }

  #readBand(state: BlockState, block: Int16Array, at: number): void {
    if (this.#zeroBlocks > 0) {
      this.#zeroBlocks--
      return
    }
    const { first, last, low } = this.#scan
    const bits = this.#bits
    const table = required(state.ac)
    for (let k = first; k <= last; k++) {
      const code = bits.decode(table)
      const run = code >> 4
      const size = code & 15
      if (size === 0) {
        if (run < 15) {
          this.#zeroBlocks = (1 << run) - 1 + bits.read(run)
          return
        }
        k += 15
      } else {
        k += run
        if (k > 63) throw malformed('a JPEG block has more than 64 coefficients')
        block[at + (ZIGZAG[k] ?? 0)] = bits.signed(size) << low
      }
    }
  }

  #refineBand(state: BlockState, block: Int16Array, at: number): void {
    const { first, last, low } = this.#scan
    const bits = this.#bits
    let k = first
    if (this.#zeroBlocks === 0) {
      const table = required(state.ac)
      for (; k <= last; k++) {
        const code = bits.decode(table)
        const run = code >> 4
        if ((code & 15) === 0 && run < 15) {
          this.#zeroBlocks = (1 << run) + bits.read(run)
          break
        }
        const value = (code & 15) === 0 ? 0 : bits.read(1) === 1 ? 1 << low : -1 << low
        k = this.#refine(block, at, k, run)
        if (value !== 0 && k > last) throw malformed('a JPEG block has more than 64 coefficients')
        if (value !== 0) block[at + (ZIGZAG[k] ?? 0)] = value
      }
    }
    if (this.#zeroBlocks === 0) return
    this.#refine(block, at, k, 64)
    this.#zeroBlocks--
  }

  /** One more bit for each coefficient that isn't zero, up to the zero after `zeros` others; returns its place. */
  #refine(block: Int16Array, at: number, from: number, zeros: number): number {
    const { last, low } = this.#scan
    let left = zeros
    let k = from
    for (; k <= last; k++) {
      const place = at + (ZIGZAG[k] ?? 0)
      const value = block[place] ?? 0
      if (value === 0) {
        if (left-- === 0) return k
      } else if (this.#bits.read(1) === 1 && (Math.abs(value) & (1 << low)) === 0) {
        block[place] = value + (value > 0 ? 1 << low : -1 << low)
      }
    }
    return k
  }
}

function required(table: HuffmanTable | undefined): HuffmanTable {
  if (table === undefined) throw malformed('a JPEG scan names a Huffman table that was not given')
  return table
}

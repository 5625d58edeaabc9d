// TIFF 6.0 section 13; the older kind, with the bits of a byte the other way round, is libtiff's LZWDecodeCompat.
import { malformed } from '../errors.ts'
import type { ByteCodec } from './codec.ts'
import { encodeLzw } from './lzw-encoder.ts'
import { Output } from './output.ts'

const CLEAR = 256
const END = 257
const FIRST_FREE = 258
const MOST_CODES = 4096

/** LZW as TIFF uses it, of both kinds; `imagecodecs` decodes the same streams under its own name. */
export const imagecodecsLzw: ByteCodec = {
  kind: 'bytes',
  name: 'imagecodecs_lzw',
  reach: 'native',
  decode: (bytes, _configuration, context) => decodeLzw(bytes, context.limit),
  encode: (bytes) => encodeLzw(bytes),
}

export const tiffLzw: ByteCodec = { ...imagecodecsLzw, name: 'vz.tiff-lzw', reach: 'internal' }

/** The content of an LZW stream, at most `limit` bytes. An end without an end code is how some writers stop. */
export function decodeLzw(bytes: Uint8Array, limit: number): Uint8Array {
  const old = bytes[0] === 0 && ((bytes[1] ?? 0) & 1) === 1
  return new LzwDecoder(old ? reversedBits(bytes) : bytes, old, limit).decode()
}

/** Each byte with its bits in the other order. */
export function reversedBits(bytes: Uint8Array): Uint8Array {
  const table = new Uint8Array(256)
  for (let value = 1; value < 256; value++) table[value] = ((table[value >> 1] ?? 0) >> 1) | ((value & 1) << 7)
  const reversed = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at++) reversed[at] = table[bytes[at] ?? 0] ?? 0
  return reversed
}

class LzwDecoder {
  readonly #bytes: Uint8Array
  readonly #old: boolean
  readonly #output: Output
  /** A string of the table is a piece of the output: it was written when its code was made. */
  readonly #starts = new Uint32Array(MOST_CODES)
  readonly #lengths = new Uint32Array(MOST_CODES)
  #free = FIRST_FREE

  constructor(bytes: Uint8Array, old: boolean, limit: number) {
    this.#bytes = bytes
    this.#old = old
    this.#output = new Output(limit)
  }

  decode(): Uint8Array {
    const bytes = this.#bytes
    let width = 9
    let bits = 0
    let word = 0
    let previous = CLEAR
    for (let at = 0; ; ) {
      while (bits < width) {
        if (at >= bytes.length) return this.#output.done()
        word = (word << 8) | (bytes[at++] ?? 0)
        bits += 8
      }
      bits -= width
      const code = this.#ordered((word >> bits) & ((1 << width) - 1), width)
      word &= (1 << bits) - 1
      if (code === END) return this.#output.done()
      if (code === CLEAR) {
        this.#free = FIRST_FREE
        width = 9
      } else {
        this.#write(code, previous)
        width = this.#width(width)
      }
      previous = code
    }
  }

  /** The old kind counts the bits of a code from the lowest one. */
  #ordered(code: number, width: number): number {
    if (!this.#old) return code
    let turned = 0
    for (let bit = 0; bit < width; bit++) turned |= ((code >> bit) & 1) << (width - 1 - bit)
    return turned
  }

  /** The new kind widens its codes one code early. */
  #width(width: number): number {
    return this.#free + (this.#old ? 0 : 1) >= 1 << width && width < 12 ? width + 1 : width
  }

  #write(code: number, previous: number): void {
    const output = this.#output
    const start = output.length
    if (previous !== CLEAR) this.#define(start)
    if (code < CLEAR) {
      output.push(code)
    } else {
      const length = code < this.#free ? (this.#lengths[code] ?? 0) : 0
      if (length === 0) throw malformed(`an LZW stream has the code ${code}, which is not in its table`)
      output.reserve(length)
      const { bytes } = output
      // Byte by byte: a string may reach into what is being written.
      let from = this.#starts[code] ?? 0
      for (let to = start; to < start + length; to++) bytes[to] = bytes[from++] ?? 0
      output.length += length
    }
    this.#lastStart = start
  }

  /** Where the string of the code before this one begins. */
  #lastStart = 0

  /** The string of the code before, and the byte after it. */
  #define(start: number): void {
    if (this.#free >= MOST_CODES) return
    this.#starts[this.#free] = this.#lastStart
    this.#lengths[this.#free] = start - this.#lastStart + 1
    this.#free++
  }
}

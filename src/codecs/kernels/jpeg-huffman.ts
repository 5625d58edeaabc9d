// ITU-T T.81 annexes C and F.2.2: Huffman codes and the bits of a scan.
import { malformed } from '../../errors.ts'

const FAST_BITS = 9

/** Codes of up to 16 bits. */
export interface HuffmanTable {
  /** By the next 9 bits: length of the code above its value; 0 for longer ones. */
  readonly fast: Uint16Array
  /** By length: the first code that is longer, left-aligned in 16 bits. */
  readonly ends: Uint32Array
  /** By length: what to add to a code to get the place of its value. */
  readonly shifts: Int32Array
  readonly values: Uint8Array
}

/** Builds a table from how many codes there are of each length, and their values. */
export function huffmanTable(counts: Uint8Array, values: Uint8Array): HuffmanTable {
  const fast = new Uint16Array(2 ** FAST_BITS)
  const ends = new Uint32Array(18)
  const shifts = new Int32Array(17)
  let code = 0
  let place = 0
  for (let length = 1; length <= 16; length++) {
    const count = counts[length - 1] ?? 0
    shifts[length] = place - code
    if (code + count > 2 ** length) throw malformed(`a JPEG Huffman table has too many codes of ${length} bits`)
    for (let i = 0; i < count && length <= FAST_BITS; i++) {
      const from = (code + i) << (FAST_BITS - length)
      fast.fill((length << 8) | (values[place + i] ?? 0), from, from + (1 << (FAST_BITS - length)))
    }
    code += count
    place += count
    ends[length] = code << (16 - length)
    code <<= 1
  }
  return { fast, ends, shifts, values: new Uint8Array(values) }
}

/** Bytes of zeros after a segment: whole words can be read at its end. */
const MARGIN = 16

/** The bits of one segment, between two restart markers, the highest of each byte first. */
export class JpegBits {
  #view = new DataView(new ArrayBuffer(MARGIN))
  #at = 0
  #bits = 0

  /** Goes on with a segment: its stuffed zeros are left out. Returns the position of the marker after it. */
  open(bytes: Uint8Array, from: number): number {
    let end = from
    for (;;) {
      end = bytes.indexOf(0xff, end)
      if (end === -1) end = bytes.length
      if (end + 1 >= bytes.length || bytes[end + 1] !== 0) break
      end += 2
    }
    const content = new Uint8Array(end - from + MARGIN)
    let length = 0
    for (let at = from; at < end; ) {
      let stuffed = bytes.indexOf(0xff, at)
      stuffed = stuffed === -1 || stuffed >= end ? end : stuffed + 1
      content.set(bytes.subarray(at, stuffed), length)
      length += stuffed - at
      at = stuffed < end ? stuffed + 1 : stuffed
    }
    if (length >= 2 ** 28) throw malformed(`a JPEG scan of ${length} bytes is beyond what is decoded`)
    this.#view = new DataView(content.buffer)
    this.#at = 0
    this.#bits = length * 8
    return end
  }

  /** Whether more was read than there is: what was read then means nothing. */
  get isPast(): boolean {
    return this.#at > this.#bits
  }

  /** Whether nothing is left but the ones that fill up the last byte. */
  get isEmpty(): boolean {
    return this.#at + 8 > this.#bits
  }

  /** The value of the next code. */
  decode(table: HuffmanTable): number {
    const word = this.#peek()
    const entry = table.fast[word >>> (32 - FAST_BITS)] ?? 0
    if (entry !== 0) {
      this.#at += entry >> 8
      return entry & 255
    }
    const code = word >>> 16
    for (let length = FAST_BITS + 1; length <= 16; length++) {
      if (code < (table.ends[length] ?? 0)) {
        this.#at += length
        return table.values[(code >>> (16 - length)) + (table.shifts[length] ?? 0)] ?? 0
      }
    }
    throw malformed(`a JPEG scan holds a Huffman code that its table lacks, at bit ${this.#at}`)
  }

  /** The next 0 to 16 bits. */
  read(count: number): number {
    if (count === 0) return 0
    const value = this.#peek() >>> (32 - count)
    this.#at += count
    return value
  }

  /** The next bits as a number whose first bit is its sign (T.81 figure F.12). */
  signed(count: number): number {
    if (count === 0) return 0
    const value = this.read(count)
    return value < 1 << (count - 1) ? value - (1 << count) + 1 : value
  }

  /** 25 bits or more, above zeros. */
  #peek(): number {
    const at = this.#at
    if (at > this.#bits + 64) throw malformed('a JPEG scan ends before its last block')
    return this.#view.getUint32(at >> 3) << (at & 7)
  }
}

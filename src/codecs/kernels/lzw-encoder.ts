// TIFF 6.0 section 13, the new kind of LZW.
const CLEAR = 256
const END = 257
const FIRST_FREE = 258
/** The table is begun anew before its last code, as the specification asks for. */
const LAST_CODE = 4093

/** Compresses bytes; the same bytes always give the same stream. */
export function encodeLzw(bytes: Uint8Array): Uint8Array {
  const codes = new CodeWriter(bytes.length)
  const table = new Map<number, number>()
  let prefix = -1
  codes.write(CLEAR)
  for (const byte of bytes) {
    if (prefix === -1) {
      prefix = byte
      continue
    }
    const key = prefix * 256 + byte
    const known = table.get(key)
    if (known !== undefined) {
      prefix = known
      continue
    }
    codes.write(prefix)
    prefix = byte
    table.set(key, FIRST_FREE + table.size)
    codes.widen(FIRST_FREE + table.size)
    if (FIRST_FREE + table.size > LAST_CODE) {
      codes.write(CLEAR)
      codes.widen(FIRST_FREE)
      table.clear()
    }
  }
  if (prefix !== -1) {
    codes.write(prefix)
    codes.widen(FIRST_FREE + table.size + 1)
  }
  codes.write(END)
  return codes.done()
}

class CodeWriter {
  readonly #bytes: Uint8Array
  #length = 0
  #word = 0
  #bits = 0
  #width = 9

  /** At worst every byte is a code of 12 bits, with a new table now and then. */
  constructor(length: number) {
    this.#bytes = new Uint8Array(Math.ceil(length * 1.51) + 16)
  }

  write(code: number): void {
    this.#word = (this.#word << this.#width) | code
    this.#bits += this.#width
    while (this.#bits >= 8) {
      this.#bits -= 8
      this.#bytes[this.#length++] = this.#word >> this.#bits
      this.#word &= (1 << this.#bits) - 1
    }
  }

  /** Codes widen one code early. */
  widen(free: number): void {
    this.#width = free + 1 > 2048 ? 12 : free + 1 > 1024 ? 11 : free + 1 > 512 ? 10 : 9
  }

  done(): Uint8Array {
    if (this.#bits > 0) this.#bytes[this.#length++] = this.#word << (8 - this.#bits)
    return this.#bytes.subarray(0, this.#length)
  }
}

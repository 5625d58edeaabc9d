// What the kernels of wasm/bytes do, a byte at a time: the judges of byte-kernels.test.ts. Undefined stands for damage.

export type Plain = (source: Uint8Array, room: number, enough: number) => number[] | undefined

/** Bytes that are read one by one, and content that grows by them. */
class Stream {
  readonly content: number[] = []
  readonly #source: Uint8Array
  readonly #room: number
  #at = 0
  isDamaged = false

  constructor(source: Uint8Array, room: number) {
    this.#source = source
    this.#room = room
  }

  get isAtEnd(): boolean {
    return this.isDamaged || this.#at >= this.#source.length
  }

  byte(): number {
    const byte = this.#source[this.#at++]
    if (byte === undefined) this.isDamaged = true
    return byte ?? 0
  }

  /** A length that goes on as long as bytes are 255; where the stream ends within it, what was read counts. */
  longer(length: number): number {
    for (let more = 255, total = length; ; ) {
      if (more < 255 || this.isAtEnd) return total
      more = this.byte()
      total += more
    }
  }

  literals(length: number): void {
    if (this.content.length + length > this.#room) this.isDamaged = true
    for (let i = 0; i < length && !this.isDamaged; i++) this.content.push(this.byte())
  }

  back(distance: number, length: number): void {
    const { content } = this
    if (distance < 1 || distance > content.length || content.length + length > this.#room) this.isDamaged = true
    for (let i = 0; i < length && !this.isDamaged; i++) content.push(content[content.length - distance] ?? 0)
  }

  run(value: number, length: number): void {
    if (this.content.length + length > this.#room) this.isDamaged = true
    for (let i = 0; i < length && !this.isDamaged; i++) this.content.push(value)
  }

  done(): number[] | undefined {
    return this.isDamaged ? undefined : this.content
  }
}

export const plainLz4: Plain = (source, room) => {
  const stream = new Stream(source, room)
  while (!stream.isAtEnd) {
    const token = stream.byte()
    stream.literals(token >> 4 === 15 ? stream.longer(15) : token >> 4)
    if (stream.isAtEnd) break
    const distance = stream.byte() + 256 * stream.byte()
    stream.back(distance, (token & 15) === 15 ? stream.longer(19) : (token & 15) + 4)
  }
  return stream.done()
}

export const plainBloscLz: Plain = (source, room) => {
  const stream = new Stream(source, room)
  for (let control = source.length === 0 ? 0 : stream.byte() & 31; source.length > 0; control = stream.byte()) {
    if (control < 32) stream.literals(control + 1)
    else {
      const length = control >> 5 === 7 ? stream.longer(9) : (control >> 5) + 2
      const near = stream.byte()
      const isFar = near === 255 && (control & 31) === 31
      stream.back(isFar ? 8192 + 256 * stream.byte() + stream.byte() : 256 * (control & 31) + near + 1, length)
    }
    if (stream.isAtEnd) break
  }
  return stream.done()
}

export const plainLzf: Plain = (source, room) => {
  const stream = new Stream(source, room)
  while (!stream.isAtEnd) {
    const control = stream.byte()
    if (control < 32) stream.literals(control + 1)
    else {
      const length = control >> 5 === 7 ? 9 + stream.byte() : (control >> 5) + 2
      stream.back(256 * (control & 31) + stream.byte() + 1, length)
    }
  }
  return stream.done()
}

export const plainPackbits: Plain = (source, room, enough) => {
  const stream = new Stream(source, room)
  while (!stream.isAtEnd && stream.content.length < enough) {
    const control = stream.byte()
    if (control < 128) stream.literals(Math.min(control + 1, enough - stream.content.length))
    else if (control > 128 && !stream.isAtEnd) stream.run(stream.byte(), 257 - control)
  }
  return stream.done()
}

/** All first bytes of items, all second bytes, ...; what is left over stays where it is. */
export function plainShuffle(items: Uint8Array, size: number): Uint8Array {
  const count = Math.floor(items.length / size)
  return items.map((byte, at) =>
    at < count * size ? (items[(at % count) * size + Math.floor(at / count)] ?? 0) : byte,
  )
}

/** The first bits of all first bytes, the second bits of these, ... of a multiple of 8 items. */
export function plainBitShuffle(items: Uint8Array, size: number): Uint8Array {
  const count = Math.floor(items.length / size)
  const result = new Uint8Array(items.length)
  for (let bit = 0; bit < 8 * size; bit++) {
    for (let item = 0; item < count; item++) {
      const value = ((items[item * size + (bit >> 3)] ?? 0) >> (bit & 7)) & 1
      const at = bit * count + item
      result[at >> 3] = (result[at >> 3] ?? 0) | (value << (at & 7))
    }
  }
  return result
}

/** Differences of numbers of `size` bytes, little-endian, to that of the pixel before. */
export function plainDifferences(bytes: Uint8Array, rowBytes: number, pixelBytes: number, size: number): Uint8Array {
  const result = new Uint8Array(bytes)
  const numberAt = (at: number) => {
    let number = 0n
    for (let byte = size - 1; byte >= 0; byte--) number = number * 256n + BigInt(bytes[at + byte] ?? 0)
    return number
  }
  for (let at = 0; at < bytes.length; at += size) {
    if (at % rowBytes < pixelBytes) continue
    let difference = BigInt.asUintN(8 * size, numberAt(at) - numberAt(at - pixelBytes))
    for (let byte = 0; byte < size; byte++, difference >>= 8n) result[at + byte] = Number(difference & 255n)
  }
  return result
}

// Rice codes of FITS and of CCSDS 121.0-B, a bit at a time: the judges of rice-kernels.test.ts. Undefined stands for damage.
import type { RiceSettings } from '../../../src/codecs/kernels/rice.ts'

class Bits {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isPast(): boolean {
    return this.#at > 8 * this.#bytes.length
  }

  read(bits: number): number {
    let value = 0
    for (let i = 0; i < bits; i++, this.#at++) {
      value = 2 * value + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1)
    }
    return value
  }

  /** Goes on at the next whole byte. */
  align(): void {
    this.#at = Math.ceil(this.#at / 8) * 8
  }

  unary(): number {
    for (let zeros = 0; ; zeros++) if (this.read(1) === 1 || this.isPast) return zeros
  }
}

/** Numbers of 8, 16 or 32 bits, without their signs. */
export function plainFitsRice(stored: Uint8Array, bytes: 1 | 2 | 4, blockLength: number, count: number) {
  const bits = new Bits(stored)
  const [idBits, whole] = ({ 1: [3, 6], 2: [4, 14], 4: [5, 25] } as const)[bytes]
  const numbers: number[] = []
  let last = bits.read(8 * bytes)
  let split = 0
  while (numbers.length < count) {
    if (numbers.length % blockLength === 0) split = bits.read(idBits) - 1
    if (split > whole || bits.isPast) return undefined
    if (split >= 0) {
      const code = split === whole ? bits.read(8 * bytes) : (bits.unary() << split) + bits.read(split)
      last += code % 2 === 0 ? code / 2 : -(code + 1) / 2
    }
    numbers.push(Number(BigInt.asUintN(8 * bytes, BigInt(last))))
  }
  return bits.isPast ? undefined : numbers
}

/** The mapped differences or samples of an interval. */
function interval(stream: Bits, settings: RiceSettings, idBits: number, count: number): number[] | undefined {
  const { bits, blockLength, blocks, predicted } = settings
  const samples: number[] = []
  while (samples.length < count) {
    const block = samples.length / blockLength
    const end = samples.length + blockLength
    const id = stream.read(idBits)
    if (id === 2 ** idBits - 1) while (samples.length < end) samples.push(stream.read(bits))
    else {
      const isPairs = id === 0 && stream.read(1) === 1
      if (predicted && block === 0) samples.push(stream.read(bits))
      if (id > 0) {
        const high = Array.from({ length: end - samples.length }, () => stream.unary())
        if (stream.isPast) return undefined
        samples.push(...high.map((value) => value * 2 ** (id - 1) + stream.read(id - 1)))
      } else if (isPairs) {
        while (samples.length < end) {
          const code = stream.unary()
          if (code > 90) return undefined
          let sum = 0
          while (((sum + 1) * (sum + 2)) / 2 <= code) sum++
          const second = code - (sum * (sum + 1)) / 2
          if ((end - samples.length) % 2 === 0) samples.push(sum - second)
          samples.push(second)
        }
      } else {
        const code = stream.unary() + 1
        const zeros = code === 5 ? Math.min(blocks - block, 64 - (block % 64)) : code - Number(code > 5)
        if (zeros > blocks - block || stream.isPast) return undefined
        while (samples.length < (block + zeros) * blockLength) samples.push(0)
      }
    }
    if (stream.isPast) return undefined
  }
  return samples.slice(0, count)
}

/** Samples of up to 16 bits. */
export function plainCcsds(stored: Uint8Array, settings: RiceSettings, total: number): number[] | undefined {
  const { bits, blockLength, blocks, predicted, restricted, aligned } = settings
  const idBits = bits > 8 ? 4 : restricted === true ? (bits > 2 ? 2 : 1) : 3
  const stream = new Bits(stored)
  const most = 2 ** bits - 1
  const result: number[] = []
  while (result.length < total) {
    const samples = interval(stream, settings, idBits, Math.min(blocks * blockLength, total - result.length))
    if (samples === undefined) return undefined
    // Section 4.4: differences that are possible in both directions alternate, those beyond go on in the one that is left.
    for (let i = 1; predicted && i < samples.length; i++) {
      const [before = 0, mapped = 0] = [samples[i - 1], samples[i]]
      const both = Math.min(before, most - before)
      if (mapped <= 2 * both) samples[i] = before + (mapped % 2 === 0 ? mapped / 2 : -(mapped + 1) / 2)
      else samples[i] = before === both ? mapped : most - mapped
    }
    result.push(...samples)
    if (aligned === true) stream.align()
  }
  return result
}

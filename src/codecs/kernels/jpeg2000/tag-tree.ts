// T.800 B.10.2: numbers of a grid, told together with the least ones of ever larger squares of it.
import { malformed } from '../../../errors.ts'
import type { PacketBits } from './packet-bits.ts'

interface Level {
  readonly width: number
  /** What is known of each number: it is at least this, or exactly. */
  readonly atLeast: Int32Array
  readonly isKnown: Uint8Array
}

export class TagTree {
  /** The grid itself last. */
  readonly #levels: readonly Level[]

  constructor(width: number, height: number) {
    const levels: Level[] = []
    for (let [across, down] = [width, height]; ; across = (across + 1) >> 1, down = (down + 1) >> 1) {
      levels.unshift({ width: across, atLeast: new Int32Array(across * down), isKnown: new Uint8Array(across * down) })
      if (across * down <= 1) break
    }
    this.#levels = levels
  }

  /** Reads until it is known whether a number is below a bound. */
  isBelow(bound: number, x: number, y: number, bits: PacketBits): boolean {
    let [least, isBelow] = [0, false]
    for (const [depth, { width, atLeast, isKnown }] of this.#levels.entries()) {
      const up = this.#levels.length - 1 - depth
      const place = (y >> up) * width + (x >> up)
      least = Math.max(least, atLeast[place] ?? 0)
      while (least < bound && isKnown[place] === 0) {
        if (bits.bit() === 1) isKnown[place] = 1
        else least++
      }
      atLeast[place] = least
      isBelow = isKnown[place] === 1 && least < bound
    }
    return isBelow
  }

  /** A number, which may be at most so large. */
  value(most: number, x: number, y: number, bits: PacketBits): number {
    for (let value = 0; value <= most; value++) if (this.isBelow(value + 1, x, y, bits)) return value
    throw malformed(`a JPEG 2000 packet has a number over ${most} in a tag tree`)
  }
}

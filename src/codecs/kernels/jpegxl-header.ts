// ISO/IEC 18181-1 annexes C to E: what the first bits of a JPEG XL codestream say.

import { malformed, unsupported } from '../../errors.ts'
import { boxesOf } from './boxes.ts'

/** Colours of sRGB, or others that are red, green and blue. */
type JpegXlColours = 'grey' | 'srgb' | 'other'

/** Size and samples of a picture. */
export interface JpegXlHeader {
  readonly width: number
  readonly height: number
  readonly bits: 8 | 16
  readonly colours: JpegXlColours
  readonly alpha: boolean
}

/** Reads the header of a picture of 8 or 16 bits; `unsupported-feature` names everything else. */
export function jpegXlHeader(bytes: Uint8Array): JpegXlHeader {
  const bits = new LowBits(codestreamOf(bytes))
  if (bits.read(16) !== 0x0aff) throw malformed('a block is no JPEG XL picture')
  const small = bits.flag()
  const height = small ? 8 * (1 + bits.read(5)) : 1 + bits.choice(9, 13, 18, 30)
  const ratio = RATIOS[bits.read(3)]
  const width =
    ratio === undefined
      ? small
        ? 8 * (1 + bits.read(5))
        : 1 + bits.choice(9, 13, 18, 30)
      : Math.floor((height * ratio[0]) / ratio[1])
  // The default: colours of 8 bits in sRGB.
  if (bits.flag()) return { width, height, bits: 8, colours: 'srgb', alpha: false }
  if (bits.flag()) skipExtraFields(bits)
  const depth = readDepth(bits)
  // Whether 16 bits are enough to decode it in.
  bits.flag()
  const alpha = readExtraChannels(bits, depth)
  const isXyb = bits.flag()
  return { width, height, bits: depth, colours: readColours(bits, isXyb), alpha }
}

/** Shapes that need no width; the first is "none of these". */
const RATIOS: ReadonlyArray<readonly [number, number] | undefined> = [
  undefined,
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
]

function refuse(what: string): never {
  throw unsupported(`JPEG XL with ${what}`, `JPEG XL with ${what} is not decoded`)
}

function skipExtraFields(bits: LowBits): void {
  if (bits.read(3) !== 0) refuse('an orientation')
  if (bits.flag() || bits.flag() || bits.flag()) refuse('an intrinsic size, a preview or an animation')
}

function readDepth(bits: LowBits): 8 | 16 {
  if (bits.flag()) refuse('floats')
  const depth = [8, 10, 12][bits.read(2)] ?? 1 + bits.read(6)
  return depth === 8 || depth === 16 ? depth : refuse(`${depth} bits`)
}

/** Whether there is an alpha, of the plainest kind; nothing else is asked for in TIFF. */
function readExtraChannels(bits: LowBits, depth: 8 | 16): boolean {
  const choice = bits.read(2)
  if (choice === 0) return false
  // All defaults: an alpha of 8 bits.
  const isDefault = choice === 1 && bits.flag()
  if (!isDefault && (choice !== 1 || bits.enumeration() !== ALPHA)) refuse('channels besides colour and alpha')
  const alpha = isDefault ? 8 : readDepth(bits)
  if (alpha !== depth) refuse(`an alpha of ${alpha} bits`)
  if (!isDefault && bits.read(2) !== 0) refuse('an alpha of another size')
  if (!isDefault && bits.read(2) !== 0) refuse('an alpha with a name')
  if (!isDefault && bits.flag()) refuse('colours that are multiplied by alpha')
  return true
}

const ALPHA = 0

/**
 * Samples come out as they went in, whatever colours they are of. Those that were turned into XYB are turned back: into
 * sRGB, or its linear kind.
 */
function readColours(bits: LowBits, isXyb: boolean): JpegXlColours {
  if (bits.flag()) return 'srgb'
  const hasProfile = bits.flag()
  const space = bits.enumeration()
  if (space > GREY) refuse('colours that are neither grey nor RGB')
  const colours = space === GREY ? 'grey' : 'other'
  if (!isXyb) return colours
  const white = hasProfile ? undefined : bits.enumeration()
  const primaries = space === GREY ? 1 : bits.enumeration()
  const hasGamma = bits.flag()
  if (white !== 1 || primaries !== 1 || hasGamma || !TRANSFERS.has(bits.enumeration()))
    refuse('other colours than those of sRGB')
  return colours
}

const GREY = 1
/** Linear, and that of sRGB. */
const TRANSFERS: ReadonlySet<number> = new Set([8, 13])

/** A bare codestream, or what a container has in its first box of one. */
function codestreamOf(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0xff) return bytes
  for (const { kind, content } of boxesOf(bytes)) {
    if (kind === 'jxlc') return content
    if (kind === 'jxlp') return content.subarray(4)
  }
  throw malformed('a block is no JPEG XL picture')
}

/** Bits, the lowest of each byte first. */
class LowBits {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  read(count: number): number {
    let value = 0
    for (let bit = 0; bit < count; bit++, this.#at++) {
      const byte = this.#bytes[this.#at >> 3]
      if (byte === undefined) throw malformed('a JPEG XL picture ends in its header')
      value += ((byte >> (this.#at & 7)) & 1) * 2 ** bit
    }
    return value
  }

  flag(): boolean {
    return this.read(1) === 1
  }

  /** A number of one of four widths. */
  choice(...widths: readonly [number, number, number, number]): number {
    return this.read(widths[this.read(2)] ?? 0)
  }

  enumeration(): number {
    const choice = this.read(2)
    if (choice < 2) return choice
    return choice === 2 ? 2 + this.read(4) : 18 + this.read(6)
  }
}

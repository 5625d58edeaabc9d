// TIFF 6.0 sections 20 and 21: YCbCr samples of 8 bits, chroma at a lower resolution, as libtiff turns them into RGB (tif_color.c): GDAL serves what
// libtiff makes of them.
import { malformed } from '../../errors.ts'
import type { ChunkLayout } from '../codec.ts'
import { internalSerial } from '../internal.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { surplusOfBlock } from './rows.ts'

/** What the tags YCbCrCoefficients and ReferenceBlackWhite say. */
export interface YcbcrColours {
  /** Shares of red, green and blue in the luma. */
  readonly luma?: readonly number[]
  /** Black and white of each component. */
  readonly reference?: readonly number[]
}

/** ITU-R BT.601. */
const LUMA = [0.299, 0.587, 0.114]
const REFERENCE = [0, 255, 128, 255, 128, 255]

/** Blocks of units: the luma of `across` times `down` pixels, then their Cb and Cr. Chroma is repeated. */
export const tiffYcbcr = internalSerial<YcbcrParameters>({
  name: 'vz.tiff-ycbcr',
  mayLackRows: true,
  prepare: ({ across, down, block, ...colours }, layout) => {
    const convert = ycbcrConverter(colours)
    const unit = { across, down, bytes: across * down + 2 }
    return {
      surplus: surplusOfBlock(unitBytes(layout, unit), block),
      decode: (bytes, { inside }) => {
        const [rows = 1, columns = 1] = layout.shape
        const needed = Math.ceil((inside?.[0] ?? rows) / down) * Math.ceil(columns / across) * unit.bytes
        if (bytes.length < needed)
          throw malformed(`a YCbCr block decodes to ${bytes.length} bytes, ${needed} are expected`)
        const pixels = chunkMemory.zeros(rows * columns * 3)
        unpackUnits(bytes, pixels, rows, columns, unit)
        convert(pixels)
        return { kind: 'fixed', bytes: pixels }
      },
    }
  },
})

interface YcbcrParameters extends YcbcrColours {
  /** Pixels of a unit. */
  readonly across: number
  readonly down: number
  /** How many bytes a whole block decodes to. */
  readonly block?: number
}

interface Unit {
  readonly across: number
  readonly down: number
  readonly bytes: number
}

function unitBytes({ shape: [rows = 1, columns = 1] }: ChunkLayout, { across, down, bytes }: Unit): number {
  return Math.ceil(rows / down) * Math.ceil(columns / across) * bytes
}

function unpackUnits(bytes: Uint8Array, to: Uint8Array, rows: number, columns: number, unit: Unit): void {
  const { across, down } = unit
  let at = 0
  for (let top = 0; top < rows; top += down) {
    for (let left = 0; left < columns && at < bytes.length; left += across, at += unit.bytes) {
      const blue = bytes[at + across * down] ?? 0
      const red = bytes[at + across * down + 1] ?? 0
      const bottom = Math.min(down, rows - top)
      const right = Math.min(across, columns - left)
      for (let y = 0; y < bottom; y++) {
        for (let x = 0; x < right; x++) {
          const pixel = 3 * ((top + y) * columns + left + x)
          to[pixel] = bytes[at + y * across + x] ?? 0
          to[pixel + 1] = blue
          to[pixel + 2] = red
        }
      }
    }
  }
}

/** Bits of fractions. */
const SHIFT = 16
const HALF = 1 << (SHIFT - 1)
/** libtiff bounds what unusual references make of a sample. */
const MAX_CODE = 128 * 32

/** Turns pixels of YCbCr into RGB, in place; throws where the tags make no colours. */
export function ycbcrConverter({ luma = LUMA, reference = REFERENCE }: YcbcrColours): (pixels: Uint8Array) => void {
  // libtiff computes in 32-bit floats.
  const [red = 0, green = 0, blue = 0] = luma.map(Math.fround)
  const codes = reference.map(Math.fround)
  if (![red, green, blue].every(Number.isFinite) || green === 0)
    throw malformed(`YCbCrCoefficients are ${luma.join(', ')}, which make no colours`)
  if (codes.length !== 6 || !codes.every((code) => Math.abs(code) < 2 ** 31))
    throw malformed(`ReferenceBlackWhite is ${reference.join(', ')}, which makes no colours`)
  const [yBlack = 0, yWhite = 0, blueBlack = 0, blueWhite = 0, redBlack = 0, redWhite = 0] = codes
  const redFactor = Math.fround(2 - Math.fround(2 * red))
  const blueFactor = Math.fround(2 - Math.fround(2 * blue))
  const redOfGreen = Math.fround(Math.fround(red * redFactor) / green)
  const blueOfGreen = Math.fround(Math.fround(blue * blueFactor) / green)
  const tables = new Int32Array(5 * 256)
  for (let code = 0; code < 256; code++) {
    const centred = code - 128
    const cr = sampleValue(centred, Math.fround(redBlack - 128), Math.fround(redWhite - 128), 127)
    const cb = sampleValue(centred, Math.fround(blueBlack - 128), Math.fround(blueWhite - 128), 127)
    tables[code] = sampleValue(code, yBlack, yWhite, 255)
    tables[256 + code] = (fixed(redFactor) * cr + HALF) >> SHIFT
    tables[512 + code] = (fixed(blueFactor) * cb + HALF) >> SHIFT
    tables[768 + code] = -fixed(redOfGreen) * cr
    tables[1024 + code] = -fixed(blueOfGreen) * cb + HALF
  }
  return (pixels) => {
    for (let at = 0; at + 2 < pixels.length; at += 3) {
      const y = tables[pixels[at] ?? 0] ?? 0
      const b = pixels[at + 1] ?? 0
      const r = pixels[at + 2] ?? 0
      pixels[at] = clamped(y + (tables[256 + r] ?? 0))
      pixels[at + 1] = clamped(y + (((tables[768 + r] ?? 0) + (tables[1024 + b] ?? 0)) >> SHIFT))
      pixels[at + 2] = clamped(y + (tables[512 + b] ?? 0))
    }
  }
}

/** The value of a code between black and white, rounded towards zero. */
function sampleValue(code: number, black: number, white: number, range: number): number {
  const span = Math.fround(white - black)
  const value = Math.fround(Math.fround((code - Math.trunc(black)) * range) / (span === 0 ? 1 : span))
  return Math.trunc(Math.max(-MAX_CODE, Math.min(value, MAX_CODE)))
}

function fixed(factor: number): number {
  return Math.trunc(Math.fround(Math.max(0, Math.min(factor, 2)) * 2 ** SHIFT) + 0.5)
}

function clamped(value: number): number {
  return Math.max(0, Math.min(value, 255))
}

import { COMPRESSION } from './compression.ts'
import type { Image } from './image.ts'

/** Values of PhotometricInterpretation, as libtiff names them. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'MINISWHITE'],
  [1, 'MINISBLACK'],
  [2, 'RGB'],
  [3, 'PALETTE'],
  [4, 'MASK'],
  [5, 'SEPARATED'],
  [6, 'YCBCR'],
  [8, 'CIELAB'],
  [9, 'ICCLAB'],
  [10, 'ITULAB'],
  [32_803, 'CFA'],
  [32_844, 'LOGL'],
  [32_845, 'LOGLUV'],
  [34_892, 'LINEARRAW'],
  [51_177, 'DEPTH'],
])

export const PHOTOMETRIC = { rgb: 2, palette: 3, mask: 4, yCbCr: 6 } as const

/** Compressions of bytes: they hold YCbCr in units of pixels (TIFF 6.0 section 21). */
const OF_BYTES: ReadonlySet<number> = new Set([
  COMPRESSION.none,
  COMPRESSION.lzw,
  COMPRESSION.deflate,
  COMPRESSION.oldDeflate,
  COMPRESSION.packBits,
  COMPRESSION.lzma,
  COMPRESSION.zstd,
])

/** Whether the blocks are units of luma and chroma, and no rows of samples. */
export function storesYcbcrUnits({ photometric, compression }: Image): boolean {
  return photometric === PHOTOMETRIC.yCbCr && OF_BYTES.has(compression)
}

/** What the served samples are: YCbCr becomes RGB. */
export function servedPhotometric({ photometric }: Image): number {
  return photometric === PHOTOMETRIC.yCbCr ? PHOTOMETRIC.rgb : photometric
}

/** The name of a PhotometricInterpretation, or its number. */
export function photometricName(photometric: number): string {
  return NAMES.get(photometric) ?? String(photometric)
}

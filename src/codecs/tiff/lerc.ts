// GDAL's compression 34887: LERC blobs, perhaps compressed once more.
import type { Endian } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'
import { type DataType, itemSize, type Scalar, zeroOf } from '../../model/data-type.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import type { ChunkLayout } from '../codec.ts'
import { packedLength } from '../elements.ts'
import { internalSerial } from '../internal.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { inflateZlib, inflateZstd } from '../kernels/inflate.ts'
import { decodeLerc, type LercBand, type LercPicture, type LercType, lercHeader } from '../kernels/lerc.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'
import { requireSize } from '../kernels/wasm-decoder.ts'

/**
 * LERC. Pixels that hold nothing are NaN in floats; in integers they are the fill value, or an alpha sample that the mask
 * stands for (libtiff does the same).
 */
export const tiffLerc = internalSerial<LercParameters>({
  name: 'vz.tiff-lerc',
  prepare: ({ additional = 'none', endian }, layout) => ({
    decode: async (bytes, { limit, fillValue }) => {
      const picture = await lercPicture(bytes, additional, layout, limit)
      const native = endian === 'big' ? swapped(picture, layout.dataType) : picture
      return { kind: 'fixed', bytes: joinedLerc(native, layout, missing(layout.dataType, fillValue)) }
    },
  }),
})

interface LercParameters {
  readonly additional?: LercAdditional
  /** That of the file: libtiff swaps the bytes of samples before it compresses them. */
  readonly endian?: Endian
}

/** How blobs are compressed once more. */
export type LercAdditional = 'none' | 'deflate' | 'zstd'

/** The picture of a block, whose header fits the layout. */
export async function lercPicture(
  bytes: Uint8Array,
  additional: LercAdditional,
  layout: ChunkLayout,
  limit: number,
): Promise<LercPicture> {
  const most = Math.min(limit, 2 * (packedLength(layout) ?? 0) + 65_536)
  const blob =
    additional === 'none' ? bytes : additional === 'zstd' ? inflateZstd(bytes, most) : inflateZlib(bytes, most)
  requireHeader(blob, layout)
  return await decodeLerc(blob, layout.shape[2] ?? 1)
}

const MOST_BANDS = 65_535

function requireHeader(blob: Uint8Array, { shape, dataType }: ChunkLayout): void {
  const header = lercHeader(blob)
  requireSize('a LERC block', header, shape)
  const samples = shape[2] ?? 1
  if (header.depth < 1 || header.depth > samples || header.depth > MOST_BANDS) {
    throw malformed(`a LERC block has ${header.depth} samples, expected ${samples}`)
  }
  if (header.blobBytes > blob.length) throw malformed(`a LERC block of ${header.blobBytes} bytes is cut off`)
  if (lercType(dataType) !== header.type) throw malformed(`a LERC block holds ${header.type}, which its array does not`)
}

/** The LERC type of samples; `unsupported-feature` where there is none. */
export function lercType(type: DataType): LercType {
  switch (type.kind) {
    case 'int':
    case 'uint':
      if (type.bits !== 64) return `${type.kind === 'int' ? 'S' : 'U'}${type.bits}`
      break
    case 'float':
      if (type.bits !== 16) return `F${type.bits}`
  }
  throw unsupported('LERC of this data type', `LERC has no data type for ${type.kind} samples`)
}

function swapped({ depth, bands }: LercPicture, type: DataType): LercPicture {
  return { depth, bands: bands.map(({ bytes, valid }) => ({ bytes: swapBytes(bytes, type), valid })) }
}

/** The samples of all bands side by side, with one value where a pixel holds nothing. */
export function joinedLerc(picture: LercPicture, { shape, dataType }: ChunkLayout, invalid: Uint8Array): Uint8Array {
  const [rows = 1, columns = 1, samples = 1] = shape
  const { depth, bands } = picture
  const size = itemSize(dataType) ?? 1
  const stored = depth * bands.length
  const hasAlpha = stored === samples - 1 && dataType.kind === 'uint' && dataType.bits === 8
  if (stored !== samples && !hasAlpha) throw malformed(`a LERC block has ${stored} samples, expected ${samples}`)
  const length = rows * columns * samples * size
  // A lone band lies as it is wanted.
  const alone = depth === samples ? bands[0]?.bytes.subarray(0, length) : undefined
  const bytes = alone ?? chunkMemory.zeros(length)
  for (const [band, { bytes: values, valid }] of bands.entries()) {
    const step = depth * size
    if (alone === undefined)
      for (let pixel = 0; pixel < rows * columns; pixel++) {
        const to = (pixel * samples + band * depth) * size
        for (let at = 0; at < step; at++) bytes[to + at] = values[pixel * step + at] ?? 0
      }
    if (valid !== undefined && !hasAlpha) blank(bytes, valid, { size, samples, first: band * depth, depth }, invalid)
  }
  if (hasAlpha) addAlpha(bytes, bands[0], samples)
  return bytes
}

function missing(type: DataType, fillValue: Scalar | undefined): Uint8Array {
  if (type.kind === 'float') return scalarToBytes({ kind: 'number', value: Number.NaN }, type)
  return scalarToBytes(fillValue ?? zeroOf(type), type)
}

interface Samples {
  readonly size: number
  readonly samples: number
  readonly first: number
  readonly depth: number
}

function blank(
  bytes: Uint8Array,
  valid: Uint8Array,
  { size, samples, first, depth }: Samples,
  value: Uint8Array,
): void {
  for (let pixel = 0; pixel * samples * size < bytes.length; pixel++) {
    if (valid[pixel] !== 0) continue
    for (let sample = first; sample < first + depth; sample++) bytes.set(value, (pixel * samples + sample) * size)
  }
}

function addAlpha(bytes: Uint8Array, band: LercBand | undefined, samples: number): void {
  for (let pixel = 0; pixel * samples < bytes.length; pixel++) {
    bytes[pixel * samples + samples - 1] = band?.valid?.[pixel] === 0 ? 0 : 255
  }
}

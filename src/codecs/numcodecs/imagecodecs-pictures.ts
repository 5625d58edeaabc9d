// Pictures by the names of the Python package imagecodecs: what tifffile and kerchunk write of TIFF, and virtual-tiff publishes.
import { malformed, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { type DataType, itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { ChunkLayout, DecodeContext, Elements, SerialCodec, SerialStep } from '../codec.ts'
import { fixedBytes } from '../elements.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'
import { jpeg2000Pixels } from '../tiff/jpeg2000.ts'
import { jpegXlPixels } from '../tiff/jpegxl.ts'
import { joinedLerc, lercPicture, lercType } from '../tiff/lerc.ts'
import { pngPixels } from '../tiff/png.ts'
import { webpPixels } from '../tiff/webp.ts'
import { jpegPixels } from './imagecodecs-jpeg.ts'

type Decode = SerialStep['decode']
/** For pictures of this layout: rows, columns and samples. */
type Prepare = (layout: ChunkLayout, configuration: JsonObject) => Decode

/** Samples of a pixel and bits of a sample that a decoder gives. */
type Takes = (samples: number, type: DataType) => boolean

export const IMAGECODECS_PICTURES: readonly SerialCodec[] = [
  picture('jpeg', (samples, type) => isUint(type, 8, 16) && samples <= 4, jpegPixels),
  picture(
    'jpeg2k',
    (_samples, type) => isWhole(type),
    (layout) => (bytes) => jpeg2000Pixels(bytes, layout),
  ),
  picture(
    'jpegxl',
    (samples, type) => isUint(type, 8, 16) && samples <= 4,
    (layout) => (bytes) => jpegXlPixels(bytes, layout, 8 * (itemSize(layout.dataType) ?? 1)),
  ),
  picture(
    'png',
    (samples, type) => isUint(type, 8, 16) && samples <= 4,
    (layout) => (bytes) => pngPixels(bytes, layout),
  ),
  picture(
    'webp',
    (samples, type) => isUint(type, 8) && (samples === 3 || samples === 4),
    (layout) => (bytes) => webpPixels(bytes, layout),
  ),
  picture('lerc', (_samples, type) => lercType(type) !== undefined, lercPixels),
]

function picture(name: string, takes: Takes, prepare: Prepare): SerialCodec {
  return {
    kind: 'serial',
    name: `imagecodecs_${name}`,
    reach: 'native',
    behindBytes: true,
    prepare: (configuration, { shape, dataType }) => {
      const pictures = picturesOf(shape)
      if (!pictures.some(([, , samples = 1]) => takes(samples, dataType))) {
        const what = `imagecodecs_${name} in chunks of shape [${shape}] of ${dataType.kind}`
        throw unsupported(what, `${what} is not decoded`)
      }
      const decoders = pictures.map((pixels) => prepare({ shape: pixels, dataType }, configuration))
      return {
        decode: async (bytes, context) => {
          const elements = await first(decoders, bytes, context)
          // Clients view the pixels, which are in the order of their machine, as what `bytes` says.
          if (configuration['endian'] !== 'big') return elements
          return { kind: 'fixed', bytes: swapBytes(fixedBytes(elements, name), dataType) }
        },
      }
    },
  }
}

/** Rows, columns and samples that a chunk may have: axes of length 1 may lie before them. */
function picturesOf(shape: readonly number[]): (readonly number[])[] {
  const isAlone = (rank: number) => shape.length >= rank && elementCount(shape.slice(0, -rank)) === 1
  return [...(isAlone(2) ? [[...shape.slice(-2), 1]] : []), ...(isAlone(3) ? [shape.slice(-3)] : [])]
}

/** The first that is no error of ours, else the first error. */
async function first(decoders: readonly Decode[], bytes: Uint8Array, context: DecodeContext): Promise<Elements> {
  const [decode, ...others] = decoders
  if (decode === undefined) throw malformed('a picture in a chunk of more than three dimensions')
  try {
    return await decode(bytes, context)
  } catch (error) {
    if (others.length === 0) throw error
    return await first(others, bytes, context).catch(() => Promise.reject(error))
  }
}

/** Deflate or zstd may be around a blob; pixels that hold nothing are 0. */
function lercPixels(layout: ChunkLayout): Decode {
  return async (bytes, { limit }) => {
    const additional = bytes[0] === 0x4c ? 'none' : bytes[0] === 0x28 ? 'zstd' : 'deflate'
    const decoded = await lercPicture(bytes, additional, layout, limit)
    return { kind: 'fixed', bytes: joinedLerc(decoded, layout, new Uint8Array(itemSize(layout.dataType) ?? 1)) }
  }
}

function isUint(type: DataType, ...bits: readonly number[]): boolean {
  return type.kind === 'uint' && bits.includes(type.bits)
}

function isWhole(type: DataType): boolean {
  return (type.kind === 'uint' || type.kind === 'int') && type.bits <= 32
}

// TIFF 6.0 sections 9 to 14 and 22, its supplements, and the private compressions of libtiff and GDAL.
import type { Endian } from '../../bytes/cursor.ts'
import { tiffCcitt } from '../../codecs/tiff/ccitt.ts'
import { tiffComplexInt } from '../../codecs/tiff/complex-int.ts'
import { tiffFillOrder } from '../../codecs/tiff/fill-order.ts'
import { tiffJpeg } from '../../codecs/tiff/jpeg.ts'
import { tiffJpeg2000 } from '../../codecs/tiff/jpeg2000.ts'
import { tiffJpegXl } from '../../codecs/tiff/jpegxl.ts'
import { type LercAdditional, tiffLerc } from '../../codecs/tiff/lerc.ts'
import { tiffNext, tiffThunderscan } from '../../codecs/tiff/next.ts'
import { tiffOldJpeg } from '../../codecs/tiff/old-jpeg.ts'
import { tiffPng } from '../../codecs/tiff/png.ts'
import { tiffPredictor2 } from '../../codecs/tiff/predictor.ts'
import { tiffRows } from '../../codecs/tiff/rows.ts'
import { tiffUnpack } from '../../codecs/tiff/unpack.ts'
import { tiffWebp } from '../../codecs/tiff/webp.ts'
import { tiffYcbcr, type YcbcrColours } from '../../codecs/tiff/ycbcr.ts'
import { malformed, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { Encoding, StoredCodec } from '../../model/encoding.ts'
import { COMPRESSION, compressionName } from './compression.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'
import type { Image } from './image.ts'
import { PHOTOMETRIC, storesYcbcrUnits } from './photometric.ts'
import { NO_PREDICTOR, predictorOf } from './predictors.ts'
import type { SampleType } from './samples.ts'

/** Interleaved samples lie as (y, x, band), and are served as (band, y, x). */
const INTERLEAVED: StoredCodec = { name: 'transpose', configuration: { order: [1, 2, 0] } }

/** Compressions of writers that are known to leave tiles without their rows outside of the image. */
const CUT: ReadonlySet<number> = new Set([COMPRESSION.none, COMPRESSION.lzw, COMPRESSION.packBits])

/**
 * How the blocks of an image are stored: the usual way, and for tiles at the lower edge that may be cut off, a second one,
 * so that they are not passed on as they are.
 */
export function encodingsOf(image: Image, type: SampleType, tags: Tags): readonly Encoding[] {
  const usual = encodingOf(image, type, tags)
  const rows = image.height % image.blocks.height
  if (!image.blocks.tiled || rows === 0 || !type.native || !CUT.has(image.compression)) return [usual]
  const block = blockBytes(image)
  const isSerial = ({ name }: StoredCodec) => name === 'bytes' || name === tiffRows.name
  const cut = ({ configuration: { endian } }: StoredCodec) =>
    tiffRows.stored({ endian: endian === 'big' ? 'big' : 'little', block, cut: true })
  return [usual, usual.map((step) => (isSerial(step) ? cut(step) : step))]
}

/** From the array outward. */
function encodingOf(image: Image, type: SampleType, tags: Tags): Encoding {
  const picture = pictureCodec(image, tags)
  const outermost: StoredCodec[] = image.reversedBits && !readsBits(image) ? [tiffFillOrder.stored({})] : []
  if (picture !== undefined) checkColour(image)
  if (picture !== undefined) return [...turned(image.samples > 1), picture, ...outermost]
  const compressor = compressorOf(image)
  if (storesYcbcrUnits(image)) return [INTERLEAVED, ...ycbcrCodecs(image, type, tags, compressor), ...outermost]
  const predictor = compressor === undefined ? NO_PREDICTOR : predictorOf(image, type, tags.endian, compressor)
  const bytes = [...predictor.bytes, ...(compressor === undefined ? [] : [compressor]), ...outermost]
  const block = blockBytes(image)
  if (type.native) {
    const { array, endian = tags.endian } = predictor
    const serial = bytes.length === 0 ? codec('bytes', { endian }) : tiffRows.stored({ endian, block })
    return [...turned(image.samples > 1 && !image.planar), ...array, serial, ...bytes]
  }
  return [...turned(image.samples > 1), unpackCodec(image, tags.endian, block), ...bytes]
}

/** What a whole block decodes to; more than numbers can say is more than is decoded. */
function blockBytes({ blocks, planar, samples, bits }: Image): number {
  const rowBytes = Math.ceil((blocks.width * (planar ? 1 : samples) * bits) / 8)
  return Math.min(rowBytes * blocks.height, Number.MAX_SAFE_INTEGER)
}

/** Codecs that know rows always see (rows, columns, samples), with one sample where planes lie apart. */
function turned(isTurned: boolean): StoredCodec[] {
  return isTurned ? [INTERLEAVED] : []
}

function codec(name: string, configuration: JsonObject = {}): StoredCodec {
  return { name, configuration }
}

function unpackCodec({ kind, bits }: Image, endian: Endian, block: number): StoredCodec {
  if (kind === 'complex-int') return tiffComplexInt.stored({ bits, endian, block })
  // Integers of odd sizes are a stream of bits, highest first, in files of either order: so read GDAL and tifffile 24 bits.
  const isFloat = kind === 'float'
  return tiffUnpack.stored({ bits, float: isFloat, endian: isFloat ? endian : 'big', block })
}

/** Compressions of bytes; undefined for none. */
function compressorOf({ compression }: Image): StoredCodec | undefined {
  switch (compression) {
    case COMPRESSION.none:
      return undefined
    case COMPRESSION.lzw:
      return codec('imagecodecs_lzw')
    case COMPRESSION.deflate:
    case COMPRESSION.oldDeflate:
      return codec('numcodecs.zlib', { level: 1 })
    case COMPRESSION.packBits:
      return codec('imagecodecs_packbits')
    case COMPRESSION.lzma:
      return codec('numcodecs.lzma', { format: 1 })
    case COMPRESSION.zstd:
      return codec('zstd', { level: 0, checksum: false })
  }
  const name = compressionName(compression)
  throw unsupported(`TIFF compression ${name}`, `TIFF compression ${name} is not decoded`)
}

/** Compressions of whole pictures; undefined for all others. */
function pictureCodec(image: Image, tags: Tags): StoredCodec | undefined {
  const { bits, photometric } = image
  const samples = image.planar ? 1 : image.samples
  switch (image.compression) {
    case COMPRESSION.ccittRle:
    case COMPRESSION.ccittFax3:
    case COMPRESSION.ccittFax4:
      return faxCodec(image, tags)
    case COMPRESSION.next:
      requireBits(image, 2, 'NeXT')
      return tiffNext.stored({})
    case COMPRESSION.thunderScan:
      requireBits(image, 4, 'ThunderScan')
      return tiffThunderscan.stored({})
    case COMPRESSION.jpeg: {
      const tables = tags.bytes(TAG.jpegTables)
      const base64 = tables === undefined ? null : Buffer.from(tables).toString('base64')
      return tiffJpeg.stored({ tables: base64, photometric })
    }
    case COMPRESSION.oldJpeg: {
      const process = tags.number(TAG.jpegProcess) ?? 1
      if (process !== 1 || image.planar || bits !== 8)
        throw unsupported(
          'old JPEG of this kind',
          'old JPEG is decoded where it is baseline, of 8 bits and not in planes',
        )
      const header = Buffer.from(tags.bytes(TAG.jpegTables) ?? []).toString('base64')
      return tiffOldJpeg.stored({ header, photometric, ...ycbcrColours(tags) })
    }
    case COMPRESSION.webp:
      return tiffWebp.stored({})
    case COMPRESSION.lerc:
      return tiffLerc.stored({ additional: lercAdditional(tags), endian: tags.endian })
    case COMPRESSION.jpeg2000:
    case COMPRESSION.jpeg2000Aperio:
      return tiffJpeg2000.stored({ samples })
    case COMPRESSION.jpegXl:
    case COMPRESSION.jpegXlDng:
      return tiffJpegXl.stored({ samples, bits })
    case COMPRESSION.png:
      return tiffPng.stored({})
  }
  return undefined
}

function requireBits({ bits, samples, planar }: Image, expected: number, name: string): void {
  if (bits === expected && (samples === 1 || planar)) return
  throw malformed(`${name} compression is defined for one sample of ${expected} bits, not for ${samples} of ${bits}`)
}

function faxCodec(image: Image, tags: Tags): StoredCodec {
  const { compression, reversedBits } = image
  requireBits(image, 1, 'CCITT')
  const options = tags.number(compression === COMPRESSION.ccittFax4 ? TAG.t6Options : TAG.t4Options) ?? 0
  return tiffCcitt.stored({ compression, options, fillOrder: reversedBits ? 2 : 1 })
}

function lercAdditional(tags: Tags): LercAdditional {
  const additional = tags.numbers(TAG.lercParameters)?.[1] ?? 0
  const name = (['none', 'deflate', 'zstd'] as const)[additional]
  if (name === undefined) throw malformed(`LERC's additional compression is ${additional}, expected 0, 1 or 2`)
  return name
}

/** libtiff leaves the bits of these as they are: their decoders read them in their own order. */
function readsBits({ compression }: Image): boolean {
  return (
    compression === COMPRESSION.ccittRle ||
    compression === COMPRESSION.ccittFax3 ||
    compression === COMPRESSION.ccittFax4 ||
    compression === COMPRESSION.jpeg
  )
}

/** Units of pixels for which libtiff makes RGB of YCbCr (tif_getimage.c, PickContigCase). */
const UNITS = ['1,1', '1,2', '2,1', '2,2', '4,1', '4,2', '4,4']

/** Chroma lies in units of its own (TIFF 6.0 section 21), 2 by 2 pixels where nothing is said. */
function ycbcrCodecs(image: Image, _type: SampleType, tags: Tags, compressor: StoredCodec | undefined): StoredCodec[] {
  const { bits, samples, planar, kind, predictor, blocks } = image
  const [across = 2, down = 2] = tags.numbers(TAG.yCbCrSubsampling) ?? []
  const isPredicted = compressor !== undefined && predictor !== 1
  const units = [across, down].join()
  const isSubsampled = units !== '1,1'
  const isPredictable = !isPredicted || (!isSubsampled && predictor === 2)
  if (bits !== 8 || samples !== 3 || planar || kind !== 'uint' || !UNITS.includes(units) || !isPredictable) {
    const what = `${samples} YCbCr samples of ${bits} bits${planar ? ' in planes' : ''} in units of ${across} by ${down} pixels`
    throw unsupported(
      'YCbCr without JPEG of this kind',
      `${what}${isPredicted ? ` with predictor ${predictor}` : ''} are not served; three of 8 bits side by side are`,
    )
  }
  const count = Math.ceil(blocks.width / across) * Math.ceil(blocks.height / down)
  const block = Math.min(count * (across * down + 2), Number.MAX_SAFE_INTEGER)
  const undo = isPredicted ? [tiffPredictor2.stored({ bits, samples, width: blocks.width, endian: tags.endian })] : []
  return [
    tiffYcbcr.stored({ across, down, block, ...ycbcrColours(tags) }),
    ...undo,
    ...(compressor === undefined ? [] : [compressor]),
  ]
}

/** Absent tags have the defaults of TIFF 6.0. */
function ycbcrColours(tags: Tags): YcbcrColours {
  const luma = tags.numbers(TAG.yCbCrCoefficients)
  const reference = tags.numbers(TAG.referenceBlackWhite)
  for (const numbers of [luma, reference]) {
    if (numbers?.some((number) => !Number.isFinite(number)) === true)
      throw malformed(
        `YCbCrCoefficients or ReferenceBlackWhite are ${numbers.slice(0, 6).join(', ')}, expected numbers`,
      )
  }
  return {
    ...(luma !== undefined && { luma: luma.slice(0, 3) }),
    ...(reference !== undefined && { reference: reference.slice(0, 6) }),
  }
}

/** Pictures whose decoders make RGB. */
function checkColour({ photometric, compression }: Image): void {
  if (photometric !== PHOTOMETRIC.yCbCr) return
  const decodesItself: readonly number[] = [
    COMPRESSION.jpeg,
    COMPRESSION.oldJpeg,
    COMPRESSION.webp,
    COMPRESSION.jpeg2000,
    COMPRESSION.jpegXl,
  ]
  if (decodesItself.includes(compression)) return
  throw unsupported(
    'YCbCr in this compression',
    `YCbCr samples with compression ${compressionName(compression)} are not served`,
  )
}

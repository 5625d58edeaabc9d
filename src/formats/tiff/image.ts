// TIFF 6.0 sections 3 to 8, 15 and 19: what a directory says of its image.
import { malformed, unsupported } from '../../errors.ts'
import { COMPRESSION } from './compression.ts'
import type { Field } from './directories/ifd.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'
import { oldJpegDefaults } from './old-jpeg.ts'

/** How samples are stored, by the SampleFormat tag. */
type SampleKind = 'uint' | 'int' | 'float' | 'complex-int' | 'complex'

/** One image: its size, samples and blocks (tiles or strips). */
export interface Image {
  readonly width: number
  readonly height: number
  readonly samples: number
  /** Bits of one sample, both parts of a complex one together. */
  readonly bits: number
  readonly kind: SampleKind
  /** Each sample's plane is stored by itself. */
  readonly planar: boolean
  readonly photometric: number
  readonly compression: number
  readonly predictor: number
  readonly reversedBits: boolean
  readonly blocks: Blocks
}

/** The grid of blocks of one plane, and where the tables of their positions are. */
export interface Blocks {
  readonly tiled: boolean
  readonly width: number
  readonly height: number
  readonly across: number
  readonly down: number
  readonly offsets: Field
  readonly counts: Field | undefined
}

const MOST_LENGTH = 2 ** 32 - 1
const MOST_SAMPLES = 65_535

/** Reads the description of an image; `malformed-source` or `unsupported-feature` name what is wrong with it. */
export function parseImage(tags: Tags): Image {
  const width = integer(tags, TAG.imageWidth, 'ImageWidth', undefined, MOST_LENGTH)
  const height = integer(tags, TAG.imageLength, 'ImageLength', undefined, MOST_LENGTH)
  const depth = tags.number(TAG.imageDepth) ?? 1
  if (depth > 1)
    throw unsupported('ImageDepth', `the image is a volume of ${depth} slices, which is not served`, at(tags))
  const compression = integer(tags, TAG.compression, 'Compression', 1, 65_535)
  const oldJpeg = compression === COMPRESSION.oldJpeg ? oldJpegDefaults(tags) : undefined
  const samples = integer(tags, TAG.samplesPerPixel, 'SamplesPerPixel', oldJpeg?.samples ?? 1, MOST_SAMPLES)
  const planar = integer(tags, TAG.planarConfiguration, 'PlanarConfiguration', 1, 2) === 2 && samples > 1
  return {
    width,
    height,
    samples,
    bits: bitsOf(tags, oldJpeg === undefined ? 1 : 8),
    kind: kindOf(tags),
    planar,
    photometric: oldJpeg?.photometric ?? tags.number(TAG.photometric) ?? (compression >= 2 && compression <= 4 ? 0 : 1),
    compression,
    predictor: integer(tags, TAG.predictor, 'Predictor', 1, 65_535),
    reversedBits: tags.number(TAG.fillOrder) === 2,
    blocks: blocksOf(tags, width, height),
  }
}

function integer(tags: Tags, tag: number, name: string, fallback: number | undefined, most: number): number {
  const value = tags.number(tag) ?? fallback
  if (value === undefined) throw malformed(`the directory has no ${name}`, at(tags))
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw malformed(`${name} is ${value}, expected 1 to ${most}`, at(tags))
}

function bitsOf(tags: Tags, fallback: number): number {
  const bits = one(tags, TAG.bitsPerSample, fallback, 'bits per sample')
  if (bits >= 1 && bits <= 128) return bits
  if (bits === 0) throw malformed('BitsPerSample is 0', at(tags))
  throw unsupported(`samples of ${bits} bits`, `samples of ${bits} bits are not served`, at(tags))
}

function kindOf(tags: Tags): SampleKind {
  const format = one(tags, TAG.sampleFormat, 1, 'sample formats')
  switch (format) {
    case 1:
    // Undefined data: libtiff and GDAL take it for unsigned integers.
    case 4:
      return 'uint'
    case 2:
      return 'int'
    case 3:
      return 'float'
    case 5:
      return 'complex-int'
    case 6:
      return 'complex'
  }
  throw malformed(`SampleFormat is ${format}, expected 1 to 6`, at(tags))
}

/** The one value that all samples have; DM-9: an array has one type. */
function one(tags: Tags, tag: number, fallback: number, what: string): number {
  const values = tags.numbers(tag) ?? [fallback]
  const [first = fallback] = values
  if (values.every((value) => value === first)) return first
  const found = [...new Set(values)].slice(0, 8).join(', ')
  throw unsupported(`mixed ${what}`, `the samples of the image differ in their ${what} (${found})`, at(tags))
}

function blocksOf(tags: Tags, width: number, height: number): Blocks {
  const { fields } = tags.ifd
  const tiled = fields.has(TAG.tileWidth) || fields.has(TAG.tileOffsets)
  const size = tiled
    ? {
        width: integer(tags, TAG.tileWidth, 'TileWidth', undefined, MOST_LENGTH),
        height: integer(tags, TAG.tileLength, 'TileLength', undefined, MOST_LENGTH),
      }
    : { width, height: Math.min(height, integer(tags, TAG.rowsPerStrip, 'RowsPerStrip', MOST_LENGTH, MOST_LENGTH)) }
  // Some writers of tiles name their tables as those of strips; libtiff reads both.
  const offsets = (tiled ? fields.get(TAG.tileOffsets) : undefined) ?? fields.get(TAG.stripOffsets)
  const counts = (tiled ? fields.get(TAG.tileByteCounts) : undefined) ?? fields.get(TAG.stripByteCounts)
  if (offsets === undefined) throw malformed('the directory does not say where its image is', at(tags))
  return {
    tiled,
    ...size,
    across: Math.ceil(width / size.width),
    down: Math.ceil(height / size.height),
    offsets,
    counts,
  }
}

function at(tags: Tags): { readonly offset: number } {
  return { offset: tags.ifd.offset }
}

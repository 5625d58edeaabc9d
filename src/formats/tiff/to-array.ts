import { prepareEncoding } from '../../codecs/prepare.ts'
import { type ErrorContext, isVirtualZarrError, malformed } from '../../errors.ts'
import { type ItemText, readTiffNodata, type TiffNodata } from '../../fill-value/tiff-nodata.ts'
import { gridShapeOf } from '../../model/chunk-index.ts'
import { composedArray } from '../../model/composed-array.ts'
import { zeroOf } from '../../model/data-type.ts'
import type { Encoding } from '../../model/encoding.ts'
import { recipe } from '../../model/recipe.ts'
import { skippedArray } from '../../model/skipped-array.ts'
import type { AttributeValue, Member, VirtualArray } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import { type BandMeaning, bandArray } from './band-arrays.ts'
import { type BlockPlaces, blockPlaces, listedBlocks, type RawLength } from './blocks.ts'
import { tiffChunkIndex } from './chunk-index.ts'
import { type Chunking, planChunking } from './chunking.ts'
import { COMPRESSION } from './compression.ts'
import type { Tags } from './directories/read-tags.ts'
import { TAG } from './directories/tags.ts'
import { encodingsOf } from './encodings.ts'
import type { GdalMetadata } from './gdal-metadata.ts'
import { type Image, parseImage } from './image.ts'
import { nodataTexts } from './item-attributes.ts'
import { storesYcbcrUnits } from './photometric.ts'
import { type SampleType, sampleType } from './samples.ts'

/** What an array is made of besides its own tags. */
export interface ArrayInput {
  readonly source: Source
  /** What chunks name as their source, where that is not the file that is served. */
  readonly reference?: number | undefined
  readonly context: ParseContext
  readonly tags: Tags
  readonly metadata: GdalMetadata
  /** Texts of nodata values by band that go before the tag's. */
  readonly nodata?: ReadonlyMap<number, string> | undefined
  /** Where the array will be, for diagnostics and errors. */
  readonly path: string
  /** What each band means, where each becomes an array of its own; undefined where the image is one array. */
  bandsOf?(image: Image): readonly BandInput[] | undefined
  /** Attributes besides those of nodata. */
  attributes(image: Image): ReadonlyMap<string, AttributeValue>
}

/** One band of an image that is an array of its own. */
export type BandInput = BandMeaning & Pick<ArrayInput, 'path' | 'attributes'>

/** A directory that was read: its array, or why there is none. */
export interface ReadImage {
  readonly image: Image | undefined
  readonly member: Exclude<Member, { readonly kind: 'group' }>
  /** The bands one by one, which are served in place of `member`. */
  readonly bands?: readonly VirtualArray[] | undefined
  /** The array is refused for its nodata value alone: `;sentinel=warn` serves it. */
  readonly refusedSentinel: boolean
}

/** The array of a directory; one that can't be served costs the others nothing. */
export function toArray(input: ArrayInput): ReadImage {
  let image: Image | undefined
  try {
    image = parseImage(input.tags)
    const storage = storageOf(input, image)
    const wholes = input.bandsOf?.(image)?.map((band) => arrayOf({ ...input, ...band }, storage, 1))
    const [member = arrayOf(input, storage, image.samples)] = wholes ?? []
    return { image, member, bands: wholes?.map(bandArray), refusedSentinel: false }
  } catch (error) {
    const member = skippedArray(error)
    return { image, member, refusedSentinel: isVirtualZarrError(error) && error.context.option === 'sentinel' }
  }
}

/** How the blocks of an image are stored, whatever their values mean. */
interface ImageStorage {
  readonly image: Image
  readonly type: SampleType
  readonly encodings: readonly Encoding[]
  readonly chunking: Chunking
  readonly places: BlockPlaces
}

function storageOf(input: ArrayInput, image: Image): ImageStorage {
  const { tags, source, path } = input
  const place: ErrorContext = { url: source.url, format: 'tiff', path, offset: tags.ifd.offset }
  const type = sampleType(image)
  if (type.lostSign === true) warnOfSign(input, image)
  const encodings = encodingsOf(image, type, tags)
  const block = [image.planar ? 1 : image.samples, image.blocks.height, image.blocks.width]
  const layout = { shape: image.samples > 1 ? block : block.slice(1), dataType: type.dataType }
  for (const encoding of encodings) prepareEncoding(encoding, layout)
  const chunking = planChunking(image, type)
  const blockCount = image.blocks.across * image.blocks.down * (image.planar ? image.samples : 1)
  warnOfBlocks(input, image, blockCount)
  const places = blockPlaces({
    source,
    blocks: image.blocks,
    blockCount,
    endian: tags.endian,
    place,
    rawLength:
      image.compression === COMPRESSION.none && !storesYcbcrUnits(image) ? rawLengths({ image, chunking }) : undefined,
  })
  return { image, type, encodings, chunking, places }
}

/** The whole image as an array; `samples` is how many bands its meaning is of: all, or one. */
function arrayOf(
  input: ArrayInput,
  { image, type, encodings, chunking, places }: ImageStorage,
  samples: number,
): VirtualArray {
  const nodata = nodataOf(input, samples, type)
  const shared = {
    kind: 'array' as const,
    dataType: type.dataType,
    fillValue: nodata.fillValue ?? zeroOf(type.dataType),
    fillOrigin: nodata.fillValue === undefined ? 'zero of the type' : 'nodata of the file',
    sentinels: nodata.sentinels,
    attributes: new Map<string, AttributeValue>([...input.attributes(image), ...nodata.attributes]),
    dimensionNames: image.samples > 1 ? ['band', 'y', 'x'] : ['y', 'x'],
    encodings,
    edges: image.blocks.tiled ? ('padded' as const) : ('cropped' as const),
  }
  const hasEdgeEncoding = encodings.length > 1
  const grid = gridOf(input, image, { type, places, hasEdgeEncoding, fillValue: shared.fillValue })
  if (chunking.kind !== 'merged' || chunking.joinable) return { ...shared, ...grid(chunking) }
  const strips = { ...shared, ...grid({ ...chunking, kind: 'block', rows: image.blocks.height }) }
  return composedArray({ ...shared, ...grid(chunking) }, { kind: 'rechunk', of: strips })
}

function warnOfSign({ context, path }: ArrayInput, { bits }: Image): void {
  const message = `signed samples of ${bits} bits are served as unsigned ones, as GDAL reads them: from ${2 ** (bits - 1)} on they mean ${2 ** bits} less`
  context.warn({ code: 'sign-lost', message, path })
}

function warnOfBlocks({ context, path }: ArrayInput, { blocks }: Image, blockCount: number): void {
  const listed = listedBlocks(blocks, blockCount)
  if (listed === blockCount) return
  const message = `the file lists the lengths of ${listed} of ${blockCount} blocks: the others count as never written, as in GDAL`
  context.warn({ code: 'blocks-not-listed', message, path })
}

interface GridInput {
  readonly type: SampleType
  readonly places: BlockPlaces
  readonly hasEdgeEncoding: boolean
  readonly fillValue: VirtualArray['fillValue']
}

/** Shape, chunks and index of an image for one way to chunk it. */
function gridOf(
  { source, reference = 0, tags }: ArrayInput,
  image: Image,
  { type, places, hasEdgeEncoding, fillValue }: GridInput,
) {
  const band = image.samples > 1 ? [image.samples] : []
  const shape = [...band, image.height, image.width]
  return (chunking: Chunking) => {
    const planes = band.map((samples) => (image.planar ? 1 : samples))
    const chunkShape = [...planes, chunking.rows, image.blocks.width]
    if (!gridShapeOf(shape, chunkShape).every(Number.isSafeInteger)) throw malformed('the image has too many blocks')
    const fill = { dataType: type.dataType, value: fillValue, endian: tags.endian }
    const index = { source, reference, image, chunking, places, shape, chunkShape, hasEdgeEncoding, fill }
    return { shape, chunkShape, chunks: tiffChunkIndex(index) }
  }
}

interface RawBlocks {
  readonly image: Image
  readonly chunking: Chunking
}

export const rawLengths = recipe(
  'tiff.raw-lengths',
  ({ image, chunking }: RawBlocks) =>
    (block: number): RawLength =>
      rawLength(image, chunking, block),
)

/** Bytes of an uncompressed block: the last strip of a plane has only the rows that are left, the last tile may. */
function rawLength({ blocks, height }: Image, { rowBytes }: Chunking, block: number): RawLength {
  const row = Math.floor(block / blocks.across) % blocks.down
  const least = rowBytes * Math.min(blocks.height, height - row * blocks.height)
  return { least, whole: blocks.tiled ? rowBytes * blocks.height : least }
}

function nodataOf(input: ArrayInput, samples: number, { dataType }: SampleType): TiffNodata {
  const { metadata, context, path } = input
  const { sentinel } = context.options
  return readTiffNodata({
    gdalNoData: gdalNoData(input, samples),
    items: nodataTexts(metadata, samples, path, context),
    dataType,
    // What lies beside a file must not cost the file.
    policy: sentinel === 'auto' ? ((input.nodata?.size ?? 0) === 0 ? 'error' : 'warn') : sentinel,
    path,
    warn: (diagnostic) => context.warn(diagnostic),
  })
}

function gdalNoData({ tags, nodata = new Map() }: ArrayInput, samples: number): ItemText | undefined {
  const tag = tags.text(TAG.gdalNoData)
  if (nodata.size === 0) return tag
  const texts = Array.from({ length: samples }, (_, sample) => nodata.get(sample) ?? tag ?? '')
  return new Set(texts).size === 1 ? texts[0] : texts
}

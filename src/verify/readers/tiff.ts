import type { GeoTIFF, GeoTIFFImage } from 'geotiff'
import type { Box } from '../../model/virtual-store.ts'
import { faultOfGeotiff } from './geotiff-faults.ts'
import { withVersion } from './package-version.ts'
import type { Found, IndependentReader, ReaderFile, Values, Wanted } from './reader.ts'

/** TIFF by geotiff.js. */
export async function tiffReader(): Promise<IndependentReader> {
  const { fromFile } = await import('geotiff')
  return {
    name: withVersion('geotiff'),
    async open(path) {
      const tiff = await fromFile(path)
      return { ...fileOf(tiff), close: () => tiff.close() }
    },
  }
}

/** An image, what its bit says it is (TIFF 6.0, NewSubfileType). */
interface Seen {
  readonly image: GeoTIFFImage
  readonly isReduced: boolean
  readonly isMask: boolean
}

function fileOf(tiff: GeoTIFF): ReaderFile {
  let seen: Promise<readonly Seen[]> | undefined
  const imageOf = async (wanted: Wanted) => {
    seen ??= imagesOf(tiff)
    return pick(await seen, wanted)
  }
  return {
    async find(wanted) {
      if (/(?:^|\/)spatial_ref$/.test(wanted.path))
        return 'a variable of the reference system has no value that means anything'
      const coordinate = await coordinateOf(wanted, imageOf)
      if (coordinate !== undefined) {
        const computedOf = Math.max(Math.abs(coordinate(0)), Math.abs(coordinate((wanted.shape[0] ?? 1) - 1)))
        return { shape: wanted.shape, type: 'float64', sentinels: {}, computedOf }
      }
      const image = await imageOf(wanted)
      if (image === undefined) return 'the reader has no image that is this array'
      return described(image, wanted)
    },
    async read(wanted, box) {
      const coordinate = await coordinateOf(wanted, imageOf)
      if (coordinate !== undefined) {
        return Array.from({ length: box.shape[0] ?? 0 }, (_, at) => coordinate((box.origin[0] ?? 0) + at))
      }
      const image = await imageOf(wanted)
      if (image === undefined) throw new Error(`${wanted.path} is gone`)
      return await rasterOf(image, box, bandOf(wanted.path))
    },
  }
}

async function imagesOf(tiff: GeoTIFF): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  for (let index = 0; index < (await tiff.getImageCount()); index++) {
    const image = await tiff.getImage(index)
    const kind = Number((await image.getFileDirectory().loadValue('NewSubfileType')) ?? 0)
    seen.push({ image, isReduced: (kind & 1) !== 0, isMask: (kind & 4) !== 0 })
  }
  return seen
}

/** The band, from 0, of an array that holds one of several: `band_2`. */
function bandOf(path: string): number | undefined {
  const number = /(?:^|\/)band_(\d+)$/.exec(path)?.[1]
  return number === undefined ? undefined : Number(number) - 1
}

/** `band_data`, or its bands, is the first image, `page_2/band_data` the third of those that are whole, and `1/band_data` that among the reduced ones which has its size. */
function pick(seen: readonly Seen[], { path, shape }: Wanted): GeoTIFFImage | undefined {
  const group = /^(?:(.+)\/)?band_(?:data|\d+)$/.exec(path)
  if (group === null) return undefined
  const [height, width] = shape.slice(-2)
  const isSize = ({ image }: Seen) => image.getHeight() === height && image.getWidth() === width
  const name = group[1]
  if (name === undefined || name === '0') return seen[0]?.image
  const page = /^page_(\d+)$/.exec(name)?.[1]
  if (page !== undefined) return seen.filter((each) => !each.isReduced && !each.isMask)[Number(page)]?.image
  if (/^[1-9]\d*$/.test(name)) return only(seen.filter((each) => each.isReduced && !each.isMask && isSize(each)))
  if (name === 'mask') return only(seen.filter((each) => each.isMask && !each.isReduced && isSize(each)))
  return undefined
}

function only(seen: readonly Seen[]): GeoTIFFImage | undefined {
  return seen.length === 1 ? seen[0]?.image : undefined
}

async function described(image: GeoTIFFImage, wanted: Wanted): Promise<Found | string> {
  const samples = image.getSamplesPerPixel()
  const plane = [image.getHeight(), image.getWidth()]
  const nodata = await nodataOf(image)
  return {
    shape: samples > 1 && bandOf(wanted.path) === undefined ? [samples, ...plane] : plane,
    type: await typeOf(image),
    sentinels: nodata === undefined || wanted.attributes['_FillValue'] === undefined ? {} : { _FillValue: nodata },
    fault: await faultOfGeotiff(image),
  }
}

/** geotiff's own function drops the last character, whatever it is, and knows no infinity. */
async function nodataOf(image: GeoTIFFImage): Promise<number | undefined> {
  const text = await image.getFileDirectory().loadValue('GDAL_NODATA')
  const number = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(?:\0|$)/i.exec(String(text ?? ''))?.[1]
  return number === undefined ? undefined : Number(number)
}

const FORMATS = ['', 'uint', 'int', 'float']

async function typeOf(image: GeoTIFFImage): Promise<string | undefined> {
  const directory = image.getFileDirectory()
  const bits = Number(((await directory.loadValue('BitsPerSample')) as ArrayLike<number> | undefined)?.[0] ?? 1)
  const format = Number(((await directory.loadValue('SampleFormat')) as ArrayLike<number> | undefined)?.[0] ?? 1)
  // What is not whole bytes is widened, by us and by the reader.
  if (![8, 16, 32, 64].includes(bits)) return undefined
  const kind = FORMATS[format]
  return kind === undefined || kind === '' ? undefined : `${kind}${bits}`
}

async function rasterOf(image: GeoTIFFImage, { origin, shape }: Box, band = 0): Promise<Values> {
  const [top = 0, left = 0] = origin.slice(-2)
  const [height = 0, width = 0] = shape.slice(-2)
  const planes = shape.length > 2 ? Array.from({ length: shape[0] ?? 1 }, (_, at) => (origin[0] ?? 0) + at) : [band]
  const rasters = await image.readRasters({ window: [left, top, left + width, top + height], samples: planes })
  const bands = Array.isArray(rasters) ? rasters : [rasters as unknown as Values]
  const [first] = bands
  return bands.length === 1 && first !== undefined
    ? (first as Values)
    : bands.flatMap((band) => Array.from(band as Values))
}

type Coordinate = (index: number) => number

/** Centres of pixels by the place that the reader gives the image; undefined for what is no coordinate of an upright one. */
async function coordinateOf(
  wanted: Wanted,
  imageOf: (wanted: Wanted) => Promise<GeoTIFFImage | undefined>,
): Promise<Coordinate | undefined> {
  const name = /^(?:\d+\/)?([xy])$/.exec(wanted.path)?.[1]
  if (name === undefined) return undefined
  const image = await imageOf({ ...wanted, path: 'band_data' })
  if (image === undefined) return undefined
  try {
    const axis = name === 'x' ? 0 : 1
    const origin = image.getOrigin()[axis] ?? 0
    const length = axis === 0 ? image.getWidth() : image.getHeight()
    // An overview covers what the image does.
    const full = await stepOf(image, axis)
    const step = (full * length) / (wanted.shape[0] ?? length)
    // Of points GeoTIFF places the centre of the image's first pixel; of areas, which is what files mean that say nothing, its corner.
    const isPoint = image.getGeoKeys()?.GTRasterTypeGeoKey === 2
    const corner = isPoint ? origin - full / 2 : origin
    return (index) => corner + (index + 0.5) * step
  } catch {
    return undefined
  }
}

/** geotiff 3.0 takes the rows of a matrix for such that run to the south, whatever it says: what it reads of the matrix is right. */
async function stepOf(image: GeoTIFFImage, axis: 0 | 1): Promise<number> {
  const matrix = (await image.getFileDirectory().loadValue('ModelTransformation')) as ArrayLike<number> | undefined
  return matrix?.[axis * 5] ?? image.getResolution()[axis] ?? 1
}

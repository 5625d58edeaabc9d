import { plane } from '../../codecs/own/plane.ts'
import { composedArray, requireStored, storedArray } from '../../model/composed-array.ts'
import { otherGrid } from '../../model/other-grid.ts'
import type { ArraySpec, AttributeValue, VirtualArray } from '../../model/virtual-store.ts'
import type { GdalMetadata, MetadataItem } from './gdal-metadata.ts'
import { packingDiffers } from './packing.ts'

/** What an image, or one band of it, is said to mean. */
export interface BandMeaning {
  readonly metadata: GdalMetadata
  /** Texts of nodata values in a document beside the file, by band, from 0. */
  readonly nodata: ReadonlyMap<number, string> | undefined
}

/** Name of the array of one band, from 0: as the VRT reader calls them. */
export function bandName(band: number): string {
  return `band_${band + 1}`
}

/** PACK-7: whether the bands differ in scale, offset or nodata value, so that no one array can say what their values mean. */
export function bandsDiffer({ metadata, nodata }: BandMeaning, samples: number, tag: string | undefined): boolean {
  if (samples < 2) return false
  return packingDiffers(metadata, samples) || nodataDiffers(samples, nodata ?? new Map(), tag)
}

/** `tag` is the text of the file's own nodata value, which bands have that are not listed. */
function nodataDiffers(samples: number, nodata: ReadonlyMap<number, string>, tag = ''): boolean {
  const listed = [...nodata].filter(([band]) => band < samples).map(([, text]) => text)
  const [first = tag, ...others] = listed
  return [...others, ...(listed.length < samples ? [tag] : [])].some((text) => !isSameNumber(text, first))
}

/** Compares numbers by value as far as a double tells them apart. */
function isSameNumber(text: string, other: string): boolean {
  if (text === other) return true
  if (text.trim() === '' || other.trim() === '') return false
  const [value, wanted] = [Number(text), Number(other)]
  return value === wanted && Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

/** What each band means, as an image of one band says it; items of the whole image belong to each. */
export function meaningsOfBands({ metadata, nodata }: BandMeaning): (band: number) => BandMeaning {
  const bySample = Map.groupBy(metadata.items, ({ sample }) => sample)
  const shared = bySample.get(undefined) ?? []
  return (band) => {
    const own = (bySample.get(band) ?? []).map((item): MetadataItem => ({ ...item, sample: 0 }))
    const text = nodata?.get(band)
    return {
      metadata: { items: [...shared, ...own] },
      nodata: nodata && new Map(text === undefined ? [] : [[0, text]]),
    }
  }
}

/** Most arrays of bands in one store, and most bytes of the attributes that they repeat: hostile files have many of both. */
const MAX_BAND_ARRAYS = 5_000
const MAX_REPEATED_ATTRIBUTE_BYTES = 16 * 2 ** 20

/** Counts the arrays that the images of one file become. */
export class BandArrayBudget {
  #left = MAX_BAND_ARRAYS

  /** Whether so many more arrays with such attributes are served; they count from then on. */
  take(arrays: number, attributes: ReadonlyMap<string, AttributeValue>): boolean {
    const bytes = [...attributes.values()].reduce((sum: number, value) => sum + approximateBytes(value), 0)
    if (arrays > this.#left || arrays * bytes > MAX_REPEATED_ATTRIBUTE_BYTES) return false
    this.#left -= arrays
    return true
  }
}

const NUMBER_BYTES = 8

function approximateBytes(value: AttributeValue): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length + NUMBER_BYTES
  if (Array.isArray(value)) return value.reduce((sum: number, part) => sum + approximateBytes(part), NUMBER_BYTES)
  return NUMBER_BYTES
}

/**
 * One band of an array whose first axis is the bands. The chunks of planar files are its own; of interleaved ones each chunk is
 * decoded, and one band of it kept.
 */
export function bandArray(array: VirtualArray, band: number): VirtualArray {
  const { shape, chunkShape, dimensionNames, maskedBy } = array
  const spec: ArraySpec = {
    ...array,
    shape: shape.slice(1),
    chunkShape: chunkShape.slice(1),
    dimensionNames: dimensionNames?.slice(1),
    maskedBy: maskOfBand(maskedBy, band),
  }
  if (array.operation?.kind === 'rechunk')
    return composedArray(spec, { kind: 'rechunk', of: bandArray(array.operation.of, band) })
  const { encodings, edges, chunks } = requireStored(array)
  const count = chunkShape[0] ?? 1
  const picked = plane.stored({ index: band % count, count })
  const first = shape.map((_, axis) => (axis === 0 ? Math.floor(band / count) : 0))
  const from = shape.map((_, axis) => (axis === 0 ? undefined : axis - 1))
  return storedArray(spec, {
    encodings: encodings.map((encoding) => [picked, ...encoding]),
    edges,
    chunks: otherGrid({ chunks, gridShape: chunks.gridShape.slice(1), from, first }),
  })
}

/** The mask of one band: masks are of all bands, or have as many as the image. */
export function maskOfBand(mask: VirtualArray['maskedBy'], band: number): VirtualArray['maskedBy'] {
  return mask?.kind === 'array' && mask.shape.length > 2 ? bandArray(mask, band) : mask
}

import { malformed } from '../../errors.ts'
import { encodingsOf } from '../../model/composed-array.ts'
import { zeroOf } from '../../model/data-type.ts'
import { type Attributes, type AttributeValue, NO_SENTINELS, type VirtualArray } from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'
import { isEqual, type JoinedSpec } from '../joined-array.ts'
import { Boxes } from '../mosaic/boxes.ts'
import type { GridBox } from '../mosaic/grid.ts'
import { type Laid, placedArray } from '../mosaic/placed-array.ts'
import { isSameType } from '../types.ts'
import type { VrtBand, VrtDocument, VrtSource } from './document.ts'
import type { VrtImage } from './image.ts'
import { laidSource, type Target } from './laid-source.ts'

/** The way to the files that sources name. */
export type OpenImage = (source: VrtSource) => Promise<VrtImage>

interface Placed {
  readonly source: VrtSource
  readonly band: number
}

const MOST_CHUNK = 512

/** Bands of one type and meaning as one array: rows of columns of a single one, else bands of them. */
export async function bandsArray(
  { width, height }: Pick<VrtDocument, 'width' | 'height'>,
  bands: readonly [VrtBand, ...VrtBand[]],
  attributes: Attributes,
  open: OpenImage,
  isNested = false,
): Promise<VirtualArray> {
  const [first] = bands
  const { dataType, nodata } = first
  const fillValue = nodata?.fillValue ?? zeroOf(dataType)
  const hasBands = bands.length > 1
  const target: Target = { dataType, fillValue, hasBands, isNested }
  const sources = bands.flatMap((band, at) => band.sources.map((source): Placed => ({ source, band: at })))
  const boxes: GridBox[] = []
  for (const { source } of sources) {
    const wait = turn()
    if (wait !== undefined) await wait
    boxes.push(await boxOf(source, open))
  }
  const laid = layer(sources, target)
  const [usual] = sources
  const one = usual === undefined ? undefined : laid(await open(usual.source), 0)
  const shape = hasBands ? [bands.length, height, width] : [height, width]
  const stored = one?.array.chunkShape ?? shape.map((length) => Math.min(length, MOST_CHUNK))
  // Rows of a whole picture are long chunks of a small part of it.
  const chunkShape = shape.map((length, axis) => {
    const own = hasBands && axis === 0 ? 1 : (stored[axis] ?? 1)
    return own > 2 * length ? length : own
  })
  const isStoredSo =
    one !== undefined && isEqual(chunkShape, one.array.chunkShape) && isSameType(one.array.dataType, dataType)
  const like: JoinedSpec = {
    kind: 'array',
    shape,
    chunkShape,
    dataType,
    fillValue,
    fillOrigin: nodata === undefined ? 'zero of the type' : 'NoDataValue',
    sentinels: nodata?.sentinel === undefined ? NO_SENTINELS : { fillValue: nodata.sentinel, missingValue: undefined },
    attributes,
    dimensionNames: hasBands ? ['band', 'y', 'x'] : ['y', 'x'],
    encodings: isStoredSo ? encodingsOf(one.array) : [],
  }
  const steps = hasBands ? sources.map(({ band }) => band) : undefined
  return placedArray<VrtImage>({
    like,
    axes: hasBands ? { step: 0, row: 1, column: 2 } : { step: undefined, row: 0, column: 1 },
    boxes: new Boxes(boxes, steps),
    open: async (place) => (sources[place] === undefined ? undefined : await open(sources[place].source)),
    laid,
  })
}

/** A source without a window lies there as a whole, however large its file is. */
async function boxOf(source: VrtSource, open: OpenImage): Promise<GridBox> {
  const { width, height } =
    source.size === undefined ? await open(source) : { width: source.size[0], height: source.size[1] }
  return { row: source.to.row, column: source.to.column, height, width, reversed: [false, false] }
}

/** The same object for the same source of the same open file. */
function layer(sources: readonly Placed[], target: Target): (image: VrtImage, place: number) => Laid {
  const known = new WeakMap<VrtImage, Map<number, Laid>>()
  return (image, place) => {
    const ofImage = known.get(image) ?? new Map<number, Laid>()
    known.set(image, ofImage)
    const source = sources[place]?.source
    if (source === undefined) throw malformed(`a VRT has no source ${place}`)
    const laid = ofImage.get(place) ?? laidSource(source, image, target)
    ofImage.set(place, laid)
    return laid
  }
}

/** One text where all bands agree, a list where they differ. */
export function ofBands<T extends AttributeValue>(
  values: readonly (T | undefined)[],
  none: T,
): AttributeValue | undefined {
  if (values.every((value) => value === undefined)) return undefined
  const [first] = values
  return values.every((value) => value === first) ? first : values.map((value) => value ?? none)
}

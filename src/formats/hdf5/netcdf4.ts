// Dimensions of NetCDF-4 files: "NetCDF-4 Format" in the NetCDF documentation, and the HDF5 Dimension Scale specification.
import { latin1Text } from '../../bytes/text.ts'
import { sequenceBytes } from './elements/attribute-value.ts'
import { integerOf } from './elements/formats.ts'
import { referenceAddress } from './elements/references.ts'
import { shapeOf } from './messages/dataspace.ts'
import type { Attribute } from './objects.ts'
import type { Dimensions, NamedDataset, ScaleInfo, ValueWorld } from './world.ts'

const DIMENSION_ONLY = 'This is a netCDF dimension but not a netCDF variable'
/** NetCDF's prefix of a variable that is named as a dimension which it does not belong to. */
const NON_COORDINATE = '_nc4_non_coord_'

/** The name that users know a dataset by. */
export function variableName(name: string): string {
  return name.startsWith(NON_COORDINATE) ? name.slice(NON_COORDINATE.length) : name
}

export async function readScaleInfo(attributes: readonly Attribute[], world: ValueWorld): Promise<ScaleInfo> {
  const find = (name: string) => attributes.find((attribute) => attribute.name === name)
  const list = find('DIMENSION_LIST')
  const [ownClass, ownName] = [find('CLASS'), find('NAME')]
  // Most datasets are no scales, and a file has thousands.
  const isPlain = ownClass === undefined && ownName === undefined
  const [scaleClass, scaleName] = isPlain
    ? ['', '']
    : await Promise.all([textOf(ownClass, world), textOf(ownName, world)])
  return {
    isScale: scaleClass === 'DIMENSION_SCALE',
    isDimensionOnly: scaleName.startsWith(DIMENSION_ONLY),
    dimensionId: integersOf(find('_Netcdf4Dimid'))?.[0],
    coordinateIds: integersOf(find('_Netcdf4Coordinates')),
    axes: list === undefined ? undefined : await axesOf(list, world),
  }
}

/** Text of fixed length as the libraries write it, or of varying length as those do who write scales by hand. */
async function textOf(attribute: Attribute | undefined, world: ValueWorld): Promise<string> {
  if (attribute === undefined) return ''
  const { type, data } = attribute
  if (type.class !== 'string' && type.class !== 'vlen-string') return ''
  const bytes = type.class === 'string' ? data : await sequenceBytes(data, 1, world)
  return latin1Text(bytes).replace(/\0.*$/s, '')
}

function integersOf(attribute: Attribute | undefined): readonly number[] | undefined {
  if (attribute?.type.class !== 'integer') return undefined
  const { data, type } = attribute
  return Array.from({ length: data.length / type.size }, (_, i) =>
    Number(integerOf(data.subarray(i * type.size, (i + 1) * type.size), type)),
  )
}

/** Whether a file has marks of the NetCDF-4 libraries: dimension scales alone may be anyone's. */
export function isNetcdf(rootAttributes: readonly Attribute[], datasets: readonly NamedDataset[]): boolean {
  const isMarked = ({ isDimensionOnly, dimensionId, coordinateIds }: ScaleInfo) =>
    isDimensionOnly || dimensionId !== undefined || coordinateIds !== undefined
  return rootAttributes.some(({ name }) => name === '_NCProperties') || datasets.some(({ scale }) => isMarked(scale))
}

/** Scales of one axis that are looked at; more than one is refused anyway. */
const MOST_SCALES = 16

/** `DIMENSION_LIST`: for each axis a sequence of references to its scales. */
async function axesOf(
  { type, data }: Attribute,
  world: ValueWorld,
): Promise<readonly (readonly number[])[] | undefined> {
  if (type.class !== 'vlen' || type.base.class !== 'reference') return undefined
  const reference = type.base
  const axes: number[][] = []
  for (let at = 0; at < data.length; at += type.size) {
    const bytes = await sequenceBytes(data.subarray(at, at + type.size), reference.size, world)
    const addresses: number[] = []
    for (let i = 0; i + reference.size <= bytes.length && addresses.length < MOST_SCALES; i += reference.size) {
      const address = await referenceAddress(bytes.subarray(i, i + reference.size), reference, world)
      if (address !== undefined) addresses.push(address)
    }
    axes.push(addresses)
  }
  return axes
}

/** Puts together what all datasets of a file say. */
export function dimensionsOf(datasets: readonly NamedDataset[]): Dimensions {
  const byAddress = new Map(datasets.map((dataset) => [dataset.address, dataset]))
  const byId = new Map<number, NamedDataset>()
  for (const dataset of datasets) {
    const { isScale, dimensionId } = dataset.scale
    if (isScale && dimensionId !== undefined && !byId.has(dimensionId)) byId.set(dimensionId, dataset)
  }
  const scalesOf = (dataset: NamedDataset) => scalesByAxis(dataset, byAddress, byId)
  const lengths = new Map<number, number>()
  for (const dataset of datasets) {
    scalesOf(dataset).forEach((scales, axis) => {
      const [scale] = scales
      if (scale === undefined || !isUnlimited(scale, ownAxis(scale, byId))) return
      const length = shapeOf(dataset.dataset.space)[axis] ?? 0
      lengths.set(scale.address, Math.max(lengths.get(scale.address) ?? 0, length))
    })
  }
  return {
    namesOf(dataset) {
      return scalesOf(dataset).map((scales) => {
        const [scale] = scales
        return scale === undefined || scales.length > 1 ? null : variableName(scale.name)
      })
    },
    ambiguous(dataset) {
      const several = scalesOf(dataset).filter((scales) => scales.length > 1)
      return several.flatMap((scales) => scales.map(({ name }) => variableName(name)))
    },
    shapeOf(dataset) {
      const scales = scalesOf(dataset)
      return shapeOf(dataset.dataset.space).map((length, axis) => {
        const scale = scales[axis]?.[0]
        if (scale === undefined || !isUnlimited(dataset, axis)) return length
        return Math.max(length, lengths.get(scale.address) ?? 0)
      })
    },
  }
}

function isUnlimited({ dataset }: NamedDataset, axis: number): boolean {
  const { space } = dataset
  return space.kind === 'simple' && axis < space.shape.length && space.maximum[axis] === undefined
}

/** Which axis of a scale is its own dimension: the only one but for coordinate variables of several dimensions. */
function ownAxis(scale: NamedDataset, byId: ReadonlyMap<number, NamedDataset>): number {
  const axis = (scale.scale.coordinateIds ?? []).findIndex((id) => byId.get(id) === scale)
  return Math.max(axis, 0)
}

function scalesByAxis(
  dataset: NamedDataset,
  byAddress: ReadonlyMap<number, NamedDataset>,
  byId: ReadonlyMap<number, NamedDataset>,
): readonly (readonly NamedDataset[])[] {
  const { isScale, axes, coordinateIds } = dataset.scale
  const rank = shapeOf(dataset.dataset.space).length
  return Array.from({ length: rank }, (_, axis) => {
    const listed = (axes?.[axis] ?? []).flatMap((address) => byAddress.get(address) ?? [])
    if (listed.length > 0) return listed
    const id = coordinateIds?.length === rank ? coordinateIds[axis] : undefined
    const named = id === undefined ? undefined : byId.get(id)
    if (named !== undefined) return [named]
    return isScale && axis === 0 ? [dataset] : []
  })
}

import { rescaled } from '../../formats/georeference/placement.ts'
import type { Member, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import { geoTransformText, type RasterPlace, saysTransform, withPlace } from '../place.ts'
import { isOneChunk, levelArray, levelCoordinate } from './level-array.ts'
import { MOST_POINTS_SHOWN, type Plane } from './rasters.ts'
import { reductionOf, type Wish } from './reduction.ts'

/** One level of a pyramid as a dataset of its own. */
export interface LevelGroup {
  readonly name: string
  readonly place: RasterPlace
  readonly group: VirtualGroup
}

type Tell = (code: string, message: string) => void

/** The image itself, then its overviews until one chunk holds each raster. */
export function levelGroups(full: VirtualGroup, plane: Plane, first: string, wish: Wish, tell: Tell): LevelGroup[] {
  const members = new Map([...full.members].filter(([, member]) => member.kind !== 'group'))
  const attributes = new Map([...full.attributes].filter(([name]) => !NOT_OF_LEVELS.has(name)))
  let level: LevelGroup = { name: first, place: plane.place, group: { ...full, attributes, members } }
  const levels = [level]
  tellOfOthers(plane, members, tell)
  while (!isSmall(level, plane)) {
    level = coarserLevel(level, plane, String(levels.length), wish)
    levels.push(level)
  }
  return levels
}

const NOT_OF_LEVELS: ReadonlySet<string> = new Set(['multiscales', 'zarr_conventions'])

function isSmall({ group: { members }, place }: LevelGroup, { rasters, axesIn }: Plane): boolean {
  if (Math.max(place.height, place.width) > MOST_POINTS_SHOWN) return false
  return [...rasters.keys()].every((name) => {
    const member = members.get(name)
    const axes = member?.kind === 'array' ? axesIn(member) : undefined
    return member?.kind !== 'array' || axes === undefined || isOneChunk(member, axes)
  })
}

/** What lies on the plane in a way that has no mean is not in the overviews. */
function tellOfOthers(plane: Plane, members: ReadonlyMap<string, Member>, tell: Tell): void {
  const left = [...members].filter(
    ([name, member]) => member.kind === 'array' && kindOf(name, member, plane) === 'left',
  )
  if (left.length === 0) return
  const names = left.map(([name]) => name).join(', ')
  tell('pyramid-left-out', `${names} has no place in overviews: bounds, or texts`)
}

function kindOf(name: string, array: VirtualArray, { place, rasters }: Plane): 'raster' | 'axis' | 'left' | 'other' {
  if (rasters.has(name)) return 'raster'
  const { dimensionNames = [], dataType } = array
  if (!place.dimensions.some((dimension) => dimensionNames.includes(dimension))) return 'other'
  const isNumber = dataType.kind === 'int' || dataType.kind === 'uint' || dataType.kind === 'float'
  return dimensionNames.length === 1 && isNumber ? 'axis' : 'left'
}

function coarserLevel(finer: LevelGroup, plane: Plane, name: string, wish: Wish): LevelGroup {
  const { transform, height, width } = finer.place
  const place: RasterPlace = {
    ...finer.place,
    height: Math.ceil(height / 2),
    width: Math.ceil(width / 2),
    transform: transform && rescaled(transform, 2, 2),
  }
  const members = new Map<string, Member>()
  for (const [known, member] of finer.group.members) {
    const made = member.kind === 'array' ? coarserMember(known, member, finer.place, place, plane, wish) : member
    if (made !== undefined) members.set(known, made)
  }
  return { name, place, group: { ...finer.group, attributes: withPlace(finer.group.attributes, place), members } }
}

function coarserMember(
  name: string,
  array: VirtualArray,
  before: RasterPlace,
  place: RasterPlace,
  plane: Plane,
  wish: Wish,
): VirtualArray | undefined {
  switch (kindOf(name, array, plane)) {
    case 'raster':
      return levelArray(array, plane.axesIn(array) ?? [], reductionOf(array, wish))
    case 'axis':
      return levelCoordinate(name, withoutBounds(array), reductionOf(array, 'mean'), stepsOf(array, place))
    case 'left':
      return undefined
    case 'other':
      return withTransform(array, before, place)
  }
}

/** Their bounds are left out. */
function withoutBounds(array: VirtualArray): VirtualArray {
  if (!array.attributes.has('bounds')) return array
  return { ...array, attributes: new Map([...array.attributes].filter(([name]) => name !== 'bounds')) }
}

/** Where the points of an axis lie, by what the group says of its place. */
function stepsOf({ dimensionNames }: VirtualArray, { dimensions, transform }: RasterPlace) {
  if (transform === undefined || transform[1] !== 0 || transform[3] !== 0) return undefined
  const [a, , c, , e, f] = transform
  const isRows = dimensionNames?.[0] === dimensions[0]
  return isRows ? { first: f + e / 2, step: e } : { first: c + a / 2, step: a }
}

/** The variable of a reference system repeats the transformation. */
function withTransform(array: VirtualArray, before: RasterPlace, place: RasterPlace): VirtualArray {
  if (!array.attributes.has('GeoTransform') || before.transform === undefined || place.transform === undefined)
    return array
  if (!saysTransform(array.attributes.get('GeoTransform'), before.transform)) return array
  return { ...array, attributes: new Map([...array.attributes, ['GeoTransform', geoTransformText(place.transform)]]) }
}

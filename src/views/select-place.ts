import { multiscaleAttributes } from '../formats/georeference/conventions.ts'
import type { Attributes, Member, VirtualGroup } from '../model/virtual-store.ts'
import {
  geoTransformText,
  levelNames,
  levelOf,
  movedTransform,
  placeOf,
  type RasterPlace,
  saysTransform,
  withPlace,
} from './place.ts'
import type { Selection } from './select.ts'

/** A group whose rasters are cut: what it says of its place then. */
export interface MovedPlace {
  readonly attributes: Attributes
  /** Groups of overviews, which are of the whole: they go, and `multiscales` with them. */
  readonly overviews: readonly string[]
  /** The place before, where a selection moves it. */
  readonly before: RasterPlace | undefined
  readonly after: RasterPlace | undefined
}

/** Moves what a group says of its place by what is selected along its rows and columns. */
export function movedPlace(group: VirtualGroup, selection: Selection): MovedPlace {
  const { attributes } = group
  const before = placeOf(group)
  const [rows, columns] = (before?.dimensions ?? ['y', 'x']).map((name) => selection.get(name))
  const cutsRows = rows !== undefined && (before === undefined || rows.length === before.height)
  const cutsColumns = columns !== undefined && (before === undefined || columns.length === before.width)
  if (!cutsRows && !cutsColumns) return { attributes, overviews: [], before: undefined, after: undefined }
  const names = levelNames(attributes)
  const hasOwn = [...group.members.values()].some(({ kind }) => kind === 'array')
  const overviews = (hasOwn ? names : names.slice(1)).filter((name) => group.members.get(name)?.kind === 'group')
  if (before === undefined) return { attributes: withoutLevels(attributes), overviews, before, after: undefined }
  const [row, column] = [cutsRows ? rows.from : 0, cutsColumns ? columns.from : 0]
  const after: RasterPlace = {
    ...before,
    height: cutsRows ? rows.to - rows.from : before.height,
    width: cutsColumns ? columns.to - columns.from : before.width,
    transform: before.transform && movedTransform(before.transform, column, row),
  }
  const moved = withPlace(names.length > 0 ? withoutLevels(attributes) : attributes, after)
  const levels = names.length > 0 && !hasOwn ? levelsOf(names[0] ?? '0', after) : []
  return { attributes: new Map([...moved, ...levels]), overviews, before, after }
}

function withoutLevels(attributes: Attributes): Attributes {
  return new Map([...attributes].filter(([name]) => name !== 'multiscales' && name !== 'zarr_conventions'))
}

/** `layout=levels` has a list of levels where there is but one, too. */
function levelsOf(name: string, place: RasterPlace) {
  return multiscaleAttributes({ levels: [levelOf(name, place)], dimensions: place.dimensions, code: place.code })
}

/** The variable of a reference system repeats the transformation; what counts pixels of the whole is left out. */
export function withMovedTransform(member: Member, { before, after }: MovedPlace): Member {
  if (member.kind !== 'array' || !(member.attributes.has('GeoTransform') || member.attributes.has('gcps')))
    return member
  if (before === undefined && after === undefined && !member.attributes.has('gcps')) return member
  const attributes = new Map(member.attributes)
  const { transform } = before ?? {}
  const isSame = transform !== undefined && saysTransform(attributes.get('GeoTransform'), transform)
  if (isSame && after?.transform !== undefined) attributes.set('GeoTransform', geoTransformText(after.transform))
  else attributes.delete('GeoTransform')
  attributes.delete('gcps')
  return { ...member, attributes }
}

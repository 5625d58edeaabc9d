// CF conventions 1.11, sections 4 (coordinate types), 5.1 (coordinate variables) and 5.6 (grid mappings).
import { anyText } from '../../bytes/text.ts'
import { elementCount } from '../../model/shape.ts'
import type { AttributeValue, Member, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'

/** The two axes that arrays of a group lie on, and what says which place on Earth that is. */
export interface CfGrid {
  readonly rows: GridAxis
  readonly columns: GridAxis
  /** Whether the axes are latitude and longitude. */
  readonly isGeographic: boolean
  /** The grid mapping variable, where the arrays name one. */
  readonly mapping: VirtualArray | undefined
  /** They name one that is not there, or is no variable. */
  readonly isMappingLost: boolean
}

/** A coordinate variable: its values times `unit` are degrees or metres. */
export interface GridAxis {
  readonly name: string
  readonly array: VirtualArray
  readonly unit: number
}

type AxisKind = 'latitude' | 'longitude' | 'y' | 'x'

interface FoundAxis extends GridAxis {
  readonly kind: AxisKind
}

const NORTH = /^degrees?_?n(?:orth)?$/i
const EAST = /^degrees?_?e(?:ast)?$/i
const METRES: ReadonlyMap<string, number> = new Map([
  ['m', 1],
  ['metre', 1],
  ['meter', 1],
  ['metres', 1],
  ['meters', 1],
  ['km', 1000],
  ['kilometre', 1000],
  ['kilometer', 1000],
  ['kilometres', 1000],
  ['kilometers', 1000],
])

/** The grid of the largest array of a group that lies on one; undefined where none does. */
export function cfGridOf({ members }: VirtualGroup): CfGrid | undefined {
  const axes = new Map<string, FoundAxis>()
  for (const [name, member] of members) {
    const axis = axisOf(name, member)
    if (axis !== undefined) axes.set(name, axis)
  }
  if (axes.size < 2) return undefined
  let largest: VirtualArray | undefined
  for (const member of members.values()) {
    if (member.kind !== 'array' || planeOf(member, axes) === undefined) continue
    if (largest === undefined || elementCount(member.shape) > elementCount(largest.shape)) largest = member
  }
  const plane = largest === undefined ? undefined : planeOf(largest, axes)
  if (largest === undefined || plane === undefined) return undefined
  const named = textOf(largest, 'grid_mapping')
  // The longer form names the coordinates of each mapping too: the first one counts.
  const mapping = named === undefined ? undefined : members.get(named.trim().split(/[\s:]/)[0] ?? '')
  const found = mapping?.kind === 'array' ? mapping : undefined
  return { ...plane, mapping: found, isMappingLost: named !== undefined && found === undefined }
}

function planeOf({ dimensionNames }: VirtualArray, axes: ReadonlyMap<string, FoundAxis>) {
  if (dimensionNames === undefined || dimensionNames.length < 2) return undefined
  const found = dimensionNames.flatMap((name) => axes.get(name ?? '') ?? [])
  const only = (kind: AxisKind) => {
    const [axis, ...others] = found.filter((candidate) => candidate.kind === kind)
    return others.length === 0 ? axis : undefined
  }
  const [latitude, longitude, y, x] = [only('latitude'), only('longitude'), only('y'), only('x')]
  if (latitude !== undefined && longitude !== undefined)
    return { rows: latitude, columns: longitude, isGeographic: true }
  return y === undefined || x === undefined ? undefined : { rows: y, columns: x, isGeographic: false }
}

/** A variable with the name and the length of its only dimension, in units that say where. */
function axisOf(name: string, array: Member): FoundAxis | undefined {
  if (array.kind !== 'array' || array.shape.length !== 1 || array.dimensionNames?.[0] !== name) return undefined
  const units = textOf(array, 'units')?.trim() ?? ''
  const meaning = textOf(array, 'standard_name')?.trim()
  const metres = METRES.get(units.toLowerCase())
  if (meaning === 'projection_y_coordinate' && metres !== undefined) return { name, array, kind: 'y', unit: metres }
  if (meaning === 'projection_x_coordinate' && metres !== undefined) return { name, array, kind: 'x', unit: metres }
  // Turned poles have degrees too; their standard names say so.
  if (NORTH.test(units) && (meaning ?? 'latitude') === 'latitude') return { name, array, kind: 'latitude', unit: 1 }
  if (EAST.test(units) && (meaning ?? 'longitude') === 'longitude') return { name, array, kind: 'longitude', unit: 1 }
  return undefined
}

/** An attribute that is text. */
export function textOf({ attributes }: VirtualArray, name: string): string | undefined {
  const value: AttributeValue | undefined = attributes.get(name)
  if (value instanceof Uint8Array) return anyText(value)
  return typeof value === 'string' ? value : undefined
}

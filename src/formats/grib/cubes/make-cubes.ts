// As cfgrib groups messages: fields that agree in all but number, time, step and level are one array.

import { overLimit } from '../../../errors.ts'
import { elementCount } from '../../../model/shape.ts'
import type { Description } from '../describe/description.ts'
import type { Field } from '../messages/field.ts'
import type { Axis, Cube, PlacedGrid } from './cube.ts'

/** Types of levels whose values run down. */
const DECREASING: ReadonlySet<string> = new Set(['isobaricInhPa', 'isobaricInPa'])

/** A field with its grid. */
export interface Described {
  readonly description: Description
  readonly grid: PlacedGrid
}

/** Fields as cubes. */
export interface Cubes {
  /** In the order of their parameters. */
  readonly cubes: readonly Cube[]
  /** Of fields that say of themselves what others in `cubes` say. */
  readonly again: readonly Cube[]
  /** What was said too often. */
  readonly left: readonly Field[]
}

/** How often fields may say the same: each time costs a group. */
const MOST_TIMES = 100

/** Arrays of one file. */
const MOST_ARRAYS = 10_000

/** Makes cubes of all fields. */
export function makeCubes(fields: readonly Described[]): Cubes {
  const cubes: Cube[] = []
  const again: Cube[] = []
  const left: Field[] = []
  for (const group of groupsOf(fields)) {
    if (cubes.length + again.length > MOST_ARRAYS)
      throw overLimit(`more than ${MOST_ARRAYS} arrays`, { format: 'grib' })
    let rest = group
    for (let times = 0; times < MOST_TIMES; times++) {
      const [first] = rest
      if (first === undefined) break
      const { cube, repeated } = cubeOf(rest, first)
      if (times === 0) cubes.push(cube)
      else again.push(cube)
      rest = repeated
    }
    left.push(...rest.map(({ description }) => description.field))
  }
  cubes.sort((one, other) => one.first.parameter.paramId - other.first.parameter.paramId)
  return { cubes, again, left }
}

function groupsOf(fields: readonly Described[]): Described[][] {
  const grids = new Map<PlacedGrid, number>()
  const groups = new Map<string, Described[]>()
  for (const described of fields) {
    const { description, grid } = described
    const number = grids.get(grid) ?? grids.size
    grids.set(grid, number)
    const key = groupKey(description, number)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [described])
    else group.push(described)
  }
  return [...groups.values()]
}

/** What must be the same in all fields of an array. */
function groupKey(description: Description, grid: number): string {
  const { parameter, parameterKey, field, centre, subCentre, dataType, typeOfLevel, stepType } = description
  const defined = AXES.map(({ of }) => Number(of(description) !== undefined)).join('')
  // Parameters without a name would fall together.
  const own = parameter.paramId === 0 ? parameterKey : parameter.paramId
  return JSON.stringify([own, field.edition, centre, subCentre, dataType, typeOfLevel, stepType, grid, defined])
}

interface AxisKind {
  readonly key: Axis['key']
  of(description: Description): number | undefined
}

/** In the order of the dimensions. */
const AXES: readonly AxisKind[] = [
  { key: 'number', of: ({ number }) => number },
  { key: 'time', of: ({ time }) => time },
  { key: 'step', of: ({ step }) => step },
  { key: 'level', of: ({ level }) => level },
  { key: 'directionNumber', of: ({ direction }) => direction },
  { key: 'frequencyNumber', of: ({ frequency }) => frequency },
]

function cubeOf(
  group: readonly Described[],
  first: Described,
): { readonly cube: Cube; readonly repeated: Described[] } {
  const { description, grid } = first
  const kinds = AXES.filter(({ of }) => of(description) !== undefined)
  const axes = kinds.map((kind) => axisOf(kind, group))
  if (!Number.isSafeInteger(elementCount(axes.map(({ values }) => values.length)))) {
    throw overLimit('an array of more than 2^53 fields', { format: 'grib' })
  }
  const places = axes.map(({ values }) => new Map(values.map((value, place) => [value, place])))
  const fields = new Map<number, Field>()
  const repeated: Described[] = []
  for (const each of group) {
    const place = kinds.reduce((position, { of }, axis) => {
      const count = axes[axis]?.values.length ?? 1
      return position * count + (places[axis]?.get(of(each.description) ?? 0) ?? 0)
    }, 0)
    if (fields.has(place)) repeated.push(each)
    else fields.set(place, each.description.field)
  }
  const { cfVarName, shortName } = description.parameter
  const name = cfVarName === 'unknown' || cfVarName === '' ? shortName : cfVarName
  return { cube: { name, first: description, grid, axes, fields }, repeated }
}

function axisOf({ key, of }: AxisKind, group: readonly Described[]): Axis {
  const [first] = group
  const typeOfLevel = first?.description.typeOfLevel ?? 'unknown'
  const name = key !== 'level' ? key : typeOfLevel === 'unknown' ? 'level' : typeOfLevel
  const values = [...new Set(group.map(({ description }) => of(description) ?? 0))].sort((one, other) => one - other)
  return { key, name, values: DECREASING.has(name) ? values.reverse() : values }
}

// As cfgrib's `open_datasets`: arrays of one type of level whose coordinates agree lie together. What agrees with everything else is at
// the root, what is at odds with something is in a group of its own.

import type { Cube, Dataset, PlacedGrid } from './cube.ts'

/** What arrays of one group must agree about. */
interface Agreement {
  readonly grid: PlacedGrid
  /** Edition and centre: attributes of the group. */
  readonly origin: string
  /** Values of each axis, as text. */
  readonly axes: Map<string, string>
  readonly names: Set<string>
}

interface Merged {
  readonly agreement: Agreement
  readonly cubes: Cube[]
}

/** Cubes put together by types of levels. */
export function datasetsOf(cubes: readonly Cube[]): Dataset[] {
  const byLevel = new Map<string, Merged[]>()
  for (const cube of cubes) {
    const { typeOfLevel } = cube.first
    const merged = byLevel.get(typeOfLevel) ?? []
    byLevel.set(typeOfLevel, merged)
    const own = agreementOf(cube)
    const fitting = merged.find(({ agreement }) => fits(own, agreement))
    if (fitting === undefined) merged.push({ agreement: own, cubes: [cube] })
    else {
      fitting.cubes.push(cube)
      fitting.agreement.names.add(cube.name)
      for (const [name, values] of own.axes) fitting.agreement.axes.set(name, values)
    }
  }
  return [...byLevel]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([typeOfLevel, merged]) => merged.map((own) => ({ typeOfLevel, cubes: own.cubes })))
}

/** Datasets that may lie together at the root, and the others. */
export function atRoot(datasets: readonly Dataset[]): {
  readonly root: readonly Cube[]
  readonly apart: readonly Dataset[]
} {
  // What is said by more than one dataset in different words puts all of them apart.
  const said = new Map<string, Set<unknown>>()
  const say = (subject: string, words: unknown) => {
    const known = said.get(subject) ?? new Set()
    said.set(subject, known.add(words))
  }
  const subjects = datasets.map((dataset) => {
    const own: string[] = ['grid', 'origin']
    for (const cube of dataset.cubes) {
      const { grid, origin, axes } = agreementOf(cube)
      say('grid', grid)
      say('origin', origin)
      say(`array ${cube.name}`, dataset)
      own.push(`array ${cube.name}`)
      for (const [name, values] of axes) {
        say(`axis ${name}`, values)
        own.push(`axis ${name}`)
      }
    }
    return own
  })
  const isApart = datasets.map((_, index) =>
    (subjects[index] ?? []).some((subject) => (said.get(subject)?.size ?? 0) > 1),
  )
  return {
    root: datasets.filter((_, index) => isApart[index] !== true).flatMap(({ cubes }) => cubes),
    apart: datasets.filter((_, index) => isApart[index] === true),
  }
}

function agreementOf({ name, grid, axes, first }: Cube): Agreement {
  return {
    grid,
    origin: `${first.field.edition} ${first.centre} ${first.subCentre}`,
    axes: new Map(axes.map((axis) => [axis.name, axis.values.join()])),
    names: new Set([name]),
  }
}

/** Another array of the same origin and grid, with the same values of the axes that both have. */
function fits(own: Agreement, other: Agreement): boolean {
  if (own.grid !== other.grid || own.origin !== other.origin) return false
  for (const name of own.names) if (other.names.has(name)) return false
  for (const [name, values] of own.axes) if ((other.axes.get(name) ?? values) !== values) return false
  return true
}

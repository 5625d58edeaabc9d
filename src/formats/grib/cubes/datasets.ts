// As cfgrib's `open_datasets`: arrays of one type of level whose coordinates agree lie together. What agrees with everything else is at
// the root, what is at odds with something is in a group of its own.

import type { Axis, Cube, Dataset } from './cube.ts'

/** Cubes put together by types of levels. */
export function datasetsOf(cubes: readonly Cube[]): Dataset[] {
  const byLevel = new Map<string, Cube[][]>()
  for (const cube of cubes) {
    const { typeOfLevel } = cube.first
    const merged = byLevel.get(typeOfLevel) ?? []
    byLevel.set(typeOfLevel, merged)
    const fitting = merged.find((others) => others.every((other) => fit(cube, other)))
    if (fitting === undefined) merged.push([cube])
    else fitting.push(cube)
  }
  return [...byLevel]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([typeOfLevel, merged]) => merged.map((own) => ({ typeOfLevel, cubes: own })))
}

/** Datasets that may lie together at the root, and the others. */
export function atRoot(datasets: readonly Dataset[]): {
  readonly root: readonly Cube[]
  readonly apart: readonly Dataset[]
} {
  const isApart = (dataset: Dataset) =>
    datasets.some(
      (other) => other !== dataset && !dataset.cubes.every((one) => other.cubes.every((two) => fit(one, two))),
    )
  return {
    root: datasets.filter((dataset) => !isApart(dataset)).flatMap(({ cubes }) => cubes),
    apart: datasets.filter(isApart),
  }
}

/** Whether two arrays can lie in one group: other names, the same file's origin, the same coordinates where they share them. */
function fit(one: Cube, other: Cube): boolean {
  if (one.name === other.name || one.grid !== other.grid) return false
  const [first, second] = [one.first, other.first]
  if (first.field.edition !== second.field.edition) return false
  if (first.centre !== second.centre || first.subCentre !== second.subCentre) return false
  return one.axes.every((axis) => {
    const same = other.axes.find(({ name }) => name === axis.name)
    return same === undefined || areSame(axis, same)
  })
}

function areSame(one: Axis, other: Axis): boolean {
  return one.values.length === other.values.length && one.values.every((value, place) => value === other.values[place])
}

import { invalidRequest, malformed } from '../errors.ts'
import { type PartTree, splitPath } from './tree.ts'

/** The dimension that sources are joined along where nobody said: the first whose lengths differ, or time. */
export function foundDimension(first: PartTree, last: PartTree): string {
  const [one, other] = [first, last].map(dimensionLengths)
  for (const [name, length] of one ?? []) if ((other?.get(name) ?? length) !== length) return name
  if (one?.has('time') === true) return 'time'
  throw invalidRequest(
    `the sources have no dimension whose lengths differ, and none named time: along says which of ${[...(one?.keys() ?? [])].join(', ')} is joined`,
    { option: 'along' },
  )
}

/** The length of a dimension in a source. */
export function dimensionLength(tree: PartTree, dimension: string): number {
  const lengths = dimensionLengths(tree)
  const length = lengths.get(dimension)
  if (length !== undefined) return length
  throw malformed(`${tree.url} has no dimension ${dimension}; it has ${[...lengths.keys()].join(', ') || 'none'}`)
}

/** Whether sources have a single value of what would be their dimension: they are joined along it as along a new one. */
export function isSingleIn(tree: PartTree, dimension: string): boolean {
  if (dimensionLengths(tree).has(dimension)) return false
  return [...tree.arrays].some(
    ([path, array]) => splitPath(path).name === dimension && array.kind === 'array' && array.shape.length === 0,
  )
}

function dimensionLengths({ arrays }: PartTree): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>()
  for (const array of arrays.values()) {
    if (array.kind !== 'array') continue
    for (const [axis, name] of (array.dimensionNames ?? []).entries()) {
      if (name !== null && !lengths.has(name)) lengths.set(name, array.shape[axis] ?? 0)
    }
  }
  return lengths
}

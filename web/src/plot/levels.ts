import type { ArrayInfo, Inspection, Json } from '../service/types.ts'
import { nameOf, parentOf } from '../store/nodes.ts'

/** One resolution of an array. */
export interface Level {
  readonly path: string
  readonly array: ArrayInfo
  /** How many points of the full resolution one of this level stands for, down and across. */
  readonly factor: readonly [down: number, across: number]
}

/** The full resolution, and the overviews that the store has beside it, the finest first. */
export function levelsOf(inspection: Inspection, path: string, axes: readonly [number, number]): readonly Level[] {
  const array = inspection.arrays[path]
  if (array === undefined) return []
  const full: Level = { path, array, factor: [1, 1] }
  const name = nameOf(path)
  const home = homeOf(inspection, path)
  const assets = home === undefined ? [] : assetsOf(inspection.groups[home]?.attributes['multiscales'])
  const overviews = assets.flatMap((asset) => {
    const at = [home, asset, name].filter((part) => part !== undefined && part !== '').join('/')
    const level = inspection.arrays[at]
    if (level === undefined || at === path || level.shape.length !== array.shape.length) return []
    return [{ path: at, array: level, factor: factorOf(array, level, axes) }]
  })
  const coarser = overviews.filter(({ factor }) => factor[0] > 1 || factor[1] > 1)
  return [full, ...coarser.toSorted((a, b) => a.factor[0] - b.factor[0])]
}

/** The group that lists the levels: the array's own, or, for one of the first level, the group above. */
function homeOf(inspection: Inspection, path: string): string | undefined {
  const own = parentOf(path)
  const candidates = own === '' ? [''] : [own, parentOf(own)]
  return candidates.find((group) => inspection.groups[group]?.attributes['multiscales'] !== undefined)
}

function assetsOf(multiscales: Json | undefined): readonly string[] {
  if (typeof multiscales !== 'object' || multiscales === null || !('layout' in multiscales)) return []
  const { layout } = multiscales
  return Array.isArray(layout)
    ? layout.flatMap((level: Json) =>
        typeof level === 'object' && level !== null && 'asset' in level && typeof level['asset'] === 'string'
          ? [level['asset']]
          : [],
      )
    : []
}

function factorOf(
  full: ArrayInfo,
  level: ArrayInfo,
  [down, across]: readonly [number, number],
): readonly [number, number] {
  const ratio = (axis: number) => (full.shape[axis] ?? 1) / Math.max(1, level.shape[axis] ?? 1)
  return [ratio(down), ratio(across)]
}

/** The coarsest level that still has a point for each pixel. `wanted` is how many points of the full resolution a pixel stands for. */
export function levelFor(levels: readonly Level[], wanted: number): Level | undefined {
  return levels.findLast(({ factor }) => Math.max(...factor) <= wanted * 1.05) ?? levels[0]
}

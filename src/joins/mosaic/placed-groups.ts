import { isVirtualZarrError, malformed } from '../../errors.ts'
import { Boxes } from './boxes.ts'
import { type GridBox, type MosaicGrid, mosaicGrid, type NamedPlacement } from './grid.ts'
import type { Mosaicking, ReadRaster } from './mosaic-tree.ts'
import { placementOf } from './placement.ts'
import { levelNames, type PlacedLevel } from './placing-attributes.ts'
import type { Mosaic } from './variable.ts'

/** A group whose arrays are laid on a grid. */
export interface PlacedGroup extends PlacedLevel {
  readonly mosaic: Mosaic
  /** It holds the masks of another group's arrays. */
  readonly masksOf: string | undefined
}

/** The groups of the first raster that lie somewhere, by path; 'left out' where a level of the pyramid is not one of all rasters. */
export function placedGroups(mosaicking: Mosaicking): ReadonlyMap<string, PlacedGroup | 'left out'> {
  const [{ part: first }] = mosaicking.read
  const levels = levelNames(first.tree)
  const placed = new Map<string, PlacedGroup | 'left out'>()
  for (const group of ['', ...first.tree.groups.keys()]) {
    const masked = maskedGroup(group)
    const values = masked === undefined ? undefined : placed.get(masked)
    if (values !== undefined && masked !== undefined) {
      placed.set(group, values === 'left out' ? values : { ...values, masksOf: masked })
      continue
    }
    const found = levels.indexOf(group) > 0 ? levelOf(mosaicking, group) : groupOf(mosaicking, group, levels[0] ?? '')
    if (found !== undefined) placed.set(group, found)
  }
  return placed
}

/** `mask` and `mask/1` lie over the root and over `1`. */
function maskedGroup(group: string): string | undefined {
  if (group === 'mask') return ''
  return group.startsWith('mask/') ? group.slice('mask/'.length) : undefined
}

/** A level of which some raster has none, or that lies elsewhere: the mosaic has less levels, and others' values are not touched. */
function levelOf(mosaicking: Mosaicking, group: string): PlacedGroup | 'left out' {
  const leftOut = (why: string): 'left out' => {
    mosaicking.warn({
      code: 'mosaic-level-left-out',
      message: `overviews ${group} are not of one mosaic: ${why}`,
      path: group,
    })
    return 'left out'
  }
  const lacking = mosaicking.read.find(({ part }) => placementOf(part.tree, group, mosaicking.rename) === undefined)
  if (lacking !== undefined) return leftOut(`${lacking.part.tree.url} has none`)
  const unmasked = mosaicking.read.find(({ part }) => hasLostMask(part.tree, group))
  if (unmasked !== undefined) return leftOut(`those of ${unmasked.part.tree.url} have no mask`)
  try {
    return groupOf(mosaicking, group, group) ?? 'left out'
  } catch (error) {
    if (!isVirtualZarrError(error, 'malformed-source')) throw error
    return leftOut(error.message)
  }
}

function hasLostMask({ arrays }: ReadRaster['part']['tree'], group: string): boolean {
  return [...arrays].some(
    ([path, array]) => path.startsWith(`${group}/`) && array.kind === 'array' && array.maskedBy?.kind === 'skipped',
  )
}

/** The rasters of a group on one grid; undefined where the first says no place. `required` is the group that all must have. */
function groupOf(mosaicking: Mosaicking, group: string, required: string): PlacedGroup | undefined {
  const { read, count, rename, steps, open, warn } = mosaicking
  const named = read.flatMap(
    ({ part, place }): (NamedPlacement & { readonly place: number; readonly tree: ReadRaster['part']['tree'] })[] => {
      const placement = placementOf(part.tree, group, rename)
      return placement === undefined ? [] : [{ url: part.tree.url, placement, place, tree: part.tree }]
    },
  )
  const [first, ...others] = named
  if (first === undefined || first.tree !== read[0].part.tree) return undefined
  if (group === '' || group === required) {
    const lost = read.find(({ place }) => !named.some((raster) => raster.place === place))
    if (lost !== undefined) throw malformed(`${lost.part.tree.url} does not say where it lies`)
  }
  requireDimensions(mosaicking, named)
  const grid = mosaicGrid([first, ...others])
  const boxes: (GridBox | undefined)[] = new Array<undefined>(count).fill(undefined)
  const rasters = named.flatMap(({ tree, place }, at) => {
    const box = grid.boxes[at]
    boxes[place] = box
    return box === undefined ? [] : [{ tree, place, box }]
  })
  const { dimensions, system } = first.placement
  const { height, width } = grid
  const mosaic = { height, width, rasters, boxes: new Boxes(boxes, steps?.places), dimensions, steps, open, warn }
  return { mosaic, level: levelIn(group, grid), dimensions, code: system.code, masksOf: undefined }
}

function levelIn(name: string, { height, width, transform }: MosaicGrid): PlacedLevel['level'] {
  return { name, height, width, transform }
}

function requireDimensions({ dimensions }: Mosaicking, named: readonly NamedPlacement[]): void {
  const [first] = named
  const wanted = (dimensions ?? first?.placement.dimensions ?? []).join(', ')
  for (const { url, placement } of named) {
    const own = placement.dimensions.join(', ')
    if (own !== wanted) throw malformed(`the dimensions of rows and columns are ${own} in ${url}, expected ${wanted}`)
  }
}

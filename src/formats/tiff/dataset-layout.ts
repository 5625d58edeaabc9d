import { VirtualZarrError } from '../../errors.ts'
import type { Member, VirtualGroup } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { ParseContext } from '../format.ts'
import { multiscaleAttributes } from '../georeference/conventions.ts'
import { BandArrayBudget, maskOfBand } from './band-arrays.ts'
import { type DatasetReading, type Grid, groupOf, NAMED, placeOf, readGrids } from './dataset-grids.ts'
import { type Dataset, groupPages, withOthers } from './datasets.ts'
import type { TiffFile } from './directories/read-ifds.ts'
import type { Tags } from './directories/read-tags.ts'
import type { Georeference } from './georeference.ts'
import { type ReadArray, withMasks } from './masks.ts'
import type { Sidecars, TiffLocation } from './sidecars.ts'

/**
 * `layout=dataset`: the first image at the root, its overviews, its mask and further pages in groups; `layout=levels`: no
 * array where there are groups, so that all of it is one DataTree (TREE-5).
 */
export function datasetLayout(file: TiffFile, source: Source, context: ParseContext, beside: Sidecars): VirtualGroup {
  const reading: DatasetReading = {
    source,
    context,
    read: [],
    systems: new Map(),
    beside,
    locations: locationsOf(beside),
    bandArrays: new BandArrayBudget(),
  }
  const [first, ...pages] = groupPages(file.pages)
  if (first === undefined) throw new VirtualZarrError('malformed-source', 'the file has no image')
  const { mask: otherMask, overviews } = beside
  const main = withOthers(first, otherMask?.pages ?? [], overviews?.pages ?? [])
  const root = readDataset(reading, main, '', undefined).group
  const members = new Map(root.members)
  for (const [i, page] of pages.entries()) {
    const name = `page_${i + 1}`
    members.set(name, readDataset(reading, page, `${name}/`, undefined).group)
  }
  refuse(reading)
  return { ...root, members }
}

/** Directories that lie in files beside the source. */
function locationsOf({ mask, overviews }: Sidecars): ReadonlyMap<Tags, TiffLocation> {
  const others = [mask, overviews].filter((other) => other !== undefined)
  return new Map(others.flatMap(({ pages, location }) => pages.map(({ tags }) => [tags, location] as const)))
}

/** A dataset without its image is none: a nodata value that is refused, or nothing that can be served. */
function refuse({ read }: DatasetReading): void {
  const [main] = read
  if (main?.member.kind !== 'skipped') return
  if (!main.refusedSentinel && read.some(({ member }) => member.kind === 'array')) return
  const context = main.refusedSentinel ? { option: 'sentinel' } : {}
  throw new VirtualZarrError(main.member.code, main.member.reason, context)
}

/** An image with what belongs to it, as a group. */
interface ReadDataset {
  readonly group: VirtualGroup
  /** Of its own image and overviews. */
  readonly arrays: ReadonlyMap<Tags, ReadArray>
}

function readDataset(
  reading: DatasetReading,
  dataset: Dataset,
  path: string,
  parent: Georeference | undefined,
): ReadDataset {
  const isLevels = reading.context.options.layout === 'levels'
  const geo = parent ?? placeOf(reading, dataset.tags, path, isLevels ? `${path}0/spatial_ref` : `${path}spatial_ref`)
  const unmasked = readGrids(reading, dataset, path, geo)
  const arrays = new Map(unmasked.map(({ tags, array }) => [tags, array]))
  const mask = dataset.mask === undefined ? undefined : readDataset(reading, dataset.mask, `${path}mask/`, geo)
  const grids = maskedGrids(unmasked, withMasks(dataset, new Map([...arrays, ...(mask?.arrays ?? [])])))
  const [full] = grids
  const levels = new Map<string, Member>(grids.map((grid) => [grid.level.name, groupOf(grid)]))
  const own = groupOf(full)
  const members = new Map<string, Member>(isLevels ? levels : [...own.members, ...(grids.length > 1 ? levels : [])])
  if (mask !== undefined) members.set('mask', mask.group)
  for (const [i, child] of dataset.children.entries()) {
    const name = `subifd_${i + 1}`
    members.set(name, readDataset(reading, child, `${path}${name}/`, undefined).group)
  }
  const placing = {
    levels: grids.map(({ level }) => level).filter(({ width }) => width > 0),
    ...NAMED,
    code: geo.crs?.code,
  }
  const conventions = isLevels || grids.length > 1 ? multiscaleAttributes(placing) : []
  // Viewers look for overviews at the root; level `0` is the same dataset without what NetCDF can't hold (decision 13).
  const attributes = new Map([...conventions, ...(isLevels ? [] : own.attributes)])
  return { group: { kind: 'group', attributes, members }, arrays }
}

function maskedGrids(
  [full, ...others]: readonly [Grid, ...Grid[]],
  masked: ReadonlyMap<Tags, ReadArray>,
): readonly [Grid, ...Grid[]] {
  const over = (grid: Grid): Grid => {
    const array = masked.get(grid.tags) ?? grid.array
    const mask = array.kind === 'array' ? array.maskedBy : undefined
    return { ...grid, array, bands: grid.bands?.map((band, at) => ({ ...band, maskedBy: maskOfBand(mask, at) })) }
  }
  return [over(full), ...others.map(over)]
}

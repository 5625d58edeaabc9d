import { malformed, overLimit, unsupported, VirtualZarrError } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { mosaicTree, type ReadRaster } from '../../joins/mosaic/mosaic-tree.ts'
import type { OpenPart } from '../../joins/parts.ts'
import type { PartTree } from '../../joins/tree.ts'
import { HEADERS_AT_ONCE, type Level, MOST_HEADERS, openOrMissing } from './join-level.ts'
import { SharedValues } from './shared-values.ts'

/** Rasters that are placed by where they lie. */
export interface MosaicLevel extends Pick<Level, 'count' | 'missing' | 'open' | 'world' | 'progress' | 'warn'> {
  /** The dimensions that the document names. */
  readonly named: readonly string[]
  readonly rename: ReadonlyMap<string, string>
}

/** Puts rasters together: all headers are read, since nothing else says where they lie. */
export async function mosaicLevel(level: MosaicLevel): Promise<PartTree> {
  const { count, named, rename, world, warn } = level
  if (count === 0) throw malformed('a mosaic of no sources: its list, template or glob names none')
  if (count > MOST_HEADERS) throw overLimit(`a mosaic of ${count} sources, at most ${MOST_HEADERS} headers are read`)
  const [rows, columns] = named
  if (rows === undefined || columns === undefined)
    throw unsupported('join: mosaics', 'a mosaic is along two dimensions that its sources have')
  const places = Array.from({ length: count }, (_none, place) => place)
  level.progress?.expect(count)
  const opened = await inParallel(places, HEADERS_AT_ONCE, async (place) => {
    const part = await openOrMissing(level, place)
    level.progress?.advance()
    return part
  })
  const read = opened.flatMap((part, place): ReadRaster[] => (part === undefined ? [] : [{ part, place }]))
  const [first, ...others] = read
  if (first === undefined) throw new VirtualZarrError('source-not-found', 'none of the sources of the mosaic exists')
  let shared: SharedValues | undefined
  // One that was there when the mosaic was opened, and no longer is, is no gap.
  const open = async (place: number): Promise<OpenPart> => {
    const part = await level.open(place)
    await shared?.compare(part)
    return part
  }
  const mosaic = mosaicTree({
    read: [first, ...others],
    count,
    open,
    rename,
    steps: undefined,
    dimensions: [rows, columns],
    warn,
  })
  shared = new SharedValues(first.part, mosaic.shared, world, warn)
  const comparing = shared
  await inParallel(others, HEADERS_AT_ONCE, ({ part }) => comparing.compare(part))
  return mosaic.tree
}

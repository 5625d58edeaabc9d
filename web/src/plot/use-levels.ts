import { useEffect, useMemo, useState } from 'preact/hooks'
import { inspect } from '../service/api.ts'
import type { ArrayInfo, Inspection } from '../service/types.ts'
import { type Level, levelsOf } from './levels.ts'
import { openZarrStore, type ZarrStore } from './zarr-store.ts'

interface LevelsInput {
  readonly segment: string
  readonly path: string
  readonly array: ArrayInfo
  readonly inspection: Inspection
  readonly store: ZarrStore
  /** All of a large array was asked for: levels of it are worth computing then, and not before, since all of it is read. */
  readonly isAll: boolean
}

interface Levels {
  readonly store: ZarrStore
  readonly inspection: Inspection
  /** Whether the service is being asked for levels. */
  readonly isPending: boolean
  levels(axes: readonly [number, number]): readonly Level[]
}

/** Points along a side from which levels that the service computes are worth asking for. */
const LARGE = 2048

/** The levels of an array: its own overviews, or those that the service makes of a large array that has none. */
export function useLevels({ segment, path, array, inspection, store, isAll }: LevelsInput): Levels {
  const [made, setMade] = useState<{ readonly store: ZarrStore; readonly inspection: Inspection }>()
  const isLarge = array.shape.filter((length) => length > LARGE).length >= 2
  const isPlain = levelsOf(inspection, path, [array.shape.length - 2, array.shape.length - 1]).length < 2
  const [isRefused, setRefused] = useState(false)
  const isWanted = isAll && isLarge && isPlain && !segment.includes(';pyramid=')
  useEffect(() => {
    if (!isWanted) return
    const leaving = new AbortController()
    const pyramid = `${segment};pyramid=auto`
    inspect(pyramid, leaving.signal).then(
      (found) => setMade({ store: openZarrStore(pyramid), inspection: found }),
      // A service that makes none, or none of this array, leaves the array as it is.
      () => !leaving.signal.aborted && setRefused(true),
    )
    return () => leaving.abort()
  }, [isWanted, segment])
  const isThere = made?.inspection.arrays[path] !== undefined
  const isPending = isWanted && made === undefined && !isRefused
  return useMemo(() => {
    const used = made !== undefined && isThere ? made : { store, inspection }
    return { ...used, isPending, levels: (axes) => levelsOf(used.inspection, path, axes) }
  }, [made, isThere, isPending, store, inspection, path])
}

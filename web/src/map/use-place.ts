import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Coordinate } from '../plot/coordinates.ts'
import type { Placement } from '../plot/picture.ts'
import type { Overlay } from '../plot/plane-canvas.ts'
import type { Raster } from '../plot/raster.ts'
import { type Box, boxOf, type Matrix } from '../plot/viewport.ts'
import type { ZarrStore } from '../plot/zarr-store.ts'
import type { ArrayInfo, Inspection } from '../service/types.ts'
import { coastline } from './coastline.ts'
import {
  boxOfMesh,
  type Cells,
  type CurvilinearArrays,
  meshPlacement,
  readBaseCells,
  readDetailCells,
} from './curvilinear.ts'
import { curvilinearOf, georeferenceOf, type ReferenceSystem } from './geo.ts'
import { type Line, mapOverlay } from './overlay.ts'
import { type Projection, projectionOf } from './projection.ts'
import { configuredTiles, tileUnderlay } from './tiles.ts'

/** Where a picture lies: on a plane of its own indexes, or on that of a map. */
export interface Place {
  readonly kind: 'grid' | 'map'
  readonly placement: Placement
  readonly box: Box
  readonly isUniform: boolean
  readonly under?: Overlay | undefined
  readonly over?: Overlay | undefined
}

interface PlaceInput {
  readonly inspection: Inspection
  readonly path: string
  readonly array: ArrayInfo
  readonly axes: readonly [number, number]
  readonly coordinates: readonly Coordinate[] | undefined
  readonly store: ZarrStore
  /** What the person chose; undefined is a map wherever there is one. */
  readonly isMap: boolean | undefined
  /** The part that is looked at more finely. */
  readonly detail: Raster | undefined
}

/** The place of an array, and whether there is a map of it. */
export function usePlace(input: PlaceInput): { readonly current: Place; readonly canMap: boolean } {
  const { inspection, path, array, axes, coordinates, isMap, store, detail } = input
  const found = useMemo(
    () => georeferenceOf(inspection, path, array, axes, coordinates),
    [inspection, path, array, axes, coordinates],
  )
  const curved = useMemo(
    () => (found === undefined ? curvilinearOf(inspection, path, array, axes) : undefined),
    [found, inspection, path, array, axes],
  )
  const cells = useCurvilinear({ store, inspection, curved, isWanted: isMap !== false, detail })
  const overlays = useOverlays(found?.crs ?? (curved === undefined ? undefined : PLAIN), isMap !== false)
  const grid = useMemo(() => gridPlace(inspection, array, axes, coordinates), [inspection, array, axes, coordinates])
  const map = useMemo<Place | undefined>(() => {
    const shared = { kind: 'map', isUniform: true, ...overlays } as const
    if (found !== undefined) {
      const matrix = upsideDown(found.matrix)
      const box = boxOf(matrix, array.shape[axes[1]] ?? 1, array.shape[axes[0]] ?? 1)
      return { ...shared, placement: { kind: 'even', matrix }, box }
    }
    return cells === undefined ? undefined : { ...shared, ...cells }
  }, [found, cells, overlays, array, axes])
  const canMap = found !== undefined || curved !== undefined
  return { current: isMap !== false && map !== undefined ? map : grid, canMap }
}

const PLAIN: ReferenceSystem = { kind: 'geographic' }

/** Screens count downwards. */
function upsideDown([a, b, c, d, e, f]: Matrix): Matrix {
  return [a, -b, c, -d, e, -f]
}

/** Rows and columns as they come; upwards where their coordinate says so, as people draw latitudes and heights, and in FITS. */
function gridPlace(
  { format }: Inspection,
  array: ArrayInfo,
  [down, across]: readonly [number, number],
  coordinates: readonly Coordinate[] | undefined,
): Place {
  const [rows, columns] = [array.shape[down] ?? 1, array.shape[across] ?? 1]
  const coordinate = coordinates?.[down]
  const [first = 0, last = 0] = [coordinate?.values?.[0], coordinate?.values?.at(-1)]
  const isUpwards =
    coordinate?.values === undefined
      ? format === 'fits'
      : coordinate.attributes['positive'] === 'down'
        ? last < first
        : last > first
  const isTime = typeof coordinate?.attributes['units'] === 'string' && / since /.test(coordinate.attributes['units'])
  const matrix: Matrix = isUpwards && !isTime ? [1, 0, 0, -1, 0, 0] : [1, 0, 0, 1, 0, 0]
  const ratio = rows / columns
  return {
    kind: 'grid',
    placement: { kind: 'even', matrix },
    box: boxOf(matrix, columns, rows),
    isUniform: ratio > 1 / 4 && ratio < 4,
  }
}

/** Coasts and meridians over the picture, and under it what tiles the operator chose. */
function useOverlays(crs: ReferenceSystem | undefined, isWanted: boolean): Pick<Place, 'under' | 'over'> {
  const [parts, setParts] = useState<{ readonly projection: Projection; readonly coast: readonly Line[] }>()
  const key = crs === undefined ? '' : crs.kind === 'geographic' ? 'geographic' : crs.definition
  // `key` is what of `crs` counts
  useEffect(() => {
    if (crs === undefined || !isWanted) return
    let isOver = false
    void Promise.all([projectionOf(crs), coastline().catch(() => [])]).then(([projection, coast]) => {
      if (!isOver && projection !== undefined) setParts({ projection, coast })
    })
    return () => {
      isOver = true
    }
  }, [key, isWanted])
  const isPlain = key === 'geographic'
  const [tilesThere, setTilesThere] = useState(0)
  const tiles = useMemo(configuredTiles, [])
  const under = useMemo(() => {
    if (parts === undefined || tiles === undefined) return undefined
    const onTile = () => setTilesThere((before) => before + 1)
    return tileUnderlay({ tiles, projection: parts.projection, isPlain, onTile })
  }, [parts, tiles, isPlain])
  const over = useMemo(() => parts && mapOverlay({ ...parts, isPlain }), [parts, isPlain])
  // A tile that has come makes another place of it, which is drawn again
  return useMemo(() => ({ under, over }), [under, over, tilesThere])
}

interface CurvilinearInput {
  readonly store: ZarrStore
  readonly inspection: Inspection
  readonly curved: CurvilinearArrays | undefined
  readonly isWanted: boolean
  readonly detail: Raster | undefined
}

/** Cells of a grid without axes: of the whole, then of what is looked at. */
function useCurvilinear({ store, inspection, curved, isWanted, detail }: CurvilinearInput) {
  const [base, setBase] = useState<Cells>()
  const [fine, setFine] = useState<Cells>()
  useEffect(() => {
    if (curved === undefined || !isWanted) return
    const leaving = new AbortController()
    readBaseCells(store, inspection, curved, leaving.signal).then(
      (found) => !leaving.signal.aborted && setBase(found),
      // Without its coordinates it is drawn as a grid.
      () => undefined,
    )
    return () => leaving.abort()
  }, [store, inspection, curved, isWanted])
  const window = detail?.level.factor.every((one) => one === 1) === true ? detail.window : undefined
  useEffect(() => {
    if (curved === undefined || base === undefined || window === undefined) return
    const leaving = new AbortController()
    readDetailCells(store, inspection, curved, { base, window }, leaving.signal).then(
      (found) => !leaving.signal.aborted && setFine(found),
      // What is there already stays.
      () => undefined,
    )
    return () => leaving.abort()
  }, [store, inspection, curved, base, window])
  return useMemo(() => base && { placement: meshPlacement(base, fine), box: boxOfMesh(base.mesh) }, [base, fine])
}

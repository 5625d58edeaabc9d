import { meaningOf } from '../plot/meaning.ts'
import type { Placement } from '../plot/picture.ts'
import { type Raster, readRaster } from '../plot/raster.ts'
import type { Box } from '../plot/viewport.ts'
import type { ZarrStore } from '../plot/zarr-store.ts'
import type { Inspection } from '../service/types.ts'
import { type Mesh, meshOf } from './mesh.ts'

export interface CurvilinearPlace {
  readonly placement: Placement
  readonly box: Box
}

/** Points along a side of whose cells a map is made. */
const MOST_POINTS = 480

/** Latitudes and longitudes of a grid, as cells on a plane of degrees. */
export async function readCurvilinear(
  store: ZarrStore,
  inspection: Inspection,
  { latitude, longitude }: { readonly latitude: string; readonly longitude: string },
  signal: AbortSignal,
): Promise<CurvilinearPlace> {
  const read = async (path: string) => {
    const array = inspection.arrays[path]
    if (array === undefined) throw new Error(`there is no array ${path}`)
    const [rows = 1, columns = 1] = array.shape
    // The same points as the first picture of the values (use-rasters.ts).
    const step = Math.max(1, Math.ceil(Math.max(rows, columns) / (2 * MOST_POINTS)))
    return await readRaster({
      store,
      level: { path, array, factor: [1, 1] },
      axes: [0, 1],
      at: [0, 0],
      window: { down: [0, rows], across: [0, columns], step },
      meaning: meaningOf(array),
      signal,
    })
  }
  const [lat, lon] = await Promise.all([read(latitude), read(longitude)])
  const mesh = meshOf(
    lat.rows,
    lat.columns,
    lon.values,
    lat.values.map((value) => -value),
  )
  return {
    placement: { kind: 'mesh', meshOf: (raster) => (isSame(raster, lat) ? mesh : undefined) },
    box: boxOfMesh(mesh),
  }
}

function isSame({ rows, columns, window }: Raster, own: Raster): boolean {
  return rows === own.rows && columns === own.columns && window.step === own.window.step
}

function boxOfMesh({ x, y }: Mesh): Box {
  const ends = (values: Float64Array) => {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const value of values) {
      if (value < least) least = value
      if (value > most) most = value
    }
    return [least, most] as const
  }
  const [[left, right], [top, bottom]] = [ends(x), ends(y)]
  return { left, right, top, bottom }
}

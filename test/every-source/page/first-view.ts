// What the explorer does when a store is opened, without a document: the components' calls, in their order. Its modules look for the
// page's address when they are loaded, so that this file is loaded after `globalThis.document` is there.

import { chunkCoordinates } from '../../../web/src/array/chunk-cells.ts'
import { curvilinearOf, georeferenceOf } from '../../../web/src/map/geo.ts'
import { projectionOf } from '../../../web/src/map/projection.ts'
import { pictureAxes } from '../../../web/src/plot/axes-of.ts'
import { coordinatesOf } from '../../../web/src/plot/coordinates.ts'
import { datesOf } from '../../../web/src/plot/dates.ts'
import { levelsOf } from '../../../web/src/plot/levels.ts'
import { meaningOf, numberText } from '../../../web/src/plot/meaning.ts'
import { readRaster } from '../../../web/src/plot/raster.ts'
import { readAlong, readPoint } from '../../../web/src/plot/single-values.ts'
import { statisticsOf } from '../../../web/src/plot/statistics.ts'
import { baseWindow } from '../../../web/src/plot/use-rasters.ts'
import { openZarrStore } from '../../../web/src/plot/zarr-store.ts'
import { storeUrl } from '../../../web/src/service/api.ts'
import { asProblem, type Problem } from '../../../web/src/service/problem.ts'
import type { ArrayInfo, Inspection } from '../../../web/src/service/types.ts'
import { mapSnippets } from '../../../web/src/snippets/map-snippets.ts'
import { snippetsOf } from '../../../web/src/snippets/snippets.ts'
import { mainArray, treeOf } from '../../../web/src/store/nodes.ts'
import { firstOpen, rowsOf } from '../../../web/src/store/tree-rows.ts'
import { aboutText, shapeText, typeText } from '../../../web/src/store/words.ts'

/** Reads and computes all that the page of a store needs before anything is clicked. Returns what the page would show as a failure. */
export async function problemOfFirstView(segment: string, inspection: Inspection): Promise<Problem | undefined> {
  try {
    await computeFirstView(segment, inspection)
    return undefined
  } catch (error) {
    return asProblem(error)
  }
}

async function computeFirstView(segment: string, inspection: Inspection): Promise<void> {
  const nodes = treeOf(inspection)
  rowsOf(nodes, firstOpen(nodes), '')
  const path = mainArray(inspection) ?? ''
  const array = inspection.arrays[path]
  snippetsOf({ url: storeUrl(segment), path, array })
  mapSnippets(storeUrl(segment), inspection, path)
  for (const one of Object.values(inspection.arrays)) [aboutText(one), shapeText(one), typeText(one), meaningOf(one)]
  if (array !== undefined) await readFirstPicture(segment, inspection, path, array)
}

/** Texts that the page lists at first are up to 200: the first of them are enough here. */
const MAX_TEXTS = 8
const { signal } = new AbortController()

async function readFirstPicture(segment: string, inspection: Inspection, path: string, array: ArrayInfo) {
  if (array.shape.includes(0)) return
  const type = array.data_type
  if (typeof type !== 'string' || type.startsWith('complex') || type.startsWith('r')) return
  const store = openZarrStore(segment)
  const meaning = meaningOf(array)
  const coordinates = await coordinatesOf(store, inspection, path, array, signal)
  const at = array.shape.map(() => 0)
  const long = array.shape.filter((length) => length > 1).length
  if (type === 'string' || long === 0) {
    const dates = datesOf(array.attributes)
    const total = array.shape.reduce((product, length) => product * length, 1)
    for (let index = 0; index < Math.min(total, MAX_TEXTS); index++) {
      const value = await readPoint(store, path, array, chunkCoordinates(array.shape, index), signal)
      if (value !== undefined && typeof value !== 'string') (dates ?? ((one) => numberText(meaning.of(one))))(value)
    }
    return
  }
  if (long === 1) {
    const axis = array.shape.findIndex((length) => length > 1)
    const step = Math.max(1, Math.ceil((array.shape[axis] ?? 0) / 20_000))
    const stored = await readAlong(store, path, array, axis, { at, step, signal })
    statisticsOf(Float64Array.from(stored, (one) => (typeof one === 'string' ? Number.NaN : meaning.of(one))))
    coordinates[axis]?.label(0)
    return
  }
  const axes = pictureAxes(array, undefined)
  const levels = levelsOf(inspection, path, axes)
  const { window, level } = baseWindow(levels, axes, false)
  statisticsOf((await readRaster({ store, level, axes, at, window, meaning, signal })).values)
  const found = georeferenceOf(inspection, path, array, axes, coordinates)
  if (found !== undefined) await projectionOf(found.crs)
  curvilinearOf(inspection, path, array, axes)
  for (const coordinate of coordinates) coordinate.label(0)
}

import { ZarrLayer } from '@carbonplan/zarr-layer'
import { Map as MapLibre, setWorkerUrl } from 'maplibre-gl'
import { BACKGROUND, type LonLat, RAMP, type ShownStore, type Viewer } from '../viewer.ts'

const EARTH_CIRCUMFERENCE = 40_075_016.685578488
const TILE_SIZE = 512
const COLOURS = 256
/** By index: numbers of bands would be looked up in a coordinate at the root, which `layout=levels` has not. */
const BANDS = { selected: [0, 1, 2], type: 'index' as const }
const RGB = 'fragColor = vec4(vec3(band_0, band_1, band_2) / 255.0 * opacity, opacity);'

setWorkerUrl('/maplibre-worker.js')

/** A map of MapLibre with the layer of carbonplan. */
export async function zarrLayer(store: ShownStore, container: HTMLElement): Promise<Viewer> {
  const background = `rgb(${BACKGROUND.join(',')})`
  const map = new MapLibre({
    container,
    style: {
      version: 8,
      sources: {},
      layers: [{ id: 'background', type: 'background', paint: { 'background-color': background } }],
    },
    attributionControl: false,
    interactive: false,
    fadeDuration: 0,
  })
  await map.once('load')
  const { url, variable = 'band_data' } = store
  map.addLayer(new ZarrLayer({ id: 'store', source: url, variable, ...looks(store) }))
  return {
    show(corners, pixels) {
      const { center, width } = squareAround(corners)
      map.jumpTo({ center, zoom: Math.log2((EARTH_CIRCUMFERENCE * pixels) / (TILE_SIZE * width)) })
    },
    pixelsOf: (places) =>
      places.map(([longitude, latitude]) => {
        const { x, y } = map.project([longitude, latitude])
        return [x, y] as const
      }),
    close: () => map.remove(),
  }
}

function looks({ colours, proj4, dimensions, customFrag }: ShownStore) {
  const known = { ...(proj4 !== undefined && { proj4 }), ...(customFrag !== undefined && { customFrag }) }
  if (colours !== 'rgb')
    return { ...known, ...selected(dimensions), clim: [...colours] as [number, number], colormap: ramp() }
  return {
    ...known,
    clim: [0, 255] as [number, number],
    colormap: ramp(),
    selector: { band: BANDS },
    customFrag: RGB,
  }
}

function selected(dimensions: ShownStore['dimensions']) {
  if (dimensions === undefined) return {}
  const selector = Object.entries(dimensions).map(([name, index]) => [
    name,
    { selected: index, type: 'index' as const },
  ])
  return { selector: Object.fromEntries(selector) }
}

function ramp(): number[][] {
  const [low, high] = RAMP
  return Array.from({ length: COLOURS }, (_, i) =>
    low.map((from, channel) => Math.round(from + (((high[channel] ?? 0) - from) * i) / (COLOURS - 1))),
  )
}

/** Middle and longer side, in metres of Web Mercator. */
function squareAround(corners: readonly LonLat[]): { center: [number, number]; width: number } {
  const xs = corners.map(([longitude]) => longitude / 360)
  const ys = corners.map(([, latitude]) => Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI))
  const middle = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const span = (values: readonly number[]) => Math.max(...values) - Math.min(...values)
  const latitude = (Math.atan(Math.sinh(middle(ys) * 2 * Math.PI)) * 180) / Math.PI
  return { center: [middle(xs) * 360, latitude], width: Math.max(span(xs), span(ys)) * EARTH_CIRCUMFERENCE }
}

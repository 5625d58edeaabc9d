import type { ExpressionValue } from 'ol/expr/expression.js'
import { boundingExtent, getCenter } from 'ol/extent.js'
import TileLayer from 'ol/layer/WebGLTile.js'
import OlMap from 'ol/Map.js'
import { fromLonLat } from 'ol/proj.js'
import GeoZarr from 'ol/source/GeoZarr.js'
import View from 'ol/View.js'
import { RAMP, type ShownStore, type Viewer } from '../viewer.ts'

const VARIABLE = 'band_data'
const TRANSPARENT = [0, 0, 0, 0]

/** A map of OpenLayers in Web Mercator: it turns the source into that itself. */
export async function openLayers(store: ShownStore, target: HTMLElement): Promise<Viewer> {
  const view = new View({ projection: 'EPSG:3857', center: [0, 0], zoom: 1 })
  const layers = store.colours === 'rgb' ? rgbLayers(store.url) : [rampLayer(store.url, store.colours)]
  const map = new OlMap({ target, view, controls: [], interactions: [], layers })
  await Promise.all(layers.map((layer) => ready(layer.getSource() as GeoZarr)))
  return {
    show(corners, pixels) {
      const extent = boundingExtent(corners.map(([longitude, latitude]) => fromLonLat([longitude, latitude])))
      view.setCenter(getCenter(extent))
      view.setResolution(Math.max(extent[2] - extent[0], extent[3] - extent[1]) / pixels)
      map.renderSync()
    },
    pixelsOf: (places) => places.map((place) => map.getPixelFromCoordinate(fromLonLat([...place])) as [number, number]),
  }
}

function rampLayer(url: string, [low, high]: readonly [number, number]): TileLayer {
  const ramp = ['interpolate', ['linear'], ['band', 1], low, [...RAMP[0], 1], high, [...RAMP[1], 1]]
  return new TileLayer({ source: sourceOf(url), style: { color: whereData(ramp) } })
}

/** One source shows one index of `band`: three layers that add up make a picture of three bands. */
function rgbLayers(url: string): TileLayer[] {
  return [0, 1, 2].map((band) => {
    const only = [0, 1, 2].map((channel) => (channel === band ? ['*', ['band', 1], 1] : 0))
    const layer = new TileLayer({
      className: `channel-${band}`,
      source: sourceOf(url, { band }),
      style: { color: whereData(['array', ...only.map((value) => (value === 0 ? 0 : ['/', value, 255])), 1]) },
    })
    return layer
  })
}

/** The last band of the source tells data from nodata. */
function whereData(colour: unknown[]): ExpressionValue {
  return ['case', ['==', ['band', 2], 0], TRANSPARENT, colour] as ExpressionValue
}

function sourceOf(url: string, dimensions: Record<string, number> = {}): GeoZarr {
  return new GeoZarr({ url, bands: [VARIABLE], dimensions, transition: 0 })
}

function ready(source: GeoZarr): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (source.getState() === 'ready') resolve()
      if (source.getState() === 'error') reject(source.error_ ?? new Error('the source failed'))
    }
    source.on('change', look)
    look()
  })
}

import { boundingExtent, getCenter, getHeight, getWidth } from 'ol/extent.js'
import TileLayer from 'ol/layer/WebGLTile.js'
import OlMap from 'ol/Map.js'
import { fromLonLat, type ProjectionLike } from 'ol/proj.js'
import GeoZarr from 'ol/source/GeoZarr.js'
import View from 'ol/View.js'
import { type LonLat, RAMP, type ShownStore, type Viewer } from '../viewer.ts'

/** A map of OpenLayers: pictures in the source's own projection, the rest turned into Web Mercator. */
export async function openLayers(store: ShownStore, target: HTMLElement): Promise<Viewer> {
  const layers = store.colours === 'rgb' ? rgbLayers(store) : [rampLayer(store, store.colours)]
  const map = new OlMap({ target, view: viewIn('EPSG:3857'), controls: [], interactions: [], layers })
  const sources = layers.map((layer) => layer.getSource() as GeoZarr)
  await Promise.all(sources.map(ready))
  const own = store.colours === 'rgb' ? sources[0].getProjection() : null
  if (own !== null) map.setView(viewIn(own))
  const coordinateOf = ([longitude, latitude]: LonLat) =>
    fromLonLat([longitude, latitude], map.getView().getProjection())
  return {
    show(corners, pixels) {
      const extent = boundingExtent(corners.map(coordinateOf))
      map.getView().setCenter(getCenter(extent))
      map.getView().setResolution(Math.max(getWidth(extent), getHeight(extent)) / pixels)
      map.renderSync()
    },
    pixelsOf: (places) => places.map((place) => map.getPixelFromCoordinate(coordinateOf(place)) as [number, number]),
    close() {
      for (const layer of layers) layer.dispose()
      map.dispose()
    },
  }
}

/** Far away: nothing is loaded before there is something to show. */
function viewIn(projection: ProjectionLike): View {
  return new View({ projection, center: [0, 0], zoom: 28, maxZoom: 28 })
}

function rampLayer(store: ShownStore, [low, high]: readonly [number, number]): TileLayer {
  const color = ['interpolate', ['linear'], ['band', 1], low, [...RAMP[0], 1], high, [...RAMP[1], 1]]
  return new TileLayer({ source: sourceOf(store), style: { color } })
}

/** One source shows one index of `band`: three layers that add up make a picture of three bands. */
function rgbLayers(store: ShownStore): TileLayer[] {
  const channel = ['/', ['band', 1], 255]
  return [
    ['array', channel, 0, 0, 1],
    ['array', 0, channel, 0, 1],
    ['array', 0, 0, channel, 1],
  ].map(
    (color, band) =>
      new TileLayer({
        className: `channel-${band}`,
        source: sourceOf({ ...store, dimensions: { band } }),
        style: { color },
      }),
  )
}

function sourceOf({ url, variable = 'band_data', dimensions = {} }: ShownStore): GeoZarr {
  return new GeoZarr({ url, bands: [variable], dimensions: { ...dimensions }, transition: 0 })
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

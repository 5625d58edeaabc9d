import type { PageApi, ShownStore, Viewer, ViewerName } from '../viewer.ts'
import { openLayers } from './open-layers.ts'
import { readLevel } from './read-level.ts'
import { zarrLayer } from './zarr-layer.ts'

declare global {
  interface Window {
    viewers: PageApi
    viewer: Viewer
  }
}

async function open(name: ViewerName, store: ShownStore): Promise<Viewer> {
  const target = document.createElement('div')
  target.className = 'map'
  document.body.replaceChildren(target)
  window.viewer = await (name === 'openlayers' ? openLayers(store, target) : zarrLayer(store, target))
  return window.viewer
}

window.viewers = { open, read: readLevel }

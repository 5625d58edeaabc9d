import type { PageApi, ShownStore, Viewer, ViewerName } from '../viewer.ts'
import { openLayers } from './open-layers.ts'
import { readLevel } from './read-level.ts'
import { zarrLayer } from './zarr-layer.ts'

declare global {
  interface Window {
    viewers: PageApi
    viewer?: Viewer
  }
}

async function open(name: ViewerName, store: ShownStore): Promise<Viewer> {
  window.viewer?.close()
  const target = document.createElement('div')
  target.className = 'map'
  document.body.replaceChildren(target)
  const viewer = await (name === 'openlayers' ? openLayers(store, target) : zarrLayer(store, target))
  window.viewer = viewer
  return viewer
}

window.viewers = { open, read: readLevel }

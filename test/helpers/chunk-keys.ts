import { isJsonObject, type JsonObject } from '../../src/json/json.ts'
import { gridCoordinates, gridShapeOf } from '../../src/model/chunk-index.ts'
import { elementCount } from '../../src/model/shape.ts'
import { list, member } from '../corpus/golden.ts'
import { consolidatedDocuments } from '../corpus/store-client.ts'

/** Keys of chunks of every array that a document lists: so many at most of each, spread over its grid. */
export function chunkKeys(root: JsonObject, most: number): string[] {
  return [...consolidatedDocuments(root)].flatMap(([path, node]) => {
    if (!isJsonObject(node) || node['node_type'] !== 'array') return []
    const names = path === '' ? [] : path.split('/').map(encodeURIComponent)
    return spread(node, most).map((coords) => [...names, 'c', ...coords].join('/'))
  })
}

function spread(array: JsonObject, most: number): number[][] {
  const shape = list(array['shape']).map(Number)
  const chunk = list(member(member(array['chunk_grid'], 'configuration'), 'chunk_shape')).map(Number)
  const grid = gridShapeOf(shape, chunk)
  const count = elementCount(grid)
  if (!Number.isSafeInteger(count) || count <= 0) return []
  const places = new Set(
    Array.from({ length: most }, (_, step) => Math.floor((step * (count - 1)) / Math.max(most - 1, 1))),
  )
  return [...places].map((place) => gridCoordinates(place, grid))
}

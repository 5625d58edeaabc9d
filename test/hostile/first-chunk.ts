import { isJsonObject, type JsonObject } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import { member } from '../corpus/golden.ts'

/** The first chunk of the first array that has any axis. */
export function firstChunk(document: string): string | undefined {
  const root = parseJson(document)
  const below = member(member(root, 'consolidated_metadata'), 'metadata')
  const all: [string, JsonObject][] = isJsonObject(root) ? [['', root]] : []
  if (isJsonObject(below))
    for (const [path, node] of Object.entries(below)) if (isJsonObject(node)) all.push([path, node])
  const [path, array] = all.find(([, node]) => node['node_type'] === 'array') ?? []
  if (path === undefined) return undefined
  const shape = member(array, 'shape')
  const zeros = Array.isArray(shape) ? shape.map(() => '0') : []
  return [
    ...path
      .split('/')
      .filter((name) => name !== '')
      .map(encodeURIComponent),
    'c',
    ...zeros,
  ].join('/')
}

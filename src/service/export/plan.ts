import { isVirtualZarrError, malformed, unsupported, VirtualZarrError } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { elementCount } from '../../model/shape.ts'
import { describeGroup } from '../describe.ts'
import type { GroupNode } from '../open-store.ts'
import type { StoreDescription } from '../store-service.ts'

/** Why arrays are left out of an export, by path: nothing is dropped in silence. */
export type LeftOut = Record<string, string>

/** Most chunks one array may have: each is looked up. */
const MOST_CHUNKS = 20_000_000

/** Throws where a grid has more chunks than are looked up. */
export function checkChunkCount(gridShape: readonly number[]): void {
  const count = elementCount(gridShape)
  if (count <= MOST_CHUNKS) return
  throw unsupported('very many chunks', `it has ${count} chunks, at most ${MOST_CHUNKS} are looked up`)
}

/** Whether an error is about one array only; one of an origin is about the whole export, and may pass. */
export function isLeftOut(error: unknown): error is VirtualZarrError {
  if (!isVirtualZarrError(error)) return false
  const isBroken = error.context.feature === 'broken reference'
  return isBroken || error.code === 'unsupported-feature' || error.code === 'malformed-source'
}

/** Keeps why an array is left out; throws what is about more than that. A join is exported as a whole or not at all (JOIN-8). */
export function leaveOut(left: LeftOut, path: string, error: unknown, { parsed }: StoreDescription): void {
  if (!isLeftOut(error)) throw error
  if (parsed.parts !== undefined)
    throw malformed(`${path} can not be written as references: ${error.message}`, { path }, error)
  left[path] = error.message
}

/** The attributes of a group, without what this server says of itself. */
export function groupAttributes(node: GroupNode): JsonObject {
  const { virtual_zarr: _own, ...rest } = describeGroup(node).attributes
  return rest
}

/** What an export says of itself, as a member of its metadata; empty when everything is in it. */
export function aboutExport(left: LeftOut): JsonObject {
  return Object.keys(left).length === 0 ? {} : { virtual_zarr: { not_exported: left } }
}

/** Throws when nothing of a store could be exported, naming the first reason. */
export function refuseIfNothingIsExported({ store }: StoreDescription, left: LeftOut): void {
  const arrays = [...store.nodes].filter(([, node]) => node.kind === 'array').map(([path]) => path)
  if (arrays.length === 0 || arrays.some((path) => left[path] === undefined)) return
  const [path = ''] = arrays
  throw new VirtualZarrError('unsupported-feature', `no array can be written as references: ${path}: ${left[path]}`)
}

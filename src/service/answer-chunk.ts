import { deliver, readsSource } from '../delivery/deliver.ts'
import type { ChunkRequest, Delivered } from '../delivery/delivery.ts'
import { readIndexAhead } from '../delivery/index-ahead.ts'
import { invalidRequest, isVirtualZarrError } from '../errors.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import { holds, nodeAt } from './answer-document.ts'
import { type ChunkPlace, type ChunkSource, placeInJoin } from './chunk-place.ts'
import { digest } from './document.ts'
import type { OpenStore } from './open-store.ts'
import type { OpenedSources } from './opened-sources.ts'
import type { Answer, StoreRequest } from './store-request.ts'
import { SOON_SECONDS } from './store-settings.ts'

/** Answers a chunk key: one look-up, one upstream range. */
export async function answerChunk(
  sources: OpenedSources,
  request: StoreRequest,
  path: string,
  coords: readonly number[],
): Promise<Answer> {
  const pinned = sources.pinned(request.address)
  const { source, store } = pinned instanceof Promise ? await pinned : pinned
  const node = store.nodes.get(path)
  if (node?.kind !== 'array') return noChunk(store, path, request.key)
  if (!isInGrid(node.grid, coords)) return { kind: 'absent' }
  const { array, plan, tag } = node
  let place: ChunkPlace | undefined
  try {
    const { parts } = source.parsed
    const found = array.chunks.at(coords, request.signal)
    if (found instanceof Promise && parts === undefined) readIndexAhead(array.chunks, coords, found)
    const ref = found instanceof Promise ? await found : found
    place = { array, plan, tag, coords, ref, source, hasChanged: () => source.hasChanged() }
    if (parts !== undefined) place = await placeInJoin(place, parts, source, request)
    return await chunkAt(place, request)
  } catch (error) {
    if (isVirtualZarrError(error, 'source-changed')) (place ?? source).hasChanged()
    throw error
  } finally {
    source.weigh(array.chunks)
  }
}

/** Never "absent": a client that misspells the name of an array would read it as fill (RELIABILITY section 1). */
function noChunk(store: OpenStore, path: string, key: string): Answer {
  nodeAt(store, path)
  const named = store.nodes.get(key)
  if (named !== undefined && named.kind !== 'skipped') return { kind: 'moved' }
  throw invalidRequest('the key is spelled like that of a chunk, but the store has no array at its path')
}

function isInGrid(grid: readonly number[], coords: readonly number[]): boolean {
  if (coords.length !== grid.length) return false
  for (let axis = 0; axis < grid.length; axis++) if ((coords[axis] ?? 0) >= (grid[axis] ?? 0)) return false
  return true
}

async function chunkAt(place: ChunkPlace, request: StoreRequest): Promise<Answer> {
  const { array, plan, tag, versions, coords, ref, source } = place
  const cacheKey = `${tag}-${coords.join('.')}`
  const etag = `"${cacheKey}"`
  const isHeld = request.ifNoneMatch !== undefined && holds(request, etag)
  const { part, ifRange, headOnly, signal } = request
  const isPinned = request.address.options.version !== undefined
  // What is answered without reading the pinned version must ask for it, and so must what only a guess names.
  if (isPinned && source.parsed.isGuessed) await source.assertFresh(0)
  else if (isHeld || headOnly === true || !readsSource(array, plan, coords, ref)) await source.assertFresh()
  if (ref.kind === 'missing') return { kind: 'absent' }
  if (isHeld && ref.kind !== 'object') {
    const isLasting = isPinned && (await isOfVersion(ref, undefined, source))
    return { kind: 'not-modified', etag, vary: false, isLasting }
  }
  const isPart = part !== undefined && (ifRange === undefined || ifRange === etag || ref.kind === 'object')
  const chunk = { array, plan, coords, ref, cacheKey, versions }
  const wanted: ChunkRequest = { ...chunk, headOnly, signal, part: isPart ? part : undefined }
  const delivered = await deliver(wanted, source.world)
  if (delivered.kind === 'missing') await source.assertFresh(SOON_SECONDS)
  if (delivered.kind !== 'chunk') return answerOf(delivered)
  const isLasting = isPinned && (await isOfVersion(ref, delivered.version, source))
  const told = { etag, isPart, isLasting }
  const answer = chunkAnswer(delivered, told, request)
  if (!isPart || ifRange === undefined || answer.kind === 'not-modified' || answer.etag === ifRange) return answer
  discard(delivered.body)
  const whole = await deliver({ ...wanted, part: undefined }, source.world)
  return whole.kind === 'chunk' ? chunkAnswer(whole, { ...told, isPart: false }, request) : answerOf(whole)
}

/**
 * Whether the name of the store's version stands for these bytes, too, so that they may be kept for ever; `version` is that of
 * the object they came from.
 */
async function isOfVersion(
  ref: ChunkRef,
  version: string | undefined,
  { parsed, world }: ChunkSource,
): Promise<boolean> {
  if (parsed.isGuessed) return false
  if (ref.kind === 'object') return version !== undefined
  if (ref.kind === 'assembled' || ref.kind === 'part') return parsed.references.length === 1
  if (ref.kind === 'missing' || ref.kind === 'inline' || ref.source === 0) return true
  if (ref.kind === 'range' && ref.key !== undefined) return true
  return (await world.source(ref.source)).isGuessed !== true
}

type DeliveredChunk = Extract<Delivered, { readonly kind: 'chunk' }>

function answerOf(delivered: Exclude<Delivered, DeliveredChunk>): Answer {
  return delivered.kind === 'missing' ? { kind: 'absent' } : delivered
}

interface Told {
  readonly etag: string
  readonly isPart: boolean
  readonly isLasting: boolean
}

function chunkAnswer(
  { version, total, offset, length, body }: DeliveredChunk,
  { etag, isPart, isLasting }: Told,
  request: StoreRequest,
): Extract<Answer, { kind: 'chunk' | 'not-modified' }> {
  if (version === undefined) return { kind: 'chunk', etag, total, offset, length, isPart, isLasting, body }
  // Only the host of a whole object knows its version, which therefore is part of the ETag.
  const own = `${etag.slice(0, -1)}-${digest(version)}"`
  if (!holds(request, own)) return { kind: 'chunk', etag: own, total, offset, length, isPart, isLasting, body }
  discard(body)
  return { kind: 'not-modified', etag: own, vary: false, isLasting }
}

function discard(body: DeliveredChunk['body']): void {
  if (body !== undefined && !(body instanceof Uint8Array)) body.stop()
}

import { findChunk } from '../compose/find-chunk.ts'
import type { FoundChunk } from '../compose/found-chunk.ts'
import { deliver, readsSource } from '../delivery/deliver.ts'
import type { ChunkRequest, Delivered } from '../delivery/delivery.ts'
import { invalidRequest, isVirtualZarrError, type VirtualZarrError } from '../errors.ts'
import { indexesOf } from '../model/composed-array.ts'
import { holds, nodeAt } from './answer-document.ts'
import { ChunkIdentity } from './chunk-identity.ts'
import { type ChunkPlace, type ChunkSource, placeBelow, placeInJoin } from './chunk-place.ts'
import { digest } from './document.ts'
import type { OpenStore } from './open-store.ts'
import type { OpenedSource } from './opened-source.ts'
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
  if (coords.length !== node.grid.length) throw wrongIndices(path, coords.length, node.grid.length)
  if (!isInGrid(node.grid, coords)) return { kind: 'absent' }
  const { array, plan, tag } = node
  let place: ChunkPlace | undefined
  try {
    const { parsed, world } = source
    // Who asks whether it changed has it already.
    const isRead = request.headOnly !== true && request.ifNoneMatch === undefined
    if (isRead) world.noteRead?.({ array, coords, signal: request.signal })
    const finding = findChunk(array, coords, request.signal)
    const found = finding instanceof Promise ? await finding : finding
    const hasChanged = () => source.hasChanged()
    const { refersElsewhere, isWeak } = parsed
    const own = { array, plan, tag, coords, found, source, world, refersElsewhere, isWeak, hasChanged }
    if (parsed.parts !== undefined) place = await placeInJoin(own, parsed.parts, source, request)
    else place = found.kind === 'stored' && found.array !== array ? placeBelow(own) : own
    return await chunkAt(place, request)
  } catch (error) {
    if (isVirtualZarrError(error, 'source-changed')) noteChange(error, source, place)
    if (isVirtualZarrError(error, 'malformed-source')) (place ?? source).world.dropPages?.()
    throw error
  } finally {
    if (array.operation === undefined) source.weigh(array.chunks)
    else for (const index of indexesOf(array)) source.weigh(index)
  }
}

/** A file that a document names is remembered where it was read: chunks of other files stay. */
function noteChange({ context }: VirtualZarrError, source: OpenedSource, place: ChunkPlace | undefined): void {
  if (context.isReferenced !== true) (place ?? source).hasChanged()
  else if (source.parsed.parts !== undefined) source.hasChanged()
}

/** Never "absent": a client that misspells the name of an array would read it as fill (BYTES-1). */
function noChunk(store: OpenStore, path: string, key: string): Answer {
  nodeAt(store, path)
  const named = store.nodes.get(key)
  if (named !== undefined && named.kind !== 'skipped') return { kind: 'moved' }
  throw invalidRequest('the key is spelled like that of a chunk, but the store has no array at its path')
}

/** Never "absent" either: a client that takes the array for one of another rank would read it as fill. */
function wrongIndices(path: string, found: number, expected: number): Error {
  const array = path === '' ? 'the root array' : `the array ${path}`
  const indices = expected === 1 ? '1 index' : `${expected} indices`
  return invalidRequest(`the key of a chunk has ${found} indices, and ${array} has ${indices}`)
}

function isInGrid(grid: readonly number[], coords: readonly number[]): boolean {
  for (let axis = 0; axis < grid.length; axis++) if ((coords[axis] ?? 0) >= (grid[axis] ?? 0)) return false
  return true
}

async function chunkAt(place: ChunkPlace, request: StoreRequest): Promise<Answer> {
  const { array, plan, versions, coords, found, source, world } = place
  const { part, ifRange, ifNoneMatch, headOnly, signal } = request
  const identity = await ChunkIdentity.of(place, signal)
  const isRead = readsSource(plan, found)
  // What is answered by comparing tags alone must know them, and what is answered without reading that they still are.
  if (ifNoneMatch !== undefined || ifRange !== undefined || headOnly === true) await identity.confirm()
  else if (!isRead) await identity.confirmKnown()
  const { etag } = identity
  const isHeld = etag !== undefined && ifNoneMatch !== undefined && holds(request, etag)
  const isPinned = request.address.options.version !== undefined
  // What is answered without reading the pinned version must ask for it, and so must what only a guess names.
  if (isPinned && source.parsed.isGuessed) await source.assertFresh(0)
  else if (isHeld || headOnly === true || !isRead) await source.assertFresh()
  if (found.kind === 'missing') return { kind: 'absent' }
  const isLasting = isPinned && isOfVersion(found, source, identity)
  if (isHeld) return { kind: 'not-modified', etag, vary: false, isLasting }
  const isPart = part !== undefined && (ifRange === undefined || isSameStrong(ifRange, etag) || identity.hasObjects)
  // What is made is kept while these files are open here, and found under the version of the store where that names them all.
  const cacheKey = place.refersElsewhere ? `${identity.name} ${versions ?? ''} ${world.codings.id}` : identity.name
  const chunk = { array, plan, coords, found, cacheKey, versions, hasObjects: identity.hasObjects }
  const wanted: ChunkRequest = { ...chunk, headOnly, signal, part: isPart ? part : undefined }
  const delivered = await deliver(wanted, world)
  if (delivered.kind === 'missing') await source.assertFresh(SOON_SECONDS)
  if (delivered.kind !== 'chunk') return answerOf(delivered)
  const answer = chunkAnswer(delivered, { etag: await tagOf(delivered, identity), isPart, isLasting }, request)
  if (!isPart || ifRange === undefined || answer.kind === 'not-modified') return answer
  if (isSameStrong(ifRange, answer.etag)) return answer
  discard(delivered.body)
  const whole = await deliver({ ...wanted, part: undefined }, world)
  if (whole.kind !== 'chunk') return answerOf(whole)
  return chunkAnswer(whole, { etag: await tagOf(whole, identity), isPart: false, isLasting }, request)
}

/** A part may be added only to bytes of a strong ETag (RFC 9110, 13.1.5). */
function isSameStrong(ifRange: string, etag: string | undefined): boolean {
  return ifRange === etag && !ifRange.startsWith('W/')
}

/** The ETag once the chunk was read: its files are known by then. */
async function tagOf({ version, isWeak, body }: DeliveredChunk, identity: ChunkIdentity): Promise<string | undefined> {
  // Only the host of a whole object knows its version, which therefore is part of the ETag.
  if (identity.hasObjects && version === undefined) return undefined
  if (identity.hasObjects) return `${isWeak === true ? 'W/' : ''}"${identity.name}-${digest(version ?? '')}"`
  try {
    if (identity.etag === undefined) await identity.confirm()
    return identity.etag
  } catch (error) {
    discard(body)
    throw error
  }
}

/** Whether the name of the store's version stands for these bytes, too, so that they may be kept for ever. */
function isOfVersion(found: FoundChunk, { parsed }: ChunkSource, { isFixed }: ChunkIdentity): boolean {
  if (parsed.isGuessed) return false
  // Parts of its index may be others by now, unless their names say what is in them.
  if (parsed.named?.isFixed !== true && (parsed.reading?.late.documents ?? 0) > 0) return false
  if (isFixed !== undefined) return isFixed
  return found.kind !== 'composed' || parsed.references.length === 1
}

type DeliveredChunk = Extract<Delivered, { readonly kind: 'chunk' }>

function answerOf(delivered: Exclude<Delivered, DeliveredChunk>): Answer {
  return delivered.kind === 'missing' ? { kind: 'absent' } : delivered
}

interface ChunkHead {
  readonly etag: string | undefined
  readonly isPart: boolean
  readonly isLasting: boolean
}

function chunkAnswer(
  { total, offset, length, body }: DeliveredChunk,
  { etag, isPart, isLasting }: ChunkHead,
  request: StoreRequest,
): Extract<Answer, { kind: 'chunk' | 'not-modified' }> {
  if (etag === undefined || !holds(request, etag)) {
    return { kind: 'chunk', etag, total, offset, length, isPart, isLasting, body }
  }
  discard(body)
  return { kind: 'not-modified', etag, vary: false, isLasting }
}

function discard(body: DeliveredChunk['body']): void {
  if (body !== undefined && !(body instanceof Uint8Array)) body.stop()
}

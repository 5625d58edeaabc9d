import type { ByteRange } from '../bytes/byte-range.ts'
import { envelopeFrame, type Frame, NO_FRAME } from '../codecs/kernels/blosc-frame.ts'
import { insideOf, storedShapeOf } from '../compose/coding.ts'
import { peakBytesOf } from '../compose/cost.ts'
import type { FoundChunk, StoredChunk, StoredChunkRef } from '../compose/found-chunk.ts'
import { errorInFile } from '../compose/run-program.ts'
import { isVirtualZarrError, malformed } from '../errors.ts'
import type { StoredArray } from '../model/virtual-store.ts'
import { type ObjectPart, partRange } from '../source/source.ts'
import { deliverComposed, oneChunkTask, runTask } from './composed-chunk.ts'
import { computedAnswer, hashOf, onceForEqual } from './computed-answer.ts'
import type { ChunkRequest, Cut, Delivered, DeliveryPlan, DeliveryWorld, RecodeTask, Way } from './delivery.ts'
import { foresee } from './foresee.ts'
import { HELD_FOR_TEXT } from './limits.ts'
import { memberWorld } from './member-world.ts'
import { type ObjectRef, openObject } from './open-object.ts'
import { planOfStored } from './plan.ts'
import { type StoredRef, storedBody, storedBytes, storedLength } from './stored.ts'

/** Brings one chunk, or the part of it that the client asked for, to the wire as its plan says. */
export async function deliver(request: ChunkRequest, world: DeliveryWorld): Promise<Delivered> {
  const { found } = request
  switch (found.kind) {
    case 'missing':
      return { kind: 'missing' }
    case 'composed':
      return await deliverComposed(request, world)
    case 'stored':
      return found.array === request.array && found.file === undefined
        ? await deliverStored({ ...request, array: found.array }, found.ref, world)
        : await deliverStoredBelow(request, found, world)
  }
}

/** A request for a chunk that is stored in its array. */
interface StoredRequest extends Omit<ChunkRequest, 'found'> {
  readonly array: StoredArray
}

/** A chunk of an array that the one that is asked for is composed of. */
async function deliverStoredBelow(request: ChunkRequest, found: StoredChunk, world: DeliveryWorld): Promise<Delivered> {
  const { array, coords, ref, file } = found
  const plan = planOfStored(request.plan, array)
  const own = await memberWorld(world, file)
  try {
    return await deliverStored({ ...request, array, plan, coords }, ref, own)
  } catch (error) {
    throw file === undefined ? error : errorInFile(error, own.file)
  }
}

function deliverStored(request: StoredRequest, ref: StoredChunkRef, world: DeliveryWorld): Promise<Delivered> {
  const { array, plan, coords } = request
  const way = wayOf(array, plan, coords, ref)
  return ref.kind === 'object' ? deliverObject(request, ref, way, world) : deliverBytes(request, ref, way, world)
}

const RECODE: Way = { kind: 'recode' }

/** How this chunk goes out: as its encoding's plan says, but what the source cuts off at the edge is filled up. */
function wayOf(array: StoredArray, plan: DeliveryPlan, coords: readonly number[], ref: StoredChunkRef): Way {
  const way = plan.ways[ref.encoding]
  if (way === undefined) throw malformed(`a chunk names encoding ${ref.encoding} of ${plan.ways.length}`)
  return plan.cropsEdges && isCropped(array, coords) ? RECODE : way
}

/**
 * Whether answering for this chunk reads the source whose version is pinned, now or a second ago; otherwise the answer comes from memory,
 * or from an object of its own that may be newer than the documents which say what is in it.
 */
export function readsSource(plan: DeliveryPlan, found: FoundChunk): boolean {
  if (found.kind !== 'stored') return false
  const { array, coords, ref } = found
  if (ref.kind !== 'range' && ref.kind !== 'ranges' && ref.kind !== 'strided') return false
  const { kind } = wayOf(array, plan, coords, ref)
  return kind === 'pass' || kind === 'envelope'
}

function isCropped(array: StoredArray, coords: readonly number[]): boolean {
  return storedShapeOf(array, coords).some((length, axis) => length !== array.chunkShape[axis])
}

/** A chunk that is a whole object: its first answer tells size and version, and brings what will be read of it. */
async function deliverObject(
  request: StoredRequest,
  ref: ObjectRef,
  way: Way,
  world: DeliveryWorld,
): Promise<Delivered> {
  const isMade = way.kind === 'peel' || way.kind === 'recode'
  // Room first: who waits for it must not keep others from the origin.
  if (isMade) return await world.room(peakBytesOf(request.array), () => deliverOpened(request, ref, way, world))
  return await deliverOpened(request, ref, way, world)
}

/** An object that does not decode is read again, once: its host may have sent something else, or less than there is. */
async function deliverOpened(
  request: StoredRequest,
  ref: ObjectRef,
  way: Way,
  world: DeliveryWorld,
): Promise<Delivered> {
  try {
    return await deliverOpenedOnce(request, ref, way, world)
  } catch (error) {
    if (!isVirtualZarrError(error, 'malformed-source') || request.headOnly === true) throw error
    return await deliverOpenedOnce(request, ref, way, world)
  }
}

async function deliverOpenedOnce(
  request: StoredRequest,
  ref: ObjectRef,
  way: Way,
  world: DeliveryWorld,
): Promise<Delivered> {
  const { headOnly, signal } = request
  const object = await openObject(request, ref, world, { part: passedPart(request.part, way), headOnly, signal })
  if (object === undefined) return { kind: 'missing' }
  const { encoding, source } = ref
  try {
    return await deliverBytes(request, { kind: 'opened', object, encoding, source }, way, world)
  } finally {
    object.settle?.()
  }
}

/** A client's range can go upstream as it is where nothing is cut off or put in front. */
function passedPart(part: ObjectPart | undefined, way: Way): ObjectPart | undefined {
  return way.kind === 'pass' && way.cut.leading + way.cut.trailing === 0 ? part : undefined
}

/** The cheapest way that the plan allows for these bytes. */
function deliverBytes(request: StoredRequest, ref: StoredRef, way: Way, world: DeliveryWorld): Promise<Delivered> {
  if (way.kind === 'pass') return deliverFramed(request, ref, leftOf(ref, way.cut), NO_FRAME, world)
  if (way.kind !== 'envelope') return deliverMade(request, ref, way, world)
  const kept = leftOf(ref, way.cut)
  const frame = envelopeFrame(way.frame, kept.length)
  return frame === undefined
    ? deliverMade(request, ref, RECODE, world)
    : deliverFramed(request, ref, kept, frame, world)
}

/** Wire bytes are those of the stored ones that are kept, with something around them: nothing is held that needn't be. */
async function deliverFramed(
  request: StoredRequest,
  ref: StoredRef,
  kept: ByteRange,
  frame: Frame,
  world: DeliveryWorld,
): Promise<Delivered> {
  const total = frame.prefix.length + kept.length + frame.suffix.length
  const { wireLength } = request.plan
  if (wireLength !== undefined && total !== wireLength) {
    throw malformed(`chunk ${request.coords.join('/')} is stored in ${total} bytes, expected ${wireLength}`)
  }
  const part = request.part === undefined ? { offset: 0, length: total } : partRange(request.part, total)
  if (part === undefined) return { kind: 'unsatisfiable', total }
  const answer = { kind: 'chunk', total, ...part, version: versionOf(ref), isWeak: isWeak(ref) } as const
  if (request.headOnly === true) {
    await foresee(ref, world, request.signal)
    return { ...answer, body: undefined }
  }
  if (part.length === total) {
    const around = { first: frame.prefix, last: frame.suffix }
    const body = await storedBody(ref, kept, around, world, request.signal)
    const isUnnamed = ref.kind === 'opened' && answer.version === undefined && body instanceof Uint8Array
    return isUnnamed ? { ...answer, version: hashOf(body), isWeak: false, body } : { ...answer, body }
  }
  const first = overlap(part, 0, frame.prefix.length)
  const middle = overlap(part, frame.prefix.length, kept.length)
  const last = overlap(part, frame.prefix.length + kept.length, frame.suffix.length)
  const around = { first: sliced(frame.prefix, first), last: sliced(frame.suffix, last) }
  const wanted = { offset: middle.offset + kept.offset, length: middle.length }
  return { ...answer, body: await storedBody(ref, wanted, around, world, request.signal) }
}

/** Wire bytes that are made: once, kept for the next request, whole even when a part is asked for. */
async function deliverMade(request: StoredRequest, ref: StoredRef, way: Way, world: DeliveryWorld): Promise<Delivered> {
  const { plan, cacheKey, signal } = request
  const version = versionOf(ref)
  // Not the request's signal: others may wait for the same bytes.
  const make = async (waited?: AbortSignal) => {
    const task = taskOf(request, await storedBytes(ref, world, waited), ref.encoding, way, world)
    return await onceForEqual(task, world, waited, (signal) => runTask(task, ref.source, world, signal))
  }
  if (ref.kind !== 'opened') {
    if (request.headOnly === true) await foresee(ref, world, request.signal)
    // Nobody knows how long texts are before they are read, but as long as what is stored.
    const unknown = plan.wireLength === undefined ? HELD_FOR_TEXT * storedLength(ref) : 0
    const inRoom = (waited: AbortSignal) => world.room(peakBytesOf(request.array) + unknown, () => make(waited), waited)
    return await computedAnswer(request, world, () => world.recoded(cacheKey, inRoom, signal))
  }
  // An object is kept under its version, which every answer asks for again; without one there is nothing to keep it under.
  if (version === undefined) return await computedAnswer(request, world, make, 'hash')
  const delivered = await computedAnswer(
    request,
    world,
    () => world.recoded(`${cacheKey} ${version}`, () => make()),
    version,
  )
  return delivered.kind === 'chunk' ? { ...delivered, isWeak: isWeak(ref) } : delivered
}

/** What has to be done to one stored chunk. */
function taskOf(
  { array, plan, coords }: StoredRequest,
  stored: Uint8Array,
  encoding: number,
  way: Way,
  { codings }: DeliveryWorld,
): RecodeTask {
  const coding = codings.stored(array, encoding)
  if (way.kind === 'peel') return { kind: 'peel', stored, coding, kept: way.kept, length: plan.wireLength }
  const shapes = { storedShape: storedShapeOf(array, coords), inside: insideOf(array, coords) }
  return oneChunkTask({ stored, coding, ...shapes }, codings.target(array, plan))
}

/** The validator of an object, which only its host knows. */
function versionOf(ref: StoredRef): string | undefined {
  return ref.kind === 'opened' ? ref.object.validator : undefined
}

/** Whether another version of the object may have the same validator. */
function isWeak(ref: StoredRef): boolean {
  return ref.kind === 'opened' && ref.object.isWeak === true
}

/** What is left of the stored bytes when both ends are cut off. */
function leftOf(ref: StoredRef, { leading, trailing }: Cut): ByteRange {
  const stored = storedLength(ref)
  const length = stored - leading - trailing
  // Nothing decodes from nothing, and an empty answer reads as zeros in some clients (BYTES-4).
  if (length < 1) throw malformed(`a stored chunk is ${stored} bytes long, expected more than ${leading + trailing}`)
  return { offset: leading, length }
}

function sliced(bytes: Uint8Array, { offset, length }: ByteRange): Uint8Array {
  return bytes.subarray(offset, offset + length)
}

/** The overlap of a range with bytes that begin at `start`, counted from there. */
function overlap(range: ByteRange, start: number, length: number): ByteRange {
  const from = Math.min(Math.max(range.offset - start, 0), length)
  const to = Math.min(Math.max(range.offset + range.length - start, 0), length)
  return { offset: from, length: to - from }
}

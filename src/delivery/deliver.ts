import type { ByteRange } from '../bytes/byte-range.ts'
import { malformed } from '../errors.ts'
import { deliverAssembled } from './assemble.ts'
import { deliverObject } from './deliver-object.ts'
import type { ChunkRequest, Cut, Delivered, DeliveryWorld, Way } from './delivery.ts'
import { envelopeFrame, type Frame, NO_FRAME } from './envelope.ts'
import { framedFeed } from './framed-feed.ts'
import { type Around, gather, gatherStream } from './gather.ts'
import { MOST_GATHERED_BYTES, SMALL_BODY_BYTES } from './limits.ts'
import { heldBytes, made } from './made.ts'
import { overlap, partRange } from './part.ts'
import { type PlacedRef, storedBytes } from './read-stored.ts'
import { recodeTask } from './recode-task.ts'
import { runRecode } from './run-recode.ts'
import { rangesOf, storedLength } from './stored-bytes.ts'
import { wayOf } from './way.ts'

/** Brings one chunk, or the part of it that the client asked for, to the wire as its plan says. */
export async function deliver(request: ChunkRequest, world: DeliveryWorld): Promise<Delivered> {
  const { array, plan, coords } = request
  const ref = request.ref ?? (await array.chunks.at(coords, request.signal))
  if (ref.kind === 'missing') return { kind: 'missing' }
  if (ref.kind === 'assembled') return await deliverAssembled(request, world)
  const way = wayOf(array, plan, coords, ref)
  if (ref.kind === 'object') return await deliverObject(request, ref, way, world)
  if (way.kind === 'pass') return await deliverFramed(request, ref, way.cut, NO_FRAME, world)
  const frame = way.kind === 'envelope' ? envelopeFrame(way.frame, cutLength(ref, way.cut)) : undefined
  if (way.kind === 'envelope' && frame !== undefined) return await deliverFramed(request, ref, way.cut, frame, world)
  return await deliverMade(request, ref, way, world)
}

/** Wire bytes are the stored ones, with something around them: nothing is held that needn't be. */
async function deliverFramed(
  request: ChunkRequest,
  ref: PlacedRef,
  cut: Cut,
  frame: Frame,
  world: DeliveryWorld,
): Promise<Delivered> {
  const stored = cutLength(ref, cut)
  const total = frame.prefix.length + stored + frame.suffix.length
  const { wireLength } = request.plan
  if (wireLength !== undefined && total !== wireLength) {
    throw malformed(`chunk ${request.coords.join('/')} is stored in ${total} bytes, expected ${wireLength}`)
  }
  const part = partRange(request.part, total)
  if (part === undefined) return { kind: 'unsatisfiable', total }
  const answer = { kind: 'chunk', total, ...part, version: undefined } as const
  if (request.headOnly === true) return { ...answer, body: undefined }
  const first = overlap(part, 0, frame.prefix.length)
  const middle = overlap(part, frame.prefix.length, stored)
  const last = overlap(part, frame.prefix.length + stored, frame.suffix.length)
  const around = { first: sliced(frame.prefix, first), last: sliced(frame.suffix, last) }
  const wanted = { offset: middle.offset + cut.leading, length: middle.length }
  return { ...answer, body: await bodyOf(request, ref, wanted, around, world) }
}

async function bodyOf(
  { signal }: ChunkRequest,
  ref: PlacedRef,
  wanted: ByteRange,
  around: Around,
  world: DeliveryWorld,
) {
  const { first, last } = around
  const length = first.length + wanted.length + last.length
  const isBare = first.length === 0 && last.length === 0
  if (ref.kind === 'inline') {
    const bytes = sliced(ref.bytes, wanted)
    return isBare ? bytes : new Uint8Array(Buffer.concat([first, bytes, last]))
  }
  const source = await world.source(ref.source, signal)
  const ranges = rangesOf(ref, wanted)
  if (length > SMALL_BODY_BYTES && ref.kind === 'range') {
    const range = { offset: ref.offset + wanted.offset, length: wanted.length }
    if (source.feed !== undefined) return framedFeed(await source.feed(range, { signal }), around)
    if (isBare) return await source.stream(range, { signal })
  }
  const inMemory = ref.kind === 'range' ? SMALL_BODY_BYTES : MOST_GATHERED_BYTES
  if (length > inMemory) return await gatherStream(source, ranges, around, signal)
  if (ref.kind === 'range' && isBare) {
    return await source.read({ offset: ref.offset + wanted.offset, length: wanted.length }, { signal })
  }
  const bytes = new Uint8Array(length)
  bytes.set(first)
  bytes.set(last, length - last.length)
  await gather(source, ranges, bytes.subarray(first.length, length - last.length), signal)
  return bytes
}

/** Wire bytes that are made: once, kept for the next request, whole even when a part is asked for. */
async function deliverMade(request: ChunkRequest, ref: PlacedRef, way: Way, world: DeliveryWorld): Promise<Delivered> {
  const { plan, cacheKey } = request
  // Not the request's signal: others may wait for the same bytes.
  const make = async () =>
    await world.room(heldBytes(request), async () => await recodedBytes(request, ref, way, world))
  return await made(request, plan.wireLength, () => world.recoded(cacheKey, make))
}

async function recodedBytes(
  request: ChunkRequest,
  ref: PlacedRef,
  way: Way,
  world: DeliveryWorld,
): Promise<Uint8Array> {
  const stored = await storedBytes(ref, world)
  return await runRecode(recodeTask(request, stored, ref.encoding, way), ref.source, world)
}

function cutLength(ref: PlacedRef, { leading, trailing }: Cut): number {
  const stored = ref.kind === 'inline' ? ref.bytes.length : storedLength(ref)
  const length = stored - leading - trailing
  // Nothing decodes from nothing, and an empty answer reads as zeros in some clients (RELIABILITY section 1).
  if (length < 1) throw malformed(`a stored chunk is ${stored} bytes long, expected more than ${leading + trailing}`)
  return length
}

function sliced(bytes: Uint8Array, { offset, length }: ByteRange): Uint8Array {
  return bytes.subarray(offset, offset + length)
}

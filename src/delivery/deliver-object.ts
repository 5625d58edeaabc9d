import { malformed, VirtualZarrError } from '../errors.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { ObjectOptions, SourceObject } from '../source/source.ts'
import { framedBody, readBody } from './body.ts'
import type { ChunkRequest, Cut, Delivered, DeliveryWorld, Way } from './delivery.ts'
import { envelopeFrame, type Frame, NO_FRAME } from './envelope.ts'
import { SMALL_BODY_BYTES } from './limits.ts'
import { heldBytes, made } from './made.ts'
import { partRange } from './part.ts'
import { recodeTask } from './recode-task.ts'
import { runRecode } from './run-recode.ts'

type ObjectRef = Extract<ChunkRef, { readonly kind: 'object' }>

/** Brings a chunk to the wire that is a whole object, whose length and version only its host knows. */
export async function deliverObject(
  request: ChunkRequest,
  ref: ObjectRef,
  way: Way,
  world: DeliveryWorld,
): Promise<Delivered> {
  const ask = async (options: ObjectOptions) => {
    const object = await world.object(ref.source, ref.key, { ...options, signal: request.signal })
    if (object !== undefined || ref.isRequired !== true) return object
    throw new VirtualZarrError('source-not-found', 'the object that a reference names does not exist')
  }
  switch (way.kind) {
    case 'pass':
      if (way.cut.leading + way.cut.trailing === 0) return await passed(request, ask)
      return await framed(request, ref, way, world, ask)
    case 'envelope':
      return await framed(request, ref, way, world, ask)
    case 'peel':
    case 'recode':
      return await recoded(request, ref, way, world, ask)
  }
}

type Ask = (options: ObjectOptions) => Promise<SourceObject | undefined>

/** The client's range goes upstream as it is. */
async function passed(request: ChunkRequest, ask: Ask): Promise<Delivered> {
  const { part, plan } = request
  // Origins don't agree on what the last 0 bytes are: no range can say it.
  const isNothing = part?.kind === 'last' && part.length === 0
  const headOnly = request.headOnly === true || isNothing
  const object = await ask(headOnly ? { headOnly } : { part })
  if (object === undefined) return { kind: 'missing' }
  const { size, length, offset, validator } = object
  requireLength(object, size, plan.wireLength)
  if (headOnly) {
    object.body.destroy()
    const range = partRange(part, size)
    if (range === undefined) return { kind: 'unsatisfiable', total: size }
    return { kind: 'chunk', total: size, ...range, version: validator, body: undefined }
  }
  if (part !== undefined && length === 0) {
    object.body.destroy()
    return { kind: 'unsatisfiable', total: size }
  }
  const body = length <= SMALL_BODY_BYTES ? await readBody(object) : object.body
  return { kind: 'chunk', total: size, offset, length, version: validator, body }
}

/** Cut, and framed where the way says so; a part is cut from the whole, since the frame names the length of the whole. */
async function framed(
  request: ChunkRequest,
  ref: ObjectRef,
  way: Extract<Way, { readonly cut: Cut }>,
  world: DeliveryWorld,
  ask: Ask,
): Promise<Delivered> {
  const { part, headOnly } = request
  const object = await ask({ headOnly })
  if (object === undefined) return { kind: 'missing' }
  const { size, validator } = object
  const length = size - way.cut.leading - way.cut.trailing
  const frame = frameFor(way, length, object)
  if (frame === undefined) {
    object.body.destroy()
    return await recoded(request, ref, { kind: 'recode' }, world, ask)
  }
  const total = frame.prefix.length + length + frame.suffix.length
  requireLength(object, total, request.plan.wireLength)
  const range = partRange(part, total)
  if (range === undefined || headOnly === true) {
    object.body.destroy()
    if (range === undefined) return { kind: 'unsatisfiable', total }
    return { kind: 'chunk', total, ...range, version: validator, body: undefined }
  }
  const answer = { kind: 'chunk', total, ...range, version: validator } as const
  if (part === undefined && total > SMALL_BODY_BYTES) {
    return { ...answer, body: framedBody(object.body, way.cut.leading, length, frame) }
  }
  const bytes = (await readBody(object)).subarray(way.cut.leading, way.cut.leading + length)
  const whole = Buffer.concat([frame.prefix, bytes, frame.suffix])
  return { ...answer, body: whole.subarray(range.offset, range.offset + range.length) }
}

/** Refuses what can't be a chunk: an empty answer would read as zeros in some clients (RELIABILITY section 1). */
function requireLength(object: SourceObject, length: number, expected: number | undefined): void {
  if (expected === undefined ? length > 0 : length === expected) return
  object.body.destroy()
  throw malformed(`a stored chunk is ${length} bytes long, expected ${expected ?? 'some'}`, { url: object.url })
}

function frameFor(way: Extract<Way, { readonly cut: Cut }>, length: number, object: SourceObject): Frame | undefined {
  try {
    if (length < 1) throw malformed(`a stored chunk is ${object.size} bytes long, all of them its own checksums`)
    return way.kind === 'pass' ? NO_FRAME : envelopeFrame(way.frame, length)
  } catch (error) {
    object.body.destroy()
    throw error
  }
}

/** Room first: who waits for it must not keep others from the origin. */
async function recoded(
  request: ChunkRequest,
  ref: ObjectRef,
  way: Way,
  world: DeliveryWorld,
  ask: Ask,
): Promise<Delivered> {
  return await world.room(heldBytes(request), async () => await recodedInRoom(request, ref, way, world, ask))
}

/** Made from the whole object; kept under its version, which every answer asks for again. */
async function recodedInRoom(
  request: ChunkRequest,
  ref: ObjectRef,
  way: Way,
  world: DeliveryWorld,
  ask: Ask,
): Promise<Delivered> {
  const { plan, headOnly, cacheKey } = request
  const object = await ask({ headOnly })
  if (object === undefined) return { kind: 'missing' }
  const { validator } = object
  const recodedFrom = async (whole: SourceObject) =>
    await runRecode(recodeTask(request, await readBody(whole), ref.encoding, way), ref.source, world)
  if (headOnly === true) {
    object.body.destroy()
    const make = async () => await recodedFrom(await sameVersion(object, ask))
    return await made(request, plan.wireLength, () => keep(world, cacheKey, validator, make), validator)
  }
  try {
    return await made(request, undefined, () => keep(world, cacheKey, validator, () => recodedFrom(object)), validator)
  } finally {
    object.body.destroy()
  }
}

/** Without a version there is nothing to keep the bytes under. */
async function keep(
  world: DeliveryWorld,
  cacheKey: string,
  validator: string | undefined,
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  return validator === undefined ? await make() : await world.recoded(`${cacheKey} ${validator}`, make)
}

async function sameVersion(head: SourceObject, ask: Ask): Promise<SourceObject> {
  const object = await ask({})
  if (object !== undefined && object.validator === head.validator) return object
  object?.body.destroy()
  throw new VirtualZarrError('source-changed', 'a chunk changed while it was read', { url: head.url })
}

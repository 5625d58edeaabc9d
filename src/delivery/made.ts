import { createHash } from 'node:crypto'
import { countedFeed } from '../bytes/counted-feed.ts'
import { decodedBytes } from '../codecs/elements.ts'
import type { ReducedParts, VirtualArray } from '../model/virtual-store.ts'
import { partRange } from '../source/source.ts'
import type { Codings } from './coding.ts'
import type { AssembleTask, ChunkRequest, Delivered, DeliveryWorld, PeelTask } from './delivery.ts'
import { HELD_FOR_DECODED } from './limits.ts'

/** Longer bodies are counted until their clients have taken them: few slow ones would fill the memory. */
const UNCOUNTED_BYTES = 2 ** 20

/**
 * Answers with bytes that are made on demand; a `HEAD` doesn't make them when their length is known anyway. `version` names that of the
 * objects they are made of; `hash`: nothing tells it, so a hash of the bytes does.
 */
export async function made(
  { part, headOnly, plan: { wireLength } }: ChunkRequest,
  world: Pick<DeliveryWorld, 'hold'>,
  make: () => Promise<Uint8Array>,
  version?: string | undefined,
): Promise<Delivered> {
  const isHashed = version === 'hash'
  if (headOnly === true && wireLength !== undefined) return answer(wireLength, part, isHashed ? undefined : version)
  const bytes = await make()
  if (bytes.length === 0) return { kind: 'missing' }
  const made = answer(bytes.length, part, isHashed ? hashOf(bytes) : version)
  if (headOnly === true || made.kind !== 'chunk') return made
  const body = bytes.subarray(made.offset, made.offset + made.length)
  return { ...made, body: body.length > UNCOUNTED_BYTES ? countedFeed(body, world.hold(bytes.length)) : body }
}

/** Names bytes of which nothing else tells the version. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

/** What making a chunk holds in memory, about: of a mask, the larger chunks that it may have; of an overview, what lies under it. */
export function heldBytes({ array, plan }: Pick<ChunkRequest, 'array' | 'plan'>, codings: Codings): number {
  const own = codings.target(array, plan).decodedBytes
  const mask = array.masked === undefined ? 0 : codings.stored(array.masked.mask, 0).decodedBytes
  return HELD_FOR_DECODED * (own + mask + finerBytes(array, finerOf({ array, plan })))
}

function finerBytes({ chunkShape, dataType }: VirtualArray, finer: ReducedParts | undefined): number {
  if (finer === undefined) return 0
  return decodedBytes({ shape: chunkShape.map((length, axis) => length * (finer.factors[axis] ?? 1)), dataType })
}

/**
 * The finer array that a chunk is made of at this step. One that goes out compressed is made of the same chunk as it is, which the
 * level above is made of as well.
 */
export function finerOf({ array, plan }: Pick<ChunkRequest, 'array' | 'plan'>): ReducedParts | undefined {
  return plan.wireLength === undefined ? undefined : array.reduced
}

function answer(total: number, part: ChunkRequest['part'], version: string | undefined): Delivered {
  const range = partRange(part, total)
  return range === undefined
    ? { kind: 'unsatisfiable', total }
    : { kind: 'chunk', total, ...range, version, body: undefined }
}

/** Stored bytes that decode to so many times as much are mostly those of one value: nodata, sea, background. */
const LEAST_RATIO = 32

/**
 * Chunks that are stored as the very same bytes are made once, and sent from one buffer: images and grids are full of empty ones.
 * Only what is tiny beside what it decodes to is compared, so that comparing costs next to nothing.
 */
export async function onceForEqual(
  task: AssembleTask | PeelTask,
  world: Pick<DeliveryWorld, 'codings' | 'recoded'>,
  signal: AbortSignal | undefined,
  make: (signal: AbortSignal | undefined) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const key = equalKey(task, world)
  return key === undefined ? await make(signal) : await world.recoded(key, make, signal)
}

/** Names all that decides about the result; undefined for what is not worth it, or points at other bytes. */
function equalKey(task: AssembleTask | PeelTask, { codings }: Pick<DeliveryWorld, 'codings'>): string | undefined {
  const [piece] = task.kind === 'peel' ? [task] : task.pieces
  if (piece === undefined || (task.kind === 'assemble' && task.pieces.length > 1)) return undefined
  const { stored, coding } = piece
  if (coding.readsSource || stored.length * LEAST_RATIO > coding.decodedBytes) return undefined
  const digest = createHash('sha256').update(stored).digest('base64url')
  const how = task.kind === 'peel' ? ['peel', task.kept] : [codings.nameOf(task.target), ...shapesOf(task)]
  return [`equal ${codings.nameOf(coding)}`, ...how, digest].join(' ')
}

function shapesOf({ pieces }: AssembleTask): string[] {
  return pieces.map(({ storedShape, inside = storedShape }) => `${storedShape.join('x')} ${inside.join('x')}`)
}

import { createHash } from 'node:crypto'
import { countedFeed } from '../bytes/counted-feed.ts'
import { partRange } from '../source/source.ts'
import type { ChunkRequest, ComposeTask, Delivered, DeliveryWorld, RecodeTask } from './delivery.ts'

/** Longer bodies are counted until their clients have taken them: few slow ones would fill the memory. */
const UNCOUNTED_BYTES = 2 ** 20

/**
 * Answers with bytes that are computed on demand; a `HEAD` doesn't compute them when their length is known anyway. `version` names that of
 * the objects they are made of; `hash`: nothing tells it, so a hash of the bytes does.
 */
export async function computedAnswer(
  { part, headOnly, plan: { wireLength } }: Pick<ChunkRequest, 'part' | 'headOnly' | 'plan'>,
  world: Pick<DeliveryWorld, 'hold'>,
  make: () => Promise<Uint8Array>,
  version?: string | undefined,
): Promise<Delivered> {
  const isHashed = version === 'hash'
  if (headOnly === true && wireLength !== undefined) return answer(wireLength, part, isHashed ? undefined : version)
  const bytes = await make()
  if (bytes.length === 0) return { kind: 'missing' }
  const whole = answer(bytes.length, part, isHashed ? hashOf(bytes) : version)
  if (headOnly === true || whole.kind !== 'chunk') return whole
  const body = bytes.subarray(whole.offset, whole.offset + whole.length)
  return { ...whole, body: body.length > UNCOUNTED_BYTES ? countedFeed(body, world.hold(bytes.length)) : body }
}

/** Names bytes of which nothing else tells the version. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
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
  task: RecodeTask,
  world: Pick<DeliveryWorld, 'codings' | 'recoded'>,
  signal: AbortSignal | undefined,
  make: (signal: AbortSignal | undefined) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const key = equalKey(task, world)
  return key === undefined ? await make(signal) : await world.recoded(key, make, signal)
}

/** Names all that decides about the result; undefined for what is not worth it, or points at other bytes. */
function equalKey(task: RecodeTask, { codings }: Pick<DeliveryWorld, 'codings'>): string | undefined {
  const [chunk] = task.kind === 'peel' ? [task] : task.chunks
  if (chunk === undefined || (task.kind === 'compose' && task.chunks.length > 1)) return undefined
  const { stored, coding } = chunk
  if (coding.readsSource || stored.length * LEAST_RATIO > coding.decodedBytes) return undefined
  const digest = createHash('sha256').update(stored).digest('base64url')
  const how = task.kind === 'peel' ? ['peel', task.kept] : [codings.nameOf(task.target), ...shapesOf(task)]
  return [`equal ${codings.nameOf(coding)}`, ...how, digest].join(' ')
}

function shapesOf({ chunks }: ComposeTask): string[] {
  return chunks.map(({ storedShape, inside = storedShape }) => `${storedShape.join('x')} ${inside.join('x')}`)
}

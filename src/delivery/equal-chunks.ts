import { createHash } from 'node:crypto'
import type { AssembleTask, DeliveryWorld, PeelTask } from './delivery.ts'

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

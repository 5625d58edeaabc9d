import type { ChunkRequest, DeliveryWorld, RecodeTask, Way } from '../delivery.ts'
import { insideOf, storedShapeOf } from '../stored-shape.ts'
import { recode } from './recode.ts'

/** A chunk as it is stored, and which of the array's encodings it has. */
interface Stored {
  readonly bytes: Uint8Array
  readonly encoding: number
  /** The source that codecs may read again. */
  readonly source?: number | undefined
}

/** Makes the wire bytes of one stored chunk where that can run: in a worker, or here when a codec must read the source again. */
export async function runRecode(
  request: ChunkRequest,
  stored: Stored,
  way: Way,
  world: DeliveryWorld,
): Promise<Uint8Array> {
  const task = taskOf(request, stored, way, world)
  if (stored.source === undefined || !world.codings.stored(request.array, stored.encoding).readsSource) {
    return await world.workers.run(task)
  }
  const source = await world.source(stored.source)
  return await recode(task, (range) => source.read(range))
}

function taskOf(
  { array, plan, coords }: ChunkRequest,
  { bytes: stored, encoding }: Stored,
  way: Way,
  { codings }: DeliveryWorld,
): RecodeTask {
  const coding = codings.stored(array, encoding)
  if (way.kind === 'peel') return { kind: 'peel', stored, coding, kept: way.kept, length: plan.wireLength }
  const storedShape = storedShapeOf(array, coords)
  const origin = storedShape.map(() => 0)
  const box = { storedShape, inside: insideOf(array, coords), from: origin, to: origin, extent: storedShape }
  return { kind: 'assemble', pieces: [{ stored, coding, ...box }], target: codings.target(array, plan) }
}

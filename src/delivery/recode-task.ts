import type { ChunkRequest, RecodeTask, Way } from './delivery.ts'
import { storedShapeOf } from './way.ts'

/** What has to be done to one stored chunk. */
export function recodeTask(
  { array, plan, coords }: ChunkRequest,
  stored: Uint8Array,
  encoding: number,
  way: Way,
): RecodeTask {
  if (way.kind === 'peel') return { kind: 'peel', stored, codecs: way.codecs, length: plan.wireLength }
  const storedShape = storedShapeOf(array, coords)
  const origin = storedShape.map(() => 0)
  const { dataType, chunkShape, fillValue } = array
  const codecs = array.encodings[encoding] ?? []
  const piece = { stored, encoding: codecs, storedShape, fillValue, from: origin, to: origin, extent: storedShape }
  return { kind: 'assemble', pieces: [piece], target: plan.codecs, dataType, chunkShape, fillValue }
}

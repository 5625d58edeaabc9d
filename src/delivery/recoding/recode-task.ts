import { prepareEncoding } from '../../codecs/prepare.ts'
import type { ChunkRequest, RecodeTask, Way } from '../delivery.ts'
import { insideOf, storedShapeOf } from '../stored-shape.ts'

/** What has to be done to one stored chunk. */
export function recodeTask(
  { array, plan, coords }: ChunkRequest,
  stored: Uint8Array,
  encoding: number,
  way: Way,
): RecodeTask {
  const codecs = array.encodings[encoding] ?? []
  const ignoresSurplus = () =>
    prepareEncoding(codecs, { shape: array.chunkShape, dataType: array.dataType }).serial.surplus !== undefined
  if (way.kind === 'peel' && (plan.wireLength === undefined || !ignoresSurplus()))
    return { kind: 'peel', stored, codecs: way.codecs, length: plan.wireLength }
  const storedShape = storedShapeOf(array, coords)
  const origin = storedShape.map(() => 0)
  const { dataType, chunkShape, fillValue } = array
  const box = { from: origin, to: origin, extent: storedShape }
  const piece = { stored, encoding: codecs, storedShape, inside: insideOf(array, coords), fillValue, ...box }
  return { kind: 'assemble', pieces: [piece], target: plan.codecs, dataType, chunkShape, fillValue }
}

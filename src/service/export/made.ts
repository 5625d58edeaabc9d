import { bytesOfBody } from '../../bytes/feed.ts'
import { packedLength } from '../../codecs/elements.ts'
import { findChunk } from '../../compose/find-chunk.ts'
import { deliver } from '../../delivery/deliver.ts'
import type { DeliveryPlan, DeliveryWorld } from '../../delivery/delivery.ts'
import { planDelivery } from '../../delivery/plan.ts'
import { unsupported } from '../../errors.ts'
import { gridShapeOf } from '../../model/chunk-index.ts'
import { elementCount } from '../../model/shape.ts'
import { MOST_INLINED_BYTES } from '../../views/inline.ts'
import type { ArrayNode } from '../open-store.ts'
import type { ExportedArray } from './references.ts'

/** Bytes of values that one array may put into an export, and all arrays together. */
export const MOST_ARRAY_BYTES = 262_144
const MOST_BYTES = 16 * 2 ** 20
const MOST_CHUNKS = 1000

/** What may still be written into an export instead of being referred to. */
export class InlineRoom {
  #left = MOST_BYTES

  #leftForChosen = MOST_INLINED_BYTES

  /** Throws `unsupported-feature` when there is no more room; what was chosen (`inline`) has room of its own. */
  take(bytes: number, isChosen = false): void {
    if (isChosen) this.#leftForChosen -= bytes
    else this.#left -= bytes
    if (this.#left < 0 || this.#leftForChosen < 0) throw tooMuch()
  }
}

/** A small array whose chunks no reference can name, or one that was chosen, with its values in the export: the server makes them, as for a client. */
export function madeChunks({ array, tag }: ArrayNode, world: DeliveryWorld, room: InlineRoom): ExportedArray {
  const plan = planDelivery(array, 'raw')
  const gridShape = gridShapeOf(array.shape, array.chunkShape)
  const count = elementCount(gridShape)
  const chunkBytes = packedLength({ shape: array.chunkShape, dataType: array.dataType })
  const isChosen = array.isInlined === true
  const most = isChosen ? MOST_INLINED_BYTES : MOST_ARRAY_BYTES
  if (count > MOST_CHUNKS || count * (chunkBytes ?? 0) > most) throw tooMuch()
  let left = most
  return {
    array,
    codecs: plan.codecs,
    gridShape,
    async reference(coords) {
      const bytes = await madeChunk(array, plan, coords, `export-${tag}-${coords.join('.')}`, world)
      if (bytes === undefined) return undefined
      left -= bytes.length
      if (left < 0) throw tooMuch()
      room.take(bytes.length, isChosen)
      return { kind: 'inline', bytes }
    },
  }
}

async function madeChunk(
  array: ArrayNode['array'],
  plan: DeliveryPlan,
  coords: readonly number[],
  cacheKey: string,
  world: DeliveryWorld,
): Promise<Uint8Array | undefined> {
  const found = await findChunk(array, coords, undefined)
  if (found.kind === 'stored' && found.ref.kind === 'range' && found.ref.length > MOST_ARRAY_BYTES) throw tooMuch()
  const delivered = await deliver(
    { array, plan, coords, found, cacheKey },
    array.isInlined === true ? uncached(world) : world,
  )
  if (delivered.kind !== 'chunk' || delivered.body === undefined) return undefined
  return await bytesOfBody(delivered.body, delivered.length)
}

/** What is large and asked for once would only take the place of what is asked for again. */
function uncached(world: DeliveryWorld): DeliveryWorld {
  return { ...world, recoded: (_key, make, signal = new AbortController().signal) => make(signal) }
}

function tooMuch(): Error {
  return unsupported('long inline values', 'its values are too many to be written into the export')
}

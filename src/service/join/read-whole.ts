import { bytesOfBody } from '../../bytes/feed.ts'
import { filledElements } from '../../codecs/elements.ts'
import { deliver } from '../../delivery/deliver.ts'
import type { DeliveryWorld } from '../../delivery/delivery.ts'
import { planDelivery } from '../../delivery/plan.ts'
import { ASSEMBLED } from '../../model/chunk-ref.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'

/** All values of an array, as plain little-endian numbers or as `vlen-utf8` has texts: assembled as one chunk. */
export async function readWhole(array: VirtualArray, world: DeliveryWorld): Promise<Uint8Array> {
  const { shape, dataType, fillValue } = array
  const { maskedBy: _mask, masked: _masked, joined: _joined, ...own } = array
  const origin = shape.map(() => 0)
  const whole: VirtualArray = {
    ...own,
    chunkShape: shape.map((length) => Math.max(1, length)),
    encodings: [],
    edges: 'padded',
    stored: [{ array, origin }],
    chunks: { gridShape: shape.map(() => 1), at: () => ASSEMBLED, weight: () => 0 },
  }
  const plan = planDelivery(whole, 'raw')
  const request = { array: whole, plan, coords: origin, ref: ASSEMBLED, cacheKey: '' }
  const delivered = await deliver(request, world)
  if (delivered.kind === 'chunk' && delivered.body !== undefined) {
    return await bytesOfBody(delivered.body, delivered.length)
  }
  const filled = filledElements({ shape, dataType }, fillValue)
  return filled.kind === 'fixed' ? filled.bytes : new Uint8Array(0)
}

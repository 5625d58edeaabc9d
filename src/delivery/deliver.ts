import { unsupported } from '../errors.ts'
import type { ChunkRequest, Delivered, DeliveryWorld } from './delivery.ts'

/** Brings one chunk, or the part of it that the client asked for, to the wire as its plan says. */
export async function deliver(_request: ChunkRequest, _world: DeliveryWorld): Promise<Delivered> {
  throw unsupported('delivery', 'not written yet')
}

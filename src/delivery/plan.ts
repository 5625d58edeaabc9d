import { unsupported } from '../errors.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import type { DeliveryPlan, Profile } from './delivery.ts'

/** Decides what an array's chunks are on the wire; throws `unsupported-feature` when one of its encodings can't be decoded. */
export function planDelivery(_array: VirtualArray, profile: Profile): DeliveryPlan {
  throw unsupported(profile, 'not written yet')
}

import { malformed } from '../errors.ts'
import type { DeliveryWorld } from './delivery.ts'

/** Where the references of an array count from: a member of a join, or the store's own files. */
export async function memberWorld(world: DeliveryWorld, file: number | undefined): Promise<DeliveryWorld> {
  if (file === undefined) return world
  if (world.part === undefined) throw malformed(`a chunk names source ${file} of a store that is no join`)
  return await world.part(file)
}

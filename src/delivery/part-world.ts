import { isVirtualZarrError, malformed, VirtualZarrError } from '../errors.ts'
import type { DeliveryWorld } from './delivery.ts'

/** Where the references of an array count from: a source of a join, or the store's own. */
export async function partWorld(world: DeliveryWorld, part: number | undefined): Promise<DeliveryWorld> {
  if (part === undefined) return world
  if (world.part === undefined) throw malformed(`a chunk names source ${part} of a store that is no join`)
  return await world.part(part)
}

/** An error that says which source of a join it is about. */
export function ofFile(error: unknown, file: string | undefined): unknown {
  if (file === undefined || !isVirtualZarrError(error) || error.message.includes(file)) return error
  return new VirtualZarrError(error.code, `${file}: ${error.message}`, error.context, error)
}

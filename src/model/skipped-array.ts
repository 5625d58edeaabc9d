import { type ErrorCode, isVirtualZarrError, type VirtualZarrError } from '../errors.ts'
import type { SkippedArray } from './virtual-store.ts'

/** Errors that are about one part of a source: what else goes wrong (the source itself, a budget of the whole) ends the open. */
const OWN_FAULTS: ReadonlySet<ErrorCode> = new Set<SkippedArray['code']>([
  'malformed-source',
  'unsupported-feature',
  'limit-exceeded',
  'invalid-request',
])

/** An error that costs the array, object or attribute it happened to, and the others nothing. */
export function isOwnFault(error: unknown): error is VirtualZarrError & { readonly code: SkippedArray['code'] } {
  return isVirtualZarrError(error) && OWN_FAULTS.has(error.code) && error.context.isSpent !== true
}

/**
 * What a part of a source is read as: what is wrong with it alone is told, and costs nothing else. It never throws at once, since
 * other parts may be under way whose failures somebody must wait for.
 */
export function unlessBroken<Value>(
  read: () => Value | Promise<Value>,
  tell: (error: VirtualZarrError) => void,
): Value | undefined | Promise<Value | undefined> {
  const told = (error: unknown) => {
    if (!isOwnFault(error)) throw error
    tell(error)
    return undefined
  }
  try {
    const value = read()
    return value instanceof Promise ? value.catch(told) : value
  } catch (error) {
    return Promise.reject(error).catch(told)
  }
}

/** What stands in the tree for an array that can't be served; an error that is not its own is thrown on. */
export function skippedArray(error: unknown, dataDimensions?: readonly (string | null)[]): SkippedArray {
  if (!isOwnFault(error)) throw error
  return { kind: 'skipped', code: error.code, reason: error.message, dataDimensions }
}

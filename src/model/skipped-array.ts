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

/** What stands in the tree for an array that can't be served; an error that is not its own is thrown on. */
export function skippedArray(error: unknown, dataDimensions?: readonly (string | null)[]): SkippedArray {
  if (!isOwnFault(error)) throw error
  return { kind: 'skipped', code: error.code, reason: error.message, dataDimensions }
}

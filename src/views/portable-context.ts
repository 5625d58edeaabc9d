import type { Diagnostic, SkippedArray, VirtualArray } from '../model/virtual-store.ts'

/** The array being made portable, and whom to tell. */
export interface PortableContext {
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

/** An array without a portable form. */
export function skipped(reason: string): SkippedArray {
  return { kind: 'skipped', code: 'unsupported-feature', reason }
}

/** The same change made to the arrays that another is assembled from. */
export function withParts(
  changed: VirtualArray,
  original: VirtualArray,
  change: (part: VirtualArray) => VirtualArray,
  originOf: (origin: readonly number[]) => readonly number[] = (origin) => origin,
): VirtualArray {
  if (original.stored === undefined) return changed
  const stored = original.stored.map(({ array, origin }) => ({ array: change(array), origin: originOf(origin) }))
  return { ...changed, stored }
}

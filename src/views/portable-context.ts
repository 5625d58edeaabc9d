import type { Diagnostic, SkippedArray } from '../model/virtual-store.ts'

/** The array being made portable, and whom to tell. */
export interface PortableContext {
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

/** An array without a portable form. */
export function skipped(reason: string): SkippedArray {
  return { kind: 'skipped', code: 'unsupported-feature', reason }
}

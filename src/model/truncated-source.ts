import type { Diagnostic } from './virtual-store.ts'

/** The code of the diagnostic below, which the log and the root's `virtual_zarr` attribute repeat. */
export const TRUNCATED_SOURCE = 'truncated-source'

/** A file that ends before its own structure does: `message` names the last element that is complete. */
export function truncatedSource(message: string, values?: Diagnostic['values']): Diagnostic {
  return {
    code: TRUNCATED_SOURCE,
    message: `the file is truncated: ${message}`,
    ...(values === undefined ? {} : { values }),
  }
}

/** More of them tell nothing new. */
const MAX_TRUNCATIONS = 20

/** What the diagnostics of a source say of missing ends. */
export function truncationsOf(diagnostics: readonly Diagnostic[]): string[] {
  const found = diagnostics.filter(({ code }) => code === TRUNCATED_SOURCE)
  return found.slice(0, MAX_TRUNCATIONS).map(({ message }) => message)
}

/** What a key below a store's URL asks for. Paths have no leading or trailing slash; the root is ''. */
export type ZarrKey =
  | { readonly kind: 'metadata'; readonly path: string }
  | { readonly kind: 'chunk'; readonly path: string; readonly coords: readonly number[] }
  /** A folder, which answers with its listing. */
  | { readonly kind: 'folder'; readonly path: string }
  /** No key of a Zarr v3 store: v2 probes, misspelled chunk keys. It is absent, whatever the tree. */
  | { readonly kind: 'none' }

/** Chunk keys are canonical: `c`, then plain decimal indices. `00`, `+1` or full-width digits name no chunk. */
const CHUNK = /^(?:(.*)\/)?c((?:\/(?:0|[1-9][0-9]{0,15}))*)$/

/** Reads a key; it decides by spelling alone, not by what the store holds. */
export function parseZarrKey(key: string): ZarrKey {
  if (key === '' || key.endsWith('/')) return { kind: 'folder', path: key.slice(0, -1) }
  if (key === 'zarr.json') return { kind: 'metadata', path: '' }
  if (key.endsWith('/zarr.json')) return { kind: 'metadata', path: key.slice(0, -'/zarr.json'.length) }
  const match = CHUNK.exec(key)
  if (match === null) return { kind: 'none' }
  const indices = match[2] ?? ''
  const coords = indices === '' ? [] : indices.slice(1).split('/').map(Number)
  return { kind: 'chunk', path: match[1] ?? '', coords }
}

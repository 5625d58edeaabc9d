import type { Generated } from './bomb-origin.ts'

/** A source that asks for far more than it has. */
export interface Bomb {
  readonly name: string
  readonly source: string
  /** Asked for one after the other; `zarr.json` when there are none. */
  readonly keys?: readonly string[]
  readonly options?: string
  readonly files: () => Readonly<Record<string, Uint8Array | Generated>>
}

export function text(content: string): Buffer {
  return Buffer.from(content)
}

export function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** A document of Zarr version 2. */
export function zarray(length: number): object {
  const codecs = { compressor: null, filters: null, order: 'C' }
  return { zarr_format: 2, shape: [length], chunks: [2], dtype: '<i4', fill_value: 0, ...codecs }
}

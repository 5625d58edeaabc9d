import { chunkKey, gridOf, type PlacedChunks, type ZarrArray } from '../zarr-documents/zarr-array.ts'

/** Chunks that are objects below a folder: arithmetic only, nothing is asked when a store is opened. */
export function objectChunks(array: ZarrArray, folder: number): PlacedChunks {
  const { keys } = array
  return {
    encodings: [array.encoding],
    chunks: {
      gridShape: gridOf(array),
      at: (coords) => ({ kind: 'object', source: folder, key: chunkKey(keys, coords), encoding: 0 }),
      weight: () => 0,
    },
  }
}

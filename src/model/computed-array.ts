import { type ChunkIndex, gridShapeOf } from './chunk-index.ts'
import { rawEncoding } from './encoding.ts'
import { type Attributes, NO_SENTINELS, type VirtualArray } from './virtual-store.ts'

/** Numbers in one chunk of a coordinate. */
const CHUNK_LENGTH = 65_536

/** A coordinate variable that is arithmetic: however long, nothing of it is held. */
export function computedCoordinate(
  name: string,
  length: number,
  value: (index: number) => number,
  attributes: Attributes,
): VirtualArray {
  const chunkLength = Math.max(1, Math.min(length, CHUNK_LENGTH))
  const bytesAt = (chunk: number) => {
    const count = Math.min(chunkLength, length - chunk * chunkLength)
    const view = new DataView(new ArrayBuffer(count * 8))
    for (let i = 0; i < count; i++) view.setFloat64(i * 8, value(chunk * chunkLength + i), true)
    return new Uint8Array(view.buffer)
  }
  return {
    kind: 'array',
    shape: [length],
    chunkShape: [chunkLength],
    dataType: { kind: 'float', bits: 64 },
    fillValue: { kind: 'number', value: 0 },
    fillOrigin: 'zero of the type',
    sentinels: NO_SENTINELS,
    attributes,
    dimensionNames: [name],
    encodings: [rawEncoding('little')],
    edges: 'cropped',
    chunks: computedIndex(gridShapeOf([length], [chunkLength]), bytesAt),
  }
}

function computedIndex(gridShape: readonly number[], bytesAt: (chunk: number) => Uint8Array): ChunkIndex {
  return {
    gridShape,
    at: ([chunk = 0]) => ({ kind: 'inline', bytes: bytesAt(chunk), encoding: 0 }),
    isComplete: () => true,
    weight: () => 512,
  }
}

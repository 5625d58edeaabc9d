import type { Elements } from '../../../src/codecs/codec.ts'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { itemSize } from '../../../src/model/data-type.ts'
import { scalarToBytes } from '../../../src/model/scalar-bytes.ts'
import { elementCount } from '../../../src/model/shape.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import { coordinates, runs, type Values } from '../../corpus/values.ts'
import { asStored } from '../../helpers/stored-array.ts'
import type { MemoryStore } from './memory-store.ts'

/** All values of an array: its stored chunks decoded, and the fill value where there is none. Not through delivery. */
export async function readValues(array: VirtualArray, store: MemoryStore): Promise<Values> {
  const size = itemSize(array.dataType)
  const count = elementCount(array.shape)
  const texts: string[] = new Array(size === undefined ? count : 0)
  const bytes = new Uint8Array(count * (size ?? 0))
  for (const coords of coordinates(asStored(array).chunks.gridShape)) {
    const chunk = await decodedChunk(array, coords, store)
    for (const { from, to, count: length } of runs(array.shape, array.chunkShape, coords)) {
      if (chunk.kind === 'fixed' && size !== undefined) {
        bytes.set(chunk.bytes.subarray(from * size, (from + length) * size), to * size)
      } else if (chunk.kind === 'text') {
        for (let index = 0; index < length; index++) texts[to + index] = chunk.values[from + index] ?? ''
      }
    }
  }
  return size === undefined ? { kind: 'text', values: texts } : { kind: 'fixed', bytes }
}

async function decodedChunk(array: VirtualArray, coords: readonly number[], store: MemoryStore): Promise<Elements> {
  const layout = { shape: array.chunkShape, dataType: array.dataType }
  const stored = await storedChunk(array, coords, store)
  if (stored === undefined) return filled(array)
  const encoding = asStored(array).encodings[stored.encoding] ?? []
  return decodeChunk(stored.bytes, encoding, layout, { limit: 2 ** 26, fillValue: array.fillValue })
}

async function storedChunk(array: VirtualArray, coords: readonly number[], store: MemoryStore) {
  const ref = await asStored(array).chunks.at(coords)
  if (ref.kind === 'object') {
    const key = decodeURIComponent(`${store.references[ref.source]}${ref.key}`.slice(store.url.length))
    const bytes = store.files.get(key)
    return bytes && { bytes, encoding: ref.encoding }
  }
  if (ref.kind !== 'range') return undefined
  const [zip] = store.files.values()
  return zip && { bytes: zip.subarray(ref.offset, ref.offset + ref.length), encoding: ref.encoding }
}

function filled({ fillValue, dataType, chunkShape }: VirtualArray): Elements {
  const count = elementCount(chunkShape)
  if (fillValue.kind === 'string' && itemSize(dataType) === undefined) {
    return { kind: 'text', values: new Array<string>(count).fill(fillValue.value) }
  }
  const one = scalarToBytes(fillValue, dataType)
  const bytes = new Uint8Array(count * one.length)
  for (let index = 0; index < count; index++) bytes.set(one, index * one.length)
  return { kind: 'fixed', bytes }
}

import { createHash } from 'node:crypto'
import type { Elements } from '../../../src/codecs/codec.ts'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { copyBox, filledElements } from '../../../src/codecs/elements.ts'
import type { ChunkRef } from '../../../src/model/chunk-ref.ts'
import { placedArrays } from '../../../src/model/composed-array.ts'
import { itemSize } from '../../../src/model/data-type.ts'
import type { VirtualArray } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { coordinates } from '../../corpus/values.ts'
import { asStored } from '../../helpers/stored-array.ts'

/** The source that a chunk reference names, where that is not the parsed one. */
type SourceAt = (index: number, own: Source) => Promise<Source>

/** Reads a whole array by its chunk references, in C order. */
export async function readArray(
  array: VirtualArray,
  own: Source,
  sourceAt: SourceAt = async () => own,
): Promise<Elements> {
  const whole = filledElements({ shape: array.shape, dataType: array.dataType }, array.fillValue)
  const parts = array.operation === undefined ? undefined : placedArrays(array.operation)
  for (const part of parts ?? []) {
    // A part may begin before what is seen of it, and end behind.
    const from = part.origin.map((at) => Math.max(0, 0 - at))
    const to = part.origin.map((at) => Math.max(0, at))
    const extent = part.array.shape.map((length, axis) =>
      Math.min(length - (from[axis] ?? 0), (array.shape[axis] ?? 0) - (to[axis] ?? 0)),
    )
    const box = { from, to, extent }
    const values = await readArray(part.array, own, sourceAt)
    copyBox(values, part.array.shape, whole, array.shape, box, itemSize(array.dataType) ?? 0)
  }
  if (parts !== undefined) return whole
  for (const coords of coordinates(asStored(array).chunks.gridShape)) {
    const ref = await asStored(array).chunks.at(coords)
    if (ref.kind === 'missing') continue
    const source = await sourceAt(('source' in ref ? ref.source : undefined) ?? 0, own)
    const origin = coords.map((at, axis) => at * (array.chunkShape[axis] ?? 1))
    const extent = origin.map((at, axis) => Math.min(array.chunkShape[axis] ?? 1, (array.shape[axis] ?? 1) - at))
    const shape = asStored(array).edges === 'cropped' ? extent : array.chunkShape
    const encoding = asStored(array).encodings['encoding' in ref ? ref.encoding : 0] ?? []
    const read = (range: { offset: number; length: number }) => source.read(range)
    const options = { limit: 2 ** 30, fillValue: array.fillValue, read }
    const chunk = await decodeChunk(
      await readChunk(ref, source),
      encoding,
      { shape, dataType: array.dataType },
      options,
    )
    const box = { from: coords.map(() => 0), to: origin, extent }
    copyBox(chunk, shape, whole, array.shape, box, itemSize(array.dataType) ?? 0)
  }
  return whole
}

async function readChunk(ref: ChunkRef, source: Source): Promise<Uint8Array> {
  if (ref.kind === 'inline') return ref.bytes
  if (ref.kind === 'range') return await source.read(ref)
  throw new Error(`an HDF5 chunk is not ${ref.kind}`)
}

/** The golden files' hash: of the bytes, or of the compact JSON list of the texts, which Python may spell in ASCII. */
export function hashOf(values: Elements, spelling: 'utf-8' | 'ascii' = 'utf-8'): string {
  const json = values.kind === 'fixed' ? '' : JSON.stringify(values.values)
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const text = spelling === 'utf-8' ? json : json.replace(/[\u0080-\uffff]/g, escaped)
  const content = values.kind === 'fixed' ? values.bytes : text
  return createHash('sha256').update(content).digest('hex')
}

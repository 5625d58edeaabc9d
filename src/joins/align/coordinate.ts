import { type ChunkIndex, gridShapeOf } from '../../model/chunk-index.ts'
import { storedArray } from '../../model/composed-array.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { scalarToBytes } from '../../model/scalar-bytes.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import type { Found } from '../common-meaning.ts'
import type { Pattern } from '../fit.ts'
import { likeOf } from '../joined-shape.ts'
import { numberScalar } from '../packing.ts'
import { splitPath } from '../tree.ts'
import { NOT_ALIGNED } from './alignment.ts'

type Meant = Pick<Pattern, 'path' | 'first' | 'firstUrl' | 'meaning'>

/** A coordinate of all sources together, at hand. */
export function alignedCoordinate(
  pattern: Meant,
  found: readonly Found[],
  values: readonly (number | bigint)[],
): VirtualArray {
  const { dataType } = pattern.meaning
  return arrayAtHand(
    pattern,
    found,
    [values.length],
    Buffer.concat(values.map((value) => scalarToBytes(numberScalar(value, dataType), dataType))),
  )
}

/** Values that were read, as an array of one chunk, described as the first source does. */
export function arrayAtHand(
  pattern: Meant,
  found: readonly Found[],
  shape: readonly number[],
  values: Uint8Array,
): VirtualArray {
  const { meaning, path } = pattern
  const fillValue = meaning.sentinels[0] ?? numberScalar(0, meaning.dataType)
  const described = { ...pattern, dimension: splitPath(path).name, axis: 0, isNew: false, fillValue }
  const like = likeOf({ ...described, alignment: NOT_ALIGNED }, found, shape[0] ?? 1)
  const chunkShape = shape.map((length) => Math.max(1, length))
  const bytes = new Uint8Array(values)
  const chunks: ChunkIndex = {
    gridShape: gridShapeOf(shape, chunkShape),
    at: () => ({ kind: 'inline', bytes, encoding: 0 }),
    isComplete: () => true,
    weight: () => bytes.length + 500,
  }
  return storedArray({ ...like, shape, chunkShape }, { encodings: [rawEncoding('little')], edges: 'padded', chunks })
}

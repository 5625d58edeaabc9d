import { encodingsOf, specOf } from '../model/composed-array.ts'
import { itemSize, type Scalar } from '../model/data-type.ts'
import {
  type Attributes,
  NO_SENTINELS,
  type Sentinels,
  type SkippedArray,
  type VirtualArray,
} from '../model/virtual-store.ts'
import { alignedAxes } from './align/alignment.ts'
import { withNewAxis } from './change.ts'
import type { Found } from './common-meaning.ts'
import { isSameScalar } from './differences.ts'
import type { Pattern } from './fit.ts'
import { isEqual, type JoinedSpec } from './joined-array.ts'
import { asType, hasSentinels, type Meaning, OF_PACKED } from './meaning.ts'
import { unitsText } from './times/common-times.ts'
import { isSameType } from './types.ts'

/** The most that one chunk of a coordinate takes. */
const COORDINATE_BYTES = 2 ** 20

/** All that the joined array is but for where its values are: that of the first source, in the common meaning. */
export function likeOf(pattern: Pattern, found: readonly Found[], total: number): JoinedSpec {
  const { path, first, meaning, axis, fillValue, isNew, dimension, alignment } = pattern
  const axes = alignedAxes(alignment, path, first)
  const own = first.shape.map((length, at) => alignment.coordinates.get(axes[at] ?? '')?.shape[0] ?? length)
  const shape = isNew ? [total, ...own] : own.with(axis, total)
  const dimensionNames = isNew ? [dimension, ...(first.dimensionNames ?? [])] : first.dimensionNames
  const chunkShape = chunkShapeOf(pattern, found, shape)
  const usual = isNew ? [1, ...first.chunkShape] : first.chunkShape
  const stored = encodingsOf(isNew ? withNewAxis(first, dimension) : first)
  const isStoredSo =
    (!isNew || encodingsOf(first).every((encoding) => encoding.every(({ name }) => !OF_ONE_RANK.has(name)))) &&
    isEqual(usual, chunkShape) &&
    meaning.packing !== 'decoded'
  return {
    ...specOf(first),
    shape,
    dimensionNames,
    chunkShape,
    dataType: meaning.dataType,
    fillValue,
    sentinels: sentinelsOf(first.sentinels, meaning),
    attributes: attributesOf(first, meaning),
    // Asked for, they are refused and not passed over.
    maskedBy: found.some(({ array }) => array.maskedBy !== undefined) ? NO_JOINED_MASKS : undefined,
    encodings: isStoredSo && isSameType(first.dataType, meaning.dataType) ? stored : [],
  }
}

const NO_JOINED_MASKS: SkippedArray = {
  kind: 'skipped',
  code: 'unsupported-feature',
  reason: 'the masks of files that are joined are not joined',
}

/** Codecs whose configuration has a place for every axis: they say nothing of chunks with one more. */
const OF_ONE_RANK: ReadonlySet<string> = new Set(['transpose', 'sharding_indexed'])

/** Of the grid: the commonest chunk shape, no longer than the longest source; coordinates are one chunk. */
function chunkShapeOf(
  { axis, isNew, meaning }: Pattern,
  found: readonly Found[],
  shape: readonly number[],
): readonly number[] {
  const steps = shape.reduce((product, length, at) => (at === axis ? product : product * length), 1)
  const size = itemSize(meaning.dataType) ?? COORDINATE_BYTES
  const total = shape[axis] ?? 0
  const isBounds = shape.length === 2 && steps === 2 && meaning.times !== undefined
  if ((shape.length === 1 || isBounds) && size < COORDINATE_BYTES) {
    const most = Math.max(1, Math.floor(COORDINATE_BYTES / (size * Math.max(steps, 1))))
    return shape.map((length, at) => (at === axis ? Math.max(1, Math.min(total, most)) : Math.max(1, length)))
  }
  const counts = Map.groupBy(found, ({ array }) => array.chunkShape.join(','))
  const [commonest] = [...counts.values()].sort((one, other) => other.length - one.length)
  const chunk = commonest?.[0]?.array.chunkShape ?? []
  if (isNew) return [1, ...chunk]
  const longest = Math.max(1, ...found.map(({ array }) => array.shape[axis] ?? 1))
  return chunk.map((length, at) => (at === axis ? Math.min(length, longest) : length))
}

function sentinelsOf(own: Sentinels, { sentinels, packing, dataType }: Meaning): Sentinels {
  if (packing === 'decoded') return NO_SENTINELS
  const kept = (scalar: Scalar | undefined) => {
    const value = asType(scalar, dataType)
    return sentinels.some((sentinel) => isSameScalar(value, sentinel, dataType)) ? value : undefined
  }
  const [fillValue, missingValue] = [kept(own.fillValue), kept(own.missingValue)]
  return { fillValue: fillValue ?? (missingValue === undefined ? sentinels[0] : undefined), missingValue }
}

function attributesOf(first: VirtualArray, { times, packing, dataType, sentinels }: Meaning): Attributes {
  const attributes = new Map(first.attributes)
  if (times !== undefined && attributes.has('units')) attributes.set('units', unitsText(times))
  if (!hasSentinels(first, sentinels)) attributes.delete('missing_value')
  if (packing === 'decoded') for (const name of OF_PACKED) attributes.delete(name)
  else if (packing !== undefined && !isSameType(first.dataType, dataType)) attributes.delete('_Unsigned')
  return attributes
}

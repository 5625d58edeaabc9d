import { malformed, VirtualZarrError } from '../errors.ts'
import { isComplete } from '../model/composed-array.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { type Alignment, aligned, alignedAxes } from './align/alignment.ts'
import { changed, withNewAxis, withOwnFill } from './change.ts'
import { type Difference, isSameScalar, shapeDifference, typeText } from './differences.ts'
import { isMissingValue, type Meaning, meaningChange } from './meaning.ts'
import type { OpenPart, Parts } from './parts.ts'
import { calendarDifference, timesOf } from './times-of.ts'
import type { PartTree } from './tree.ts'
import { commonTimeType, commonType, isSameType } from './types.ts'

/** What every source's variable must be, or be made. */
export interface Pattern {
  readonly path: string
  /** The joined dimension, and where it is; new ones come first. */
  readonly dimension: string
  readonly axis: number
  readonly isNew: boolean
  /** The variable of the source that others are compared with. */
  readonly first: VirtualArray
  readonly firstUrl: string
  readonly fillValue: Scalar
  readonly meaning: Meaning
  readonly alignment: Alignment
}

type Named = Pick<Pattern, 'path' | 'firstUrl'>

/** Makes the variable of a source a part of the joined array: the same object for the same source. */
export function fitter(
  pattern: Pattern,
  { cuts }: Pick<Parts, 'cuts'>,
): (part: OpenPart, position: number) => VirtualArray | undefined {
  const known = new WeakMap<PartTree, { readonly array: VirtualArray | undefined; readonly length: number }>()
  return ({ tree }, position) => {
    const length = cuts.startOf(position + 1) - cuts.startOf(position)
    const before = known.get(tree)
    // One file may stand at two places.
    if (before !== undefined && before.length === length) return before.array
    const array = fitted(pattern, tree, length)
    known.set(tree, { array, length })
    return array
  }
}

function fitted(pattern: Pattern, tree: PartTree, length: number): VirtualArray | undefined {
  const { path, first, axis, isNew, dimension, fillValue, alignment } = pattern
  const array = tree.arrays.get(path)
  if (array === undefined) return gap(pattern, tree)
  if (array.kind === 'skipped') throw new VirtualZarrError(array.code, `${array.reason} (${path} in ${tree.url})`)
  const axes = alignedAxes(alignment, path, array)
  const isFree = (at: number) => (at === axis && !isNew) || axes[at] !== undefined
  refuse(pattern, tree, shapeDifference(first, array, isFree))
  if (!isNew && array.shape[axis] !== length) {
    throw malformed(`${path} is ${array.shape[axis]} long along ${dimension} in ${tree.url}, expected ${length}`, {
      path,
    })
  }
  const own = inMeaning(pattern, tree, array)
  const { maskedBy: _mask, ...placed } = isNew ? withNewAxis(own, dimension) : own
  const isFilledSo = isSameScalar(placed.fillValue, fillValue, placed.dataType) || hasAllChunks(array)
  const filled = isFilledSo ? { ...placed, fillValue } : withOwnFill(placed, fillValue)
  return aligned(alignment, tree, filled, axes)
}

/** The numbers of a source as those of the join; throws what can't be made good. */
export function inMeaning(
  pattern: Pick<Pattern, 'path' | 'first' | 'firstUrl' | 'meaning'>,
  tree: PartTree,
  array: VirtualArray,
): VirtualArray {
  const { path, first, meaning } = pattern
  const words = timesOf(tree, path)
  refuse(pattern, tree, calendarDifference(meaning.timesOfFirst, words))
  const typeOfBoth = meaning.times === undefined ? commonType : commonTimeType
  if (meaning.packing !== 'decoded' && !isHeldBy(array.dataType, meaning.dataType, typeOfBoth)) {
    refuse(pattern, tree, typeDifference(first.dataType, array.dataType))
  }
  const change = meaningChange(meaning, first, array, words, (difference) => raise(pattern, tree, difference))
  return change === undefined ? array : changed(array, change)
}

function typeDifference(one: DataType, other: DataType): Difference | undefined {
  return isSameType(one, other) ? undefined : { what: 'the data type', one: typeText(one), other: typeText(other) }
}

export function hasAllChunks(array: VirtualArray): boolean {
  return isComplete(array) === true
}

/** A variable that a source lacks reads as missing, where there is a value that says so. */
function gap({ path, fillValue, meaning, firstUrl }: Pattern, tree: PartTree): undefined {
  if (isMissingValue(fillValue, meaning)) return undefined
  throw malformed(`${tree.url} has no variable ${path}, and in ${firstUrl} no value of it says that it is missing`, {
    path,
  })
}

/** Whether every value of a type is one of the other. */
function isHeldBy(type: DataType, wide: DataType, typeOfBoth: typeof commonType): boolean {
  const common = typeOfBoth(type, wide)
  return common !== undefined && isSameType(common, wide)
}

export function refuse(pattern: Named, tree: PartTree, difference: Difference | undefined): void {
  if (difference !== undefined) raise(pattern, tree, difference)
}

/** Throws where nothing says that a value of an absent source is missing. */
export function requireMissing({ path, fillValue, meaning }: Pattern, position: number): void {
  if (isMissingValue(fillValue, meaning)) return
  throw malformed(
    `source ${position + 1} of the join does not exist, and no value of ${path} says that it is missing`,
    { path },
  )
}

/** Throws where nothing says that what is padded is missing. */
export function requirePadding({ path, firstUrl, fillValue, meaning }: Pattern): void {
  if (isMissingValue(fillValue, meaning)) return
  throw malformed(`${path} would be padded, and in ${firstUrl} no value of it says that it is missing`, { path })
}

function raise({ path, firstUrl }: Named, tree: PartTree, { what, one, other }: Difference): never {
  throw malformed(`${what} of ${path} is ${one} in ${firstUrl} and ${other} in ${tree.url}`, { path })
}

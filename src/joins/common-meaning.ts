import { type DataType, integerRange, NOT_A_TIME, type Scalar } from '../model/data-type.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { meaningDifference, typeText } from './differences.ts'
import { asType, hasSentinels, type Meaning, PACKING, sentinelsOf } from './meaning.ts'
import { numberScalar, packingOf, repackedRange, repacking, typeOfRange } from './packing.ts'
import { commonUnits, countChange } from './times/common-times.ts'
import type { TimeUnits } from './times/time-units.ts'
import { timesOf } from './times-of.ts'
import type { PartTree } from './tree.ts'
import { commonTimeType, commonType, isInteger, isSameType } from './types.ts'

/** A variable of a source that was read. */
export interface Found {
  readonly tree: PartTree
  readonly array: VirtualArray
}

/**
 * What the numbers of a joined variable mean, by those sources whose headers were read: the first's meaning where all others
 * can be made to mean that, in a wider type where they need one. What can't is refused when the source is fitted in.
 */
export function commonMeaning(
  path: string,
  found: readonly [Found, ...Found[]],
  { hasGaps, isWhole }: { readonly hasGaps: boolean; readonly isWhole: boolean },
): Meaning {
  const meaning = withGaps(meaningOf(path, found, isWhole), hasGaps)
  const sentinels = meaning.sentinels.flatMap((sentinel) => asType(sentinel, meaning.dataType) ?? [])
  return { ...meaning, sentinels, timesOfFirst: timesOf(found[0].tree, path) }
}

/** Times of sources that are absent are none: the count that readers take for "not a time". */
function withGaps(meaning: Meaning, hasGaps: boolean): Meaning {
  const { times, dataType, sentinels } = meaning
  if (!hasGaps || times === undefined || sentinels.length > 0 || !isInteger(dataType)) return meaning
  return { ...meaning, dataType: { kind: 'int', bits: 64 }, sentinels: [{ kind: 'bigint', value: NOT_A_TIME }] }
}

function meaningOf(path: string, found: readonly [Found, ...Found[]], isWhole: boolean): Meaning {
  const [{ array: first }] = found
  const sentinels = commonSentinels(found)
  const times = commonTimes(path, found)
  const typeOfBoth = times === undefined ? commonType : commonTimeType
  const widest = found.reduce<DataType>((type, { array }) => typeOfBoth(type, array.dataType) ?? type, first.dataType)
  if (times !== undefined) {
    // Of files that were not read nobody knows from when they count.
    const isChanged = !isWhole || found.some(({ tree }) => isCountChanged(tree, path, times))
    return { dataType: isChanged ? countType(widest) : widest, sentinels, times, packing: undefined }
  }
  if (found.every(({ array }) => isPackedAlike(first, array)))
    return { dataType: widest, sentinels, times, packing: undefined }
  return packedMeaning(found, widest, sentinels)
}

/** Those of the first that has any; one of them where others have other ones, which become that. */
function commonSentinels(found: readonly Found[]): readonly Scalar[] {
  const own = found.map(({ array }) => sentinelsOf(array)).find((sentinels) => sentinels.length > 0) ?? []
  const isOne = found.every(({ array }) => hasSentinels(array, own) && isPackedAlike(array, found[0]?.array ?? array))
  return isOne ? own : own.slice(0, 1)
}

function isPackedAlike(one: VirtualArray, other: VirtualArray): boolean {
  const difference = meaningDifference(one, other)
  return difference === undefined || !PACKING.some((name) => difference.what.endsWith(name))
}

/** In the first's packing, in integers that hold the others' numbers too; decoded where that isn't exact. */
function packedMeaning(
  found: readonly [Found, ...Found[]],
  widest: DataType,
  sentinels: Meaning['sentinels'],
): Meaning {
  return (
    packedAlike(found, widest, sentinels) ?? {
      dataType: decodedType(found.map(({ array }) => array)),
      sentinels: [{ kind: 'number', value: Number.NaN }],
      times: undefined,
      packing: 'decoded',
    }
  )
}

function packedAlike(
  found: readonly [Found, ...Found[]],
  widest: DataType,
  sentinels: Meaning['sentinels'],
): Meaning | undefined {
  const packing = packingOf(found[0].array)
  const ranges: (readonly [least: bigint, most: bigint])[] = []
  let isChanged = false
  let dataType: DataType | undefined = packing.bits
  for (const { array } of found) {
    const own = packingOf(array)
    const change = repacking(own, packing)
    if (change === undefined || !isInteger(own.bits) || !isInteger(widest)) return undefined
    const range = repackedRange(own.bits, change)
    ranges.push(range)
    isChanged ||= change.multiply !== 1n || change.add !== 0n || !isSameType(own.bits, packing.bits)
    const type = typeOfRange(range)
    dataType = dataType === undefined || type === undefined ? undefined : commonType(dataType, type)
  }
  if (dataType === undefined) return undefined
  if (!isChanged || sentinels.length === 0) return { dataType, sentinels, times: undefined, packing }
  const free = freeSentinel(dataType, ranges)
  return free === undefined ? undefined : { dataType, sentinels: [free], times: undefined, packing }
}

/** A number of the type that no source's numbers become: the end of the type. */
function freeSentinel(type: DataType, ranges: readonly (readonly [least: bigint, most: bigint])[]): Scalar | undefined {
  if (!isInteger(type)) return undefined
  const ends = integerRange(type)
  const end = ends.find((value) => value !== 0n && ranges.every(([least, most]) => value < least || value > most))
  if (end === undefined) return undefined
  return numberScalar(type.bits === 64 ? end : Number(end), type)
}

/** The smallest float that holds what is packed: an offset needs more digits than the packed number has. */
export function decodedType(arrays: readonly VirtualArray[]): DataType {
  const isShort = arrays.every((array) => {
    const { dataType } = array
    if (dataType.kind === 'float') return dataType.bits <= 32
    return isInteger(dataType) && dataType.bits <= 16 && packingOf(array).offset.value === 0
  })
  return { kind: 'float', bits: isShort ? 32 : 64 }
}

function commonTimes(path: string, found: readonly Found[]): TimeUnits | undefined {
  const all: TimeUnits[] = []
  for (const { tree, array } of found) {
    const parsed = timesOf(tree, path)?.parsed
    // Packed counts are no counts: from another date they would have to be added to in steps of their scale.
    if (parsed !== undefined && !isPacked(array)) all.push(parsed)
  }
  return all.length === found.length ? commonUnits(all) : undefined
}

function isPacked(array: VirtualArray): boolean {
  const { scale, offset } = packingOf(array)
  return scale.value !== 1 || offset.value !== 0 || array.attributes.has('_Unsigned')
}

function isCountChanged(tree: PartTree, path: string, times: TimeUnits): boolean {
  const parsed = timesOf(tree, path)?.parsed
  const change = parsed === undefined ? undefined : countChange(parsed, times)
  return change === undefined || change.multiply !== 1n || change.add !== 0n
}

/** Counts from another date are larger than those of one file. */
function countType(type: DataType): DataType {
  if (type.kind === 'float') return { kind: 'float', bits: 64 }
  return isInteger(type) ? { kind: 'int', bits: 64 } : type
}

/** What diagnostics say of a meaning that is not the first's. */
export function meaningText(first: VirtualArray, { dataType, packing, times }: Meaning): string | undefined {
  if (packing === 'decoded')
    return `is packed differently from source to source, and served decoded as ${typeText(dataType)}`
  if (packing !== undefined)
    return `is packed differently from source to source, and served in the packing of the first as ${typeText(dataType)}`
  if (typeText(first.dataType) === typeText(dataType)) return undefined
  return times === undefined ? `has several data types, and is served as ${typeText(dataType)}` : undefined
}

import { type DataType, NOT_A_TIME } from '../model/data-type.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { meaningDifference, typeText } from './differences.ts'
import { asType, type Meaning, PACKING, sentinelsOf } from './meaning.ts'
import { packingOf, repackedType, repacking } from './packing.ts'
import { commonUnits, countChange } from './times/common-times.ts'
import type { TimeUnits } from './times/time-units.ts'
import { timesOf } from './times-of.ts'
import type { PartTree } from './tree.ts'
import { commonType, isInteger } from './types.ts'

/** A variable of a source that was read. */
export interface Found {
  readonly tree: PartTree
  readonly array: VirtualArray
}

/**
 * What the numbers of a joined variable mean, by those sources whose headers were read: the first's meaning where all others
 * can be made to mean that, in a wider type where they need one. What can't is refused when the source is fitted in.
 */
export function commonMeaning(path: string, found: readonly [Found, ...Found[]], hasGaps: boolean): Meaning {
  const meaning = withGaps(meaningOf(path, found), hasGaps)
  const sentinels = meaning.sentinels.flatMap((sentinel) => asType(sentinel, meaning.dataType) ?? [])
  return { ...meaning, sentinels }
}

/** Times of sources that are absent are none: the count that readers take for "not a time". */
function withGaps(meaning: Meaning, hasGaps: boolean): Meaning {
  const { times, dataType, sentinels } = meaning
  if (!hasGaps || times === undefined || sentinels.length > 0 || !isInteger(dataType)) return meaning
  return { ...meaning, dataType: { kind: 'int', bits: 64 }, sentinels: [{ kind: 'bigint', value: NOT_A_TIME }] }
}

function meaningOf(path: string, found: readonly [Found, ...Found[]]): Meaning {
  const [{ array: first }] = found
  const sentinels = found.map(({ array }) => sentinelsOf(array)).find((own) => own.length > 0) ?? []
  const times = commonTimes(path, found)
  const widest = found.reduce<DataType>((type, { array }) => commonType(type, array.dataType) ?? type, first.dataType)
  if (times !== undefined) {
    const isChanged = found.some(({ tree }) => isCountChanged(tree, path, times))
    return { dataType: isChanged ? countType(widest) : widest, sentinels, times, packing: undefined }
  }
  if (found.every(({ array }) => isPackedAlike(first, array)))
    return { dataType: widest, sentinels, times, packing: undefined }
  return packedMeaning(found, widest, sentinels)
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
  const [{ array: first }] = found
  const packing = packingOf(first)
  let dataType: DataType | undefined = isInteger(widest) ? packing.bits : undefined
  for (const { array } of found) {
    const own = packingOf(array)
    const change = repacking(own, packing)
    const type = change === undefined ? undefined : repackedType(own.bits, change)
    dataType = dataType === undefined || type === undefined ? undefined : commonType(dataType, type)
  }
  if (dataType !== undefined) return { dataType, sentinels, times: undefined, packing }
  return {
    dataType: decodedType(found.map(({ array }) => array)),
    sentinels: [{ kind: 'number', value: Number.NaN }],
    times: undefined,
    packing: 'decoded',
  }
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
  for (const { tree } of found) {
    const parsed = timesOf(tree, path)?.parsed
    if (parsed !== undefined) all.push(parsed)
  }
  return all.length === found.length ? commonUnits(all) : undefined
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

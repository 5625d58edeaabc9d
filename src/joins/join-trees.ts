import { malformed } from '../errors.ts'
import type { Scalar } from '../model/data-type.ts'
import type { Attributes, Diagnostic, SkippedArray, VirtualArray } from '../model/virtual-store.ts'
import { type Alignment, alignedAxes } from './align/alignment.ts'
import { commonMeaning, type Found, meaningText } from './common-meaning.ts'
import { type DeclaredCoordinate, declaredArray } from './declared-coordinate.ts'
import { fitter, type Pattern, requireMissing, requirePadding } from './fit.ts'
import { type Joining, joinedArray, sharedArray } from './joined-array.ts'
import { likeOf } from './joined-shape.ts'
import { isMissingValue, type Meaning } from './meaning.ts'
import { numberScalar } from './packing.ts'
import type { OpenPart, Parts } from './parts.ts'
import { parseTimeUnits } from './times/time-units.ts'
import { textAttribute } from './times-of.ts'
import { type PartTree, splitPath } from './tree.ts'
import { isSameType } from './types.ts'

/** What is joined: sources whose headers were read, the first of them at least, and the way to all others. */
export interface Joinable {
  readonly dimension: string
  readonly isNew: boolean
  readonly checked: readonly [OpenPart, ...OpenPart[]]
  /** Their places among all sources. */
  readonly positions: readonly number[]
  readonly parts: Parts
  /** Some source may be absent, and reads as fill. */
  readonly mayLackSources: boolean
  /** The coordinate of a new dimension. */
  readonly coordinate: VirtualArray | undefined
  /** That of the joined dimension, where the document states it. */
  readonly declared?: DeclaredCoordinate | undefined
  readonly alignment: Alignment
  /** A variable along the joined dimension whose values are kept with the join; undefined for one that is no coordinate. */
  coordinateOf?(path: string, joining: Joining, parts: Parts): VirtualArray | undefined
  warn(diagnostic: Diagnostic): void
}

export interface JoinedTree {
  readonly tree: PartTree
  /** Variables that all sources have alike and that are not joined, and must be equal: by path. */
  readonly shared: readonly string[]
}

/** One tree of many: variables with the joined dimension one after the other, the others from the first source. */
export function joinTrees(join: Joinable): JoinedTree {
  const [first] = join.checked
  const arrays = new Map<string, VirtualArray | SkippedArray>()
  const shared: string[] = []
  for (const path of allPaths(join.checked)) {
    const found = join.checked.flatMap(({ tree }): Found[] => {
      const array = tree.arrays.get(path)
      return array?.kind === 'array' ? [{ tree, array }] : []
    })
    const [usual, ...others] = found
    const skipped = join.checked.map(({ tree }) => tree.arrays.get(path)).find((array) => array?.kind === 'skipped')
    if (skipped !== undefined || usual === undefined) {
      if (skipped !== undefined) arrays.set(path, skipped)
      continue
    }
    const whole = join.alignment.coordinates.get(path) ?? join.alignment.shared.get(path)
    if (whole !== undefined) arrays.set(path, whole)
    else if (isShared(join, path, usual.array)) {
      const owner = join.checked.find(({ tree }) => tree === usual.tree)
      arrays.set(path, owner?.part === undefined ? usual.array : sharedArray(usual.array, owner.part))
      if (!join.alignment.same.has(path)) shared.push(path)
    } else arrays.set(path, joinedVariable(join, path, [usual, ...others]))
  }
  if (join.coordinate !== undefined) arrays.set(join.dimension, join.coordinate)
  if (join.declared !== undefined) {
    const usual = arrays.get(join.dimension)
    requireOwnUnits(join.declared, usual, first.tree, arrays)
    const array = usual?.kind === 'array' ? usual : undefined
    arrays.set(join.dimension, declaredArray(join.declared, join.parts.cuts.total, array))
  }
  return { tree: { ...first.tree, arrays }, shared }
}

/** Bounds without units of their own count as what they bound does in the files (CF, section 7.1): other units there would move them. */
function requireOwnUnits(
  declared: DeclaredCoordinate,
  usual: VirtualArray | SkippedArray | undefined,
  { bounded }: PartTree,
  arrays: ReadonlyMap<string, VirtualArray | SkippedArray>,
): void {
  if (usual?.kind !== 'array') return
  const [units, calendar] = ['units', 'calendar'].map((name) => textAttribute(usual.attributes.get(name)))
  const own = units === undefined ? undefined : parseTimeUnits(units, calendar)
  const { times } = declared
  if (own?.unit === times?.unit && own?.start === times?.start && own?.calendar === times?.calendar) return
  for (const path of bounded.keys()) {
    const bounds = arrays.get(path)
    if (bounds?.kind !== 'array' || bounds.attributes.has('units') || bounded.get(path)?.get('units') === undefined)
      continue
    if (bounds.dimensionNames?.includes(declared.name) !== true) continue
    throw malformed(
      `coordinates.${declared.name} has units ${JSON.stringify(declared.units ?? '')}, and ${path}, which has none of its own, counts in ${JSON.stringify(units ?? '')}: declare these, or drop ${path}`,
      { path },
    )
  }
}

function allPaths(checked: readonly OpenPart[]): ReadonlySet<string> {
  return new Set(checked.flatMap(({ tree }) => [...tree.arrays.keys()]))
}

/** Whether a variable is not joined, since it is without the joined dimension or describes what all sources have. */
export function isShared(
  { dimension, isNew, checked }: Pick<Joinable, 'dimension' | 'isNew' | 'checked'>,
  path: string,
  { dimensionNames }: VirtualArray,
): boolean {
  if (isNew) return splitPath(path).name !== dimension && isCoordinate(checked, path)
  return dimensionNames?.includes(dimension) !== true
}

/** What describes a grid and not its data, so that a new dimension doesn't make copies of it (as xarray's `coords="minimal"`). */
function isCoordinate(checked: readonly OpenPart[], path: string): boolean {
  return checked.some(({ tree }) => {
    const array = tree.arrays.get(path)
    if (array?.kind !== 'array') return false
    const { parent, name } = splitPath(path)
    if (array.dimensionNames?.includes(name) === true) return true
    return [...tree.arrays].some(([other, user]) => {
      if (user.kind !== 'array' || splitPath(other).parent !== parent) return false
      return NAMING.some((key) => wordsOf(user.attributes, key).includes(name))
    })
  })
}

/** Attributes by which data name what describes their grid. */
const NAMING = ['coordinates', 'bounds', 'grid_mapping', 'climatology']

function wordsOf(attributes: Attributes, key: string): readonly string[] {
  const value = attributes.get(key)
  return typeof value === 'string' ? value.split(/[\s:]+/) : []
}

function joinedVariable(join: Joinable, path: string, found: readonly [Found, ...Found[]]): VirtualArray {
  const [{ array: first, tree: firstTree }] = found
  const { dimension, isNew, parts, alignment, warn } = join
  const axis = Math.max(first.dimensionNames?.indexOf(dimension) ?? 0, 0)
  const lacking = join.checked.filter(({ tree }) => !tree.arrays.has(path)).map(({ tree }) => tree.url)
  const isPadded = alignedAxes(alignment, path, first).some((coordinate) => coordinate !== undefined)
  const hasGaps = join.mayLackSources || lacking.length > 0 || isPadded
  const isWhole = join.checked.length === parts.cuts.count
  const meaning = commonMeaning(path, found, { hasGaps, isWhole })
  const text = meaningText(first, meaning)
  if (text !== undefined) warn({ code: 'join-reexpressed', message: `${path} ${text}`, path })
  if (lacking.length > 0) {
    const message = `${lacking.slice(0, 3).join(', ')}${lacking.length > 3 ? ` and ${lacking.length - 3} more` : ''} have no ${path}: it reads as missing there`
    warn({ code: 'join-variable-missing', message, path })
  }
  const fillValue = fillOf(first, meaning, hasGaps)
  const pattern: Pattern = {
    path,
    dimension,
    axis,
    isNew,
    first,
    firstUrl: firstTree.url,
    fillValue,
    meaning,
    alignment,
  }
  if (isPadded) requirePadding(pattern)
  const fitted = fitter(pattern, parts)
  for (const [place, part] of join.checked.entries()) fitted(part, join.positions[place] ?? 0)
  const joining: Joining = {
    like: likeOf(pattern, found, parts.cuts.total),
    axis,
    fitted,
    requireMissing: (position) => requireMissing(pattern, position),
  }
  return join.coordinateOf?.(path, joining, parts) ?? joinedArray(joining, parts)
}

/** What unwritten chunks read as: as the first has it, but what a source lacks must read as missing. */
export function fillOf(first: VirtualArray, meaning: Meaning, hasGaps: boolean): Scalar {
  const { dataType, sentinels, packing } = meaning
  const isOwn = packing === undefined && isSameType(first.dataType, dataType)
  const own = isOwn ? first.fillValue : (sentinels[0] ?? numberScalar(0, dataType))
  if (!hasGaps || isMissingValue(own, meaning)) return own
  return sentinels[0] ?? (dataType.kind === 'float' ? { kind: 'number', value: Number.NaN } : own)
}

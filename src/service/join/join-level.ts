import type { DeliveryWorld } from '../../delivery/delivery.ts'
import { isVirtualZarrError, malformed, overLimit, VirtualZarrError } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { NOT_ALIGNED } from '../../joins/align/alignment.ts'
import { type Cuts, cutsOf, evenCuts } from '../../joins/cuts.ts'
import { contradiction, type DeclaredCoordinate } from '../../joins/declared-coordinate.ts'
import { dimensionLength, foundDimension, isSingleIn } from '../../joins/dimension-lengths.ts'
import type { Along, JoinDocument } from '../../joins/document.ts'
import { isShared, type Joinable, joinTrees } from '../../joins/join-trees.ts'
import { PACKING } from '../../joins/meaning.ts'
import { newCoordinate } from '../../joins/new-coordinate.ts'
import type { OpenPart, Parts } from '../../joins/parts.ts'
import { timesOf } from '../../joins/times-of.ts'
import type { PartTree } from '../../joins/tree.ts'
import type { Diagnostic } from '../../model/virtual-store.ts'
import { alignSources } from './align-sources.ts'
import { type CoordinateMembers, JoinedCoordinates, type MemberVisit, withValuesAtHand } from './joined-coordinates.ts'
import { MAX_PARALLEL_MEMBERS } from './limits.ts'
import { newValues } from './new-values.ts'
import type { OpeningWatch } from './progress.ts'
import { readMember } from './read-whole.ts'
import { SharedValues } from './shared-values.ts'

/** Sources, or rows of them, that are joined along one dimension. */
export interface Level {
  readonly count: number
  readonly along: Along
  readonly check: JoinDocument['check']
  readonly missing: JoinDocument['missing']
  readonly lengths: JoinDocument['lengths']
  readonly align: JoinDocument['align']
  readonly coordinates: JoinDocument['coordinates']
  /** All that the document names under `along`. */
  readonly dimensions: readonly string[]
  open(position: number): Promise<OpenPart>
  /** Opens a source for one task; absent for rows, which are open. */
  readonly members?: LevelMembers | undefined
  /** As the document names it; undefined for a row. */
  urlOf(position: number): string | undefined
  readonly world: DeliveryWorld
  /** Told of headers that are read; rows have none of their own. */
  readonly progress: OpeningWatch | undefined
  warn(diagnostic: Diagnostic): void
}

/** Sources by their positions, as far as their coordinates need them. */
export interface LevelMembers
  extends Pick<CoordinateMembers, 'freshSeconds' | 'isKnown' | 'forget' | 'restore' | 'persist'> {
  visit<T>(position: number, use: (visit: MemberVisit) => Promise<T>): Promise<T>
  isFresh(position: number): Promise<boolean>
  isStillAbsent(position: number): Promise<boolean>
  /** The values that are at hand of one that is open. */
  atHand(position: number): Promise<DeliveryWorld>
}

/** Headers that are read at the same time, and at the most. */
export const HEADERS_AT_ONCE = MAX_PARALLEL_MEMBERS
export const MOST_HEADERS = 20_000

/** Joins one level: reads the headers that are asked for, and leaves the others for when their chunks are. */
export async function joinLevel(level: Level): Promise<PartTree> {
  const { count, along, warn } = level
  if (count === 0) throw malformed('a join of no sources: its list, template or glob names none')
  const open = (position: number) => openOrMissing(level, position)
  const ends = await Promise.all([firstPresent(level, open), level.check === 'none' ? undefined : open(count - 1)])
  const [[first, at], last] = ends
  const dimension = along.kind === 'unsaid' ? foundDimension(first.tree, (last ?? first).tree) : along.name
  const isNew = along.kind === 'new' || (along.kind === 'existing' && isSingleIn(first.tree, along.name))
  const isAligned = level.align === 'outer'
  const mustReadAll =
    isAligned || level.check === 'all' || (!isNew && level.lengths === undefined) || readsAttributes(along)
  const early = isAligned
    ? undefined
    : new SharedValues(first, sharedIn(first, dimension, isNew), level.world, noWarning)
  const read = mustReadAll
    ? await readAll(level, dimension, open, early)
    : new Map([[at, first], ...(last === undefined ? [] : [[count - 1, last] as const])])
  const cuts = isNew ? evenCuts(count, 1) : lengthsOf(level, dimension, read)
  const checked = [...read].flatMap(([position, part]) => (part === undefined ? [] : [{ position, part }]))
  const others = checked.filter(({ position }) => position !== at)
  let shared: SharedValues | undefined
  const parts: Parts = {
    cuts,
    async open(position) {
      const part = await open(position)
      if (part !== undefined) await shared?.compare(part)
      if (part !== undefined) await check(part, position)
      return part
    },
  }
  const declared = declaredOf(level, dimension)
  const check = declaredCheck(level, declared, cuts)
  const sources = { dimension, isNew, checked: [first, ...others.map(({ part }) => part)] } as const
  const alignment = isAligned ? await alignSources({ ...sources, world: level.world }) : NOT_ALIGNED
  const values = along.kind === 'new' ? newValues(along.values, level, read) : undefined
  // What is aligned knows its sources by the trees that were read.
  const coordinates = isAligned
    ? undefined
    : coordinatesOf(level, cuts, (visit) => shared?.compare(visit.part, visit.world))
  const joinable: Joinable = {
    ...sources,
    coordinateOf: (path, joining, own) =>
      path === declared?.name ? undefined : coordinates?.joined(path, joining, own),
    alignment,
    positions: [at, ...others.map(({ position }) => position)],
    parts,
    mayLackSources: level.missing === 'fill',
    coordinate: values === undefined ? undefined : newCoordinate(dimension, values),
    declared,
    warn,
  }
  const joined = joinTrees(joinable)
  shared = new SharedValues(first, joined.shared, level.world, warn, early)
  const comparing = shared
  await inParallel(others, HEADERS_AT_ONCE, ({ part }) => comparing.compare(part))
  if (mustReadAll) await coordinates?.take(checked, level.world)
  for (const { part, position } of checked) await check(part, position)
  return joined.tree
}

/** What the document declares of the dimension; what it declares of others is refused. */
function declaredOf({ coordinates, along, dimensions }: Level, dimension: string): DeclaredCoordinate | undefined {
  const other = [...coordinates.keys()].find((name) => name !== dimension && !dimensions.includes(name))
  if (other !== undefined)
    throw malformed(`coordinates has ${JSON.stringify(other)}, and the join is along ${dimension}`)
  const declared = coordinates.get(dimension)
  if (declared !== undefined && along.kind === 'new' && along.values.kind !== 'count')
    throw malformed(`along and coordinates both say the values of ${dimension}`)
  return declared
}

/** Contradictions that are told. */
const MAX_CONTRADICTIONS = 10

/** Tells where a member that is open has another first value than the document declares, as far as that is at hand. */
function declaredCheck(
  { members, warn }: Level,
  declared: DeclaredCoordinate | undefined,
  cuts: Cuts,
): (part: OpenPart, position: number) => Promise<void> {
  const checked = new Set<number>()
  let told = 0
  return async (part, position) => {
    if (declared === undefined || members === undefined || checked.has(position) || told >= MAX_CONTRADICTIONS) return
    checked.add(position)
    const { tree } = part
    const array = tree.arrays.get(declared.name)
    const isPacked = array?.kind === 'array' && PACKING.some((name) => array.attributes.has(name))
    if (array?.kind !== 'array' || array.shape.length > 1 || isPacked) return
    try {
      const values = await readMember(part, array, await members.atHand(position))
      const own = { values, dataType: array.dataType, times: timesOf(tree, declared.name)?.parsed }
      const found = contradiction(declared, cuts.startOf(position), own)
      if (found === undefined) return
      told++
      warn({ code: 'join-coordinate-differs', message: `${tree.url}: ${found}`, path: declared.name })
    } catch (error) {
      // It was not read with the header: whoever asks for it hears what is wrong.
      if (!isVirtualZarrError(error)) throw error
    }
  }
}

function coordinatesOf(
  { members, count, check, missing, progress, urlOf }: Level,
  cuts: Cuts,
  compare: (visit: MemberVisit) => Promise<void> | undefined,
): JoinedCoordinates | undefined {
  if (members === undefined || cuts.count !== count) return undefined
  const { freshSeconds, isKnown, visit, forget, persist } = members
  const absent = new Set<number>()
  return new JoinedCoordinates(
    {
      count,
      freshSeconds,
      isTrusted: check === 'none',
      progress,
      urlOf,
      isKnown,
      persist,
      forget(position) {
        absent.delete(position)
        forget(position)
      },
      async restore() {
        const persisted = await members.restore()
        if (persisted === undefined) return undefined
        for (let position = 0; position < count; position++) {
          const isEmpty = cuts.startOf(position + 1) === cuts.startOf(position)
          if (!isKnown(position) && !isEmpty) absent.add(position)
        }
        return missing === 'fill' || absent.size === 0 ? persisted : undefined
      },
      async visit(position, use) {
        try {
          return await visit(position, use)
        } catch (error) {
          if (missing !== 'fill' || !isVirtualZarrError(error, 'source-not-found')) throw error
          absent.add(position)
          return undefined
        }
      },
      isFresh: (position) => (absent.has(position) ? members.isStillAbsent(position) : members.isFresh(position)),
    },
    async (visit) => await compare(visit),
  )
}

/** Variables of a source that all sources should have alike. */
function sharedIn(first: OpenPart, dimension: string, isNew: boolean): readonly string[] {
  const isAlike = (path: string) => {
    const array = first.tree.arrays.get(path)
    return array?.kind === 'array' && isShared({ dimension, isNew, checked: [first] }, path, array)
  }
  return [...first.tree.arrays.keys()].filter(isAlike)
}

function noWarning(): void {
  // The sources that are joined are warned of once, when they are.
}

/** A source that its host has not got is no source, where the document says so. */
export async function openOrMissing(
  level: Pick<Level, 'open' | 'missing'>,
  position: number,
): Promise<OpenPart | undefined> {
  try {
    return await level.open(position)
  } catch (error) {
    if (level.missing === 'fill' && isVirtualZarrError(error, 'source-not-found')) return undefined
    throw error
  }
}

type Open = (position: number) => Promise<OpenPart | undefined>

/** How far the first source that exists is looked for. */
const MOST_ABSENT = 32

async function firstPresent({ count }: Level, open: Open): Promise<readonly [OpenPart, number]> {
  for (let position = 0; position < Math.min(count, MOST_ABSENT); position++) {
    const part = await open(position)
    if (part !== undefined) return [part, position]
  }
  throw new VirtualZarrError(
    'source-not-found',
    `none of the first ${Math.min(count, MOST_ABSENT)} sources of the join exists`,
  )
}

function readsAttributes(along: Along): boolean {
  return along.kind === 'new' && along.values.kind === 'attribute'
}

async function readAll(
  { count, along, progress, members }: Level,
  dimension: string,
  open: Open,
  early: SharedValues | undefined,
): Promise<ReadonlyMap<number, OpenPart | undefined>> {
  if (count > MOST_HEADERS) {
    const why =
      along.kind === 'new'
        ? 'check: first-and-last reads fewer'
        : 'lengths: says how long each is, so that they need not be read'
    throw overLimit(`the headers of ${count} sources would be read, at most ${MOST_HEADERS} are; ${why}`)
  }
  const positions = Array.from({ length: count }, (_none, position) => position)
  progress?.expect(count)
  const parts = await inParallel(positions, HEADERS_AT_ONCE, async (position) => {
    const opened = await open(position)
    const isRead = opened === undefined || members === undefined || early === undefined
    const part = isRead ? opened : await withValuesAtHand(opened, dimension, await members.atHand(position))
    if (part !== undefined) await early?.foresee(part)
    progress?.advance()
    return part
  })
  return new Map(parts.entries())
}

function lengthsOf(
  { count, lengths, urlOf }: Level,
  dimension: string,
  read: ReadonlyMap<number, OpenPart | undefined>,
): Cuts {
  if (typeof lengths === 'number') return evenCuts(count, lengths)
  if (lengths !== undefined) {
    if (lengths.length !== count)
      throw malformed(`lengths has ${lengths.length} members, and the join ${count} sources`)
    return cutsOf(lengths)
  }
  const found = Array.from({ length: count }, (_none, position) => {
    const part = read.get(position)
    if (part !== undefined) return dimensionLength(part.tree, dimension)
    throw malformed(
      `${urlOf(position) ?? `source ${position}`} does not exist, and no lengths say how long it would be along ${dimension}`,
    )
  })
  return cutsOf(found)
}

import { filledElements } from '../../codecs/elements.ts'
import type { DeliveryWorld } from '../../delivery/delivery.ts'
import { isVirtualZarrError, VirtualZarrError } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { type JoinedSpec, type Joining, joinedArray } from '../../joins/joined-array.ts'
import type { OpenPart, Parts } from '../../joins/parts.ts'
import { splitPath } from '../../joins/tree.ts'
import { typeName } from '../../joins/types.ts'
import { composedArray, indexWeight, storedArray } from '../../model/composed-array.ts'
import { itemSize } from '../../model/data-type.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { inlineIndex } from '../../model/plain-indexes.ts'
import type { ArraySpec, Members, StoredArray, VirtualArray } from '../../model/virtual-store.ts'
import { waitFor } from '../../source/http/retry.ts'
import { MAX_PARALLEL_MEMBERS } from './limits.ts'
import type { OpeningWatch } from './progress.ts'
import { readMember } from './read-whole.ts'

/** A member that is open for one task. */
export interface MemberVisit {
  readonly part: OpenPart
  /** Reads it; what was read with its header is not asked for again. */
  readonly world: DeliveryWorld
  /** The same, but throws for what was not read yet. */
  readonly atHand: DeliveryWorld
}

/** The members of a join along one dimension, as their coordinates need them. */
export interface CoordinateMembers {
  readonly count: number
  readonly freshSeconds: number
  /** `check: none`: files that were read once are not asked again whether they changed. */
  readonly isTrusted: boolean
  readonly progress: OpeningWatch | undefined
  /** Opens a member, and forgets it afterwards unless it was open; undefined where it is absent and may be. */
  visit<T>(position: number, use: (visit: MemberVisit) => Promise<T>): Promise<T | undefined>
  /** Whether its origin could be asked for its version without opening it. */
  isKnown(position: number): boolean
  /** Whether a member still is, or still isn't, what it was when it was visited. */
  isFresh(position: number): Promise<boolean>
  /** It turned out to be another before its values were given to anybody. */
  forget(position: number): void
  /** What was persisted of these members by an earlier process. */
  restore(): Promise<readonly PersistedCoordinate[] | undefined>
  persist(coordinates: readonly PersistedCoordinate[]): void
  urlOf(position: number): string | undefined
}

/** The values of one variable along the joined dimension, as far as they were read. */
interface Coordinate {
  readonly path: string
  readonly joining: Joining
  readonly parts: Parts
  readonly itemBytes: number
  bytes: Uint8Array | undefined
  /** Not zero for members whose values are in `bytes`. */
  readonly done: Uint8Array
  left: number
  /** Its values are not among the bytes that are read with a header: they are read when somebody asks for them. */
  isFar: boolean
}

/** All values of a coordinate, under what they are values of. */
export interface PersistedCoordinate {
  readonly key: string
  readonly bytes: Uint8Array
}

/** The coordinate of the joined dimension, and other variables along it that are one chunk. */
const MAX_COORDINATE_BYTES = 64 * 2 ** 20
const MAX_OTHER_BYTES = 2 ** 20
/** Fewer members are open anyway, or cost as much when their chunks are asked for. */
const MIN_MEMBERS = 3

/** Reading the members, for all who wait. */
interface Task {
  readonly promise: Promise<void>
  readonly abandoned: AbortController
  waiting: number
}

/**
 * Values of the variables along the joined dimension (`time`): opening a join includes them. All members are visited once, in one
 * task, as soon as anybody asks for a value; each is opened and read by the same request, and then forgotten. A task whose waiters
 * have all left stops, and the next one goes on where it was.
 */
export class JoinedCoordinates {
  readonly #members: CoordinateMembers
  readonly #compare: (visit: MemberVisit) => Promise<void>
  readonly #coordinates = new Map<string, Coordinate>()
  #task: Task | undefined
  #checkedAt = Number.POSITIVE_INFINITY
  #asking: Promise<void> | undefined
  #restoring: Promise<void> | undefined
  /** Values come from an earlier process, and no origin was asked yet whether they still hold. */
  #isRestored = false
  #changed: unknown
  /** Some member says nothing of its version, or is made of several files: values are read chunk by chunk then. */
  #isUnsuitable = false

  /** `compare` throws where a member has other values of what all should share. */
  constructor(members: CoordinateMembers, compare: (visit: MemberVisit) => Promise<void>) {
    this.#members = members
    this.#compare = compare
  }

  /** A joined variable whose values are read and kept here; undefined for one that is no coordinate. */
  joined(path: string, joining: Joining, parts: Parts): VirtualArray | undefined {
    const { like } = joining
    const itemBytes = itemSize(like.dataType)
    const { total } = parts.cuts
    if (like.shape.length !== 1 || itemBytes === undefined || total === 0 || parts.cuts.count < MIN_MEMBERS)
      return undefined
    const isIndex = like.dimensionNames?.[0] === splitPath(path).name
    if (total * itemBytes > (isIndex ? MAX_COORDINATE_BYTES : MAX_OTHER_BYTES)) return undefined
    const { count } = parts.cuts
    const done = new Uint8Array(count)
    const coordinate: Coordinate = {
      path,
      joining,
      parts,
      itemBytes,
      bytes: undefined,
      done,
      left: count,
      isFar: false,
    }
    this.#coordinates.set(path, coordinate)
    return this.#arrayOf(coordinate, like)
  }

  /** One member that lies under all of it: the values at hand, or those of the members. */
  #arrayOf(coordinate: Coordinate, like: JoinedSpec): VirtualArray {
    const { joining, parts } = coordinate
    const byMembers = joinedArray(joining, parts)
    let whole: VirtualArray | undefined
    const members: Members = {
      reaching: () => [0],
      boxOf: () => ({ origin: [0], shape: like.shape }),
      open: async (_member, signal) => {
        const bytes = await this.#valuesOf(coordinate, signal)
        if (bytes === undefined) return { array: byMembers }
        whole ??= inlineArray(like, bytes)
        return { array: whole }
      },
      weight: () => indexWeight(byMembers) + (coordinate.bytes?.length ?? 0) + coordinate.done.length,
    }
    return composedArray(like, { kind: 'concat', members, encodings: like.encodings })
  }

  /** Takes the values of members that were read to open the join, as far as they are at hand. */
  async take(
    visits: readonly { readonly part: OpenPart; readonly position: number }[],
    world: DeliveryWorld,
  ): Promise<void> {
    this.#checkedAt = performance.now()
    for (const { part, position } of visits) {
      if (!this.#members.isKnown(position)) return
      for (const coordinate of this.#coordinates.values()) {
        if (!isInline(part, coordinate.path)) continue
        try {
          await this.#readMember(coordinate, position, part, world)
        } catch (error) {
          // It is told to whoever asks for the values.
          if (!isVirtualZarrError(error)) throw error
        }
      }
    }
  }

  /** Undefined where values can't be kept. */
  async #valuesOf(coordinate: Coordinate, signal: AbortSignal | undefined): Promise<Uint8Array | undefined> {
    if (coordinate.left === coordinate.done.length) {
      this.#restoring ??= this.#restore()
      await this.#restoring
    }
    for (;;) {
      while (coordinate.left > 0 && !this.#isUnsuitable) await this.#wait(coordinate, signal)
      if (this.#isUnsuitable) return undefined
      await this.#assertFresh(signal)
      // Of what was restored some may turn out to be the past.
      if (coordinate.left === 0) return coordinate.bytes
    }
  }

  async #restore(): Promise<void> {
    for (const { key, bytes } of (await this.#members.restore()) ?? []) {
      const coordinate = [...this.#coordinates.values()].find((other) => keyOf(other) === key)
      if (coordinate === undefined || bytes.length !== coordinate.parts.cuts.total * coordinate.itemBytes) continue
      // What this process read itself is newer.
      if (coordinate.left < coordinate.done.length) continue
      coordinate.bytes = bytes
      coordinate.done.fill(1)
      coordinate.left = 0
      this.#isRestored = true
      this.#checkedAt = Number.NEGATIVE_INFINITY
    }
  }

  #persist(): void {
    const whole = [...this.#coordinates.values()].flatMap((coordinate) =>
      coordinate.left === 0 && coordinate.bytes !== undefined
        ? [{ key: keyOf(coordinate), bytes: coordinate.bytes }]
        : [],
    )
    if (whole.length > 0) this.#members.persist(whole)
  }

  async #wait(coordinate: Coordinate, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    // One that was given up has to end first: who comes now would be given up with it.
    while (this.#task?.abandoned.signal.aborted === true) await this.#task.promise.catch(() => undefined)
    const task = this.#task ?? this.#begin(coordinate)
    task.waiting++
    try {
      await waitFor(task.promise, signal)
    } finally {
      task.waiting--
      if (task.waiting === 0) task.abandoned.abort()
    }
  }

  #begin(coordinate: Coordinate): Task {
    const abandoned = new AbortController()
    const promise = this.#readAll(coordinate, abandoned.signal).finally(() => {
      if (this.#task === task) this.#task = undefined
    })
    const task: Task = { promise, abandoned, waiting: 0 }
    // Whoever waits hears of it; nobody may.
    promise.catch(() => undefined)
    this.#task = task
    return task
  }

  async #readAll(coordinate: Coordinate, signal: AbortSignal): Promise<void> {
    const { count, progress } = this.#members
    const positions = Array.from({ length: count }, (_none, position) => position).filter(
      (position) => coordinate.done[position] === 0,
    )
    progress?.expect(positions.length)
    try {
      // What was read first is the oldest.
      this.#checkedAt = Math.min(this.#checkedAt, performance.now())
      await inParallel(positions, MAX_PARALLEL_MEMBERS, async (position) => {
        // Members that are being read are finished: the next task goes on after them.
        if (signal.aborted || this.#isUnsuitable) return
        await this.#visit(coordinate, position)
        progress?.advance()
      })
      signal.throwIfAborted()
      if (!this.#isUnsuitable) this.#persist()
    } finally {
      progress?.done()
    }
  }

  async #visit(wanted: Coordinate, position: number): Promise<void> {
    const { parts } = wanted
    if (parts.cuts.startOf(position + 1) === parts.cuts.startOf(position)) return this.#skip(wanted, position)
    const isThere = await this.#members.visit(position, async (visit) => {
      if (!this.#members.isKnown(position)) {
        this.#isUnsuitable = true
        return true
      }
      await this.#compare(visit)
      await this.#readMember(wanted, position, visit.part, visit.world)
      for (const other of this.#coordinates.values()) {
        if (other !== wanted && !other.isFar) await this.#readAtHand(other, position, visit)
      }
      return true
    })
    if (isThere === undefined)
      for (const coordinate of this.#coordinates.values()) this.#readAbsent(coordinate, position)
  }

  #skip(coordinate: Coordinate, position: number): void {
    if (coordinate.done[position] === 0) this.#put(coordinate, position, new Uint8Array(0))
  }

  /** Others are read by the way where that costs no request. */
  async #readAtHand(coordinate: Coordinate, position: number, { part, atHand }: MemberVisit): Promise<void> {
    try {
      await this.#readMember(coordinate, position, part, atHand)
    } catch (error) {
      if (!isVirtualZarrError(error)) throw error
      coordinate.isFar = true
    }
  }

  async #readMember(coordinate: Coordinate, position: number, part: OpenPart, world: DeliveryWorld): Promise<void> {
    if (coordinate.done[position] !== 0) return
    const array = coordinate.joining.fitted(part, position)
    const bytes = array === undefined ? this.#fillOf(coordinate, position) : await readMember(part, array, world)
    this.#put(coordinate, position, bytes)
  }

  #readAbsent(coordinate: Coordinate, position: number): void {
    if (coordinate.done[position] !== 0) return
    coordinate.joining.requireMissing(position)
    this.#put(coordinate, position, this.#fillOf(coordinate, position))
  }

  #fillOf({ joining: { like }, parts: { cuts } }: Coordinate, position: number): Uint8Array {
    const length = cuts.startOf(position + 1) - cuts.startOf(position)
    const filled = filledElements({ shape: [length], dataType: like.dataType }, like.fillValue)
    return filled.kind === 'fixed' ? filled.bytes : new Uint8Array(0)
  }

  #put(coordinate: Coordinate, position: number, values: Uint8Array): void {
    if (coordinate.done[position] !== 0) return
    const { parts, itemBytes } = coordinate
    coordinate.bytes ??= new Uint8Array(parts.cuts.total * itemBytes)
    coordinate.bytes.set(values, parts.cuts.startOf(position) * itemBytes)
    coordinate.done[position] = 1
    coordinate.left--
  }

  /** Throws `source-changed` once a member is known to be another; each is asked again when its last answer is old. */
  async #assertFresh(signal: AbortSignal | undefined): Promise<void> {
    if (this.#changed !== undefined) throw this.#changed
    const { isTrusted, freshSeconds } = this.#members
    if (isTrusted || performance.now() - this.#checkedAt < freshSeconds * 1000) return
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    await waitFor(this.#asking, signal)
  }

  async #ask(): Promise<void> {
    const { count, isFresh, urlOf } = this.#members
    const askedAt = performance.now()
    await inParallel(Array.from({ length: count }).keys(), MAX_PARALLEL_MEMBERS, async (position) => {
      if (await isFresh(position)) return
      if (this.#isRestored) {
        this.#forget(position)
        return
      }
      const message = `${urlOf(position) ?? `source ${position + 1}`} has changed since this join was opened; its zarr.json opens the new version`
      this.#changed = new VirtualZarrError('source-changed', message)
      throw this.#changed
    })
    this.#checkedAt = askedAt
    this.#isRestored = false
  }

  /** Its values are read again. */
  #forget(position: number): void {
    this.#members.forget(position)
    for (const coordinate of this.#coordinates.values()) {
      if (coordinate.done[position] === 0) continue
      coordinate.done[position] = 0
      coordinate.left++
    }
  }
}

function keyOf({ path, joining, parts }: Coordinate): string {
  return `${path} ${typeName(joining.like.dataType)} ${parts.cuts.total}`
}

/** An array whose values are at hand, all of them in one chunk. */
function inlineArray(like: ArraySpec, bytes: Uint8Array): StoredArray {
  const chunkShape = like.shape.map((length) => Math.max(1, length))
  const chunks = inlineIndex(like.shape, chunkShape, bytes)
  const spec = { ...like, chunkShape, maskedBy: undefined }
  return storedArray(spec, { encodings: [rawEncoding('little')], edges: 'padded', chunks })
}

/** Whether a variable of a member was made one of values at hand. */
function isInline({ tree }: OpenPart, path: string): boolean {
  const array = tree.arrays.get(path)
  return array?.kind === 'array' && INLINE.has(array)
}

const INLINE = new WeakSet<VirtualArray>()

/** Variables along the joined dimension that are this long or shorter are read with the header. */
const MAX_MEMBER_BYTES = 2 ** 16

/** A member with the values of its variables along the joined dimension, as far as they were read with its header. */
export async function withValuesAtHand(part: OpenPart, dimension: string, atHand: DeliveryWorld): Promise<OpenPart> {
  const arrays = new Map(part.tree.arrays)
  for (const [path, array] of arrays) {
    if (array.kind !== 'array' || !isAlong(array, path, dimension)) continue
    try {
      const inline = inlineArray(array, await readMember(part, array, atHand))
      INLINE.add(inline)
      arrays.set(path, inline)
    } catch (error) {
      if (!isVirtualZarrError(error)) throw error
    }
  }
  return { ...part, tree: { ...part.tree, arrays } }
}

function isAlong({ shape, dimensionNames, dataType }: VirtualArray, path: string, dimension: string): boolean {
  const bytes = (itemSize(dataType) ?? Number.POSITIVE_INFINITY) * (shape[0] ?? 1)
  const isSingle = shape.length === 0 && splitPath(path).name === dimension
  return bytes <= MAX_MEMBER_BYTES && (isSingle || (shape.length === 1 && dimensionNames?.[0] === dimension))
}

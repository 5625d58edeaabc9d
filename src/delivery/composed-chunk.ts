import { copyBox } from '../codecs/elements.ts'
import { type Coding, insideOf, storedShapeOf } from '../compose/coding.ts'
import { peakBytesOf } from '../compose/cost.ts'
import { HELD_FOR_DECODED } from '../compose/limits.ts'
import { planChunk } from '../compose/plan-region.ts'
import type { ComputedRegionChunk, Planning, RegionChunk } from '../compose/planning.ts'
import {
  type ChunkLayer,
  chunkLayers,
  isEmpty,
  isOfChunksAlone,
  oneChunk,
  type Program,
  withChunks,
} from '../compose/program.ts'
import { isVirtualZarrError } from '../errors.ts'
import { inParallel, READS_AT_ONCE } from '../in-parallel.ts'
import { itemSize } from '../model/data-type.ts'
import { elementCount } from '../model/shape.ts'
import { bytesOfStored, type ChunkBytes, readChunks, type StoredLayer } from './chunk-bytes.ts'
import { computedAnswer } from './computed-answer.ts'
import type { ChunkRequest, ComposeTask, Delivered, DeliveryWorld, RecodeTask } from './delivery.ts'
import { foresee } from './foresee.ts'
import { HELD_FOR_TEXT } from './limits.ts'
import { memberWorld } from './member-world.ts'
import { storedLength } from './stored.ts'

/** One chunk of an array that isn't stored in such chunks, and what of a request decides how it is kept. */
interface ComposedChunk extends Pick<ChunkRequest, 'array' | 'coords' | 'versions' | 'hasObjects'> {
  readonly program: Program<RegionChunk>
}

/** Answers with a chunk that is composed of others. */
export async function deliverComposed(request: ChunkRequest, world: DeliveryWorld): Promise<Delivered> {
  const { array, plan, coords, signal, cacheKey } = request
  const program = await planChunk(array, coords, planningOf(world, signal))
  if (isEmpty(program)) return { kind: 'missing' }
  if (request.headOnly === true)
    for (const { chunk } of chunkLayers(program))
      if (chunk.kind === 'stored') await foresee(chunk.ref, await memberWorld(world, chunk.file), signal)
  const chunk = { ...request, program }
  const target = world.codings.target(array, plan)
  const make = () => {
    // Coarser levels are made of the elements as they are, whoever asked for them first.
    if (array.operation?.kind !== 'coarsen') return kept(chunk, target, cacheKey, world, signal)
    return isPlain(plan.codecs) ? elementsOf(chunk, world, signal) : encodedElements(chunk, target, world, signal)
  }
  return await computedAnswer(request, world, make, isVersioned(chunk) ? undefined : 'hash')
}

/** What planning takes of the world. */
export function planningOf({ codings }: Pick<DeliveryWorld, 'codings'>, signal: AbortSignal | undefined): Planning {
  return { codings, signal }
}

/** Whether elements go out as they are. */
function isPlain([only, ...others]: ChunkRequest['plan']['codecs']): boolean {
  return only?.name === 'bytes' && only.configuration['endian'] === 'little' && others.length === 0
}

/** Whether the version of the store, and those of its files, name what the chunk is made of. */
function isVersioned({ hasObjects, program }: ComposedChunk): boolean {
  return hasObjects !== true && !readsObjects(program)
}

/** Objects change without the store knowing: what is made of them isn't kept. */
function readsObjects(program: Program<RegionChunk>): boolean {
  return chunkLayers(program).some(({ chunk }) => chunk.kind === 'stored' && chunk.ref.kind === 'object')
}

/** The elements of a chunk, composed once for all who need them, and kept. */
function elementsOf(chunk: ComposedChunk, world: DeliveryWorld, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const plain = world.codings.plain(chunk.array)
  return kept(chunk, plain, keyOf(chunk, plain, world), world, signal)
}

function keyOf(
  { versions = '', coords }: Pick<ComposedChunk, 'versions' | 'coords'>,
  coding: Coding,
  { codings }: DeliveryWorld,
): string {
  return `${codings.nameOf(coding)} ${versions} ${coords.join('.')}`
}

/** The chunk in another encoding, made of its elements, both of which are kept. */
function encodedElements(
  chunk: ComposedChunk,
  target: Coding,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { array } = chunk
  const plain = world.codings.plain(array)
  const make = async (waited?: AbortSignal) => {
    const elements = await elementsOf(chunk, world, waited)
    if (elements.length === 0) return elements
    const task = oneChunkTask({ stored: elements, coding: plain, storedShape: array.chunkShape }, target)
    return await world.room(HELD_FOR_DECODED * plain.decodedBytes, () => world.workers.run(task, waited), waited)
  }
  return keptBytes(chunk, keyOf(chunk, target, world), make, world, signal)
}

/** A task that decodes one chunk, fills it up, and encodes it. */
export function oneChunkTask(chunk: ComposeTask['chunks'][number], target: Coding): ComposeTask {
  return { kind: 'compose', program: oneChunk(0, chunk.storedShape, target), chunks: [chunk], target }
}

function kept(
  chunk: ComposedChunk,
  target: Coding,
  key: string,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return keptBytes(chunk, key, (waited) => composed(chunk, target, world, waited), world, signal)
}

/** Keeps what is made of files for as long as there is room, and what is made of objects that are kept for as long as those are. */
async function keptBytes(
  chunk: ComposedChunk,
  key: string,
  make: (signal?: AbortSignal) => Promise<Uint8Array>,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (isVersioned(chunk)) return await world.recoded(key, make, signal)
  const period = readsObjects(chunk.program) ? undefined : periodOf(world)
  return period === undefined ? await make(signal) : await world.recoded(`${key} ${period}`, make, signal)
}

/** What chunks are made of that are made of objects counts as current for as long as all else that is kept; undefined: not at all. */
function periodOf({ freshSeconds }: DeliveryWorld): number | undefined {
  return freshSeconds > 0 ? Math.floor(performance.now() / 1000 / freshSeconds) : undefined
}

/** Computed ones may each wait for others below them. */
const COMPUTED_AT_ONCE = 2

/** Composes a chunk, and encodes it; no bytes for one that was never written. */
async function composed(
  { array, program, versions, hasObjects }: ComposedChunk,
  target: Coding,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const layers = chunkLayers(program)
  const ready = new Map<ChunkLayer<RegionChunk>, ChunkLayer<ChunkBytes> | undefined>()
  // These take room of their own, before this chunk does: it must not wait for them with its room in hand.
  await inParallel(layers.filter(isComputed), COMPUTED_AT_ONCE, async (layer) => {
    const own = await memberWorld(world, layer.chunk.file)
    ready.set(layer, await computedLayer(layer, { versions, hasObjects }, own, signal))
  })
  // Neighbours in a file become one read when they are asked for together.
  await inParallel(layers.filter(isCut), READS_AT_ONCE, async (layer) => {
    ready.set(layer, await cutLayer(layer, await memberWorld(world, layer.chunk.file), signal))
  })
  const rest = layers.filter((layer): layer is StoredLayer => !ready.has(layer))
  const finish = async () => {
    const read = await readChunks(rest, world, signal)
    const all = new Map(ready)
    for (const [layer, chunk] of read) all.set(layer, { ...layer, chunk })
    const isWritten = read.size > 0 || [...ready.values()].some((layer) => layer !== undefined)
    // Nothing of it was ever written; a region without chunks may still read as another fill value than the array's.
    if (!isWritten && isOfChunksAlone(program)) return new Uint8Array(0)
    return await world.workers.run(taskOf(program, all, target), signal)
  }
  const finishAgain = async (error: unknown) => {
    // An object that does not decode is read again, once: its host may have sent something else.
    if (!readsObjects(program) || !isVirtualZarrError(error, 'malformed-source')) throw error
    return await finish()
  }
  return await world.room(peakBytesOf(array), () => finish().catch(finishAgain), signal)
}

function taskOf(
  program: Program<RegionChunk>,
  ready: ReadonlyMap<ChunkLayer<RegionChunk>, ChunkLayer<ChunkBytes> | undefined>,
  target: Coding,
): ComposeTask {
  const chunks: ChunkBytes[] = []
  const numbered = withChunks(program, (layer): ChunkLayer<number> | undefined => {
    const found = ready.get(layer)
    return found === undefined ? undefined : { ...found, chunk: chunks.push(found.chunk) - 1 }
  })
  return { kind: 'compose', program: numbered, chunks, target }
}

type ComputedLayer = ChunkLayer<ComputedRegionChunk>

function isComputed(layer: ChunkLayer<RegionChunk>): layer is ComputedLayer {
  return layer.chunk.kind === 'computed'
}

/** A chunk that is computed before others are made of it; undefined for one that was never written. */
async function computedLayer(
  layer: ComputedLayer,
  request: Pick<ChunkRequest, 'versions' | 'hasObjects'>,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<ChunkLayer<ChunkBytes> | undefined> {
  const { array, coords, stored, coding, storedShape } = layer.chunk
  const elements =
    stored === undefined
      ? await computedElements({ array, coords, ...request }, world, signal)
      : await pointedElements({ ...request, ...stored, coords }, world, signal)
  return elements.length === 0 ? undefined : { ...layer, chunk: { stored: elements, coding, storedShape } }
}

async function computedElements(
  chunk: Omit<ComposedChunk, 'program'>,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const program = await planChunk(chunk.array, chunk.coords, planningOf(world, signal))
  return isEmpty(program) ? new Uint8Array(0) : await elementsOf({ ...chunk, program }, world, signal)
}

/** The elements of a stored chunk whose bytes only point at its content: a worker reads its source again. */
async function pointedElements(
  chunk: Pick<ChunkRequest, 'coords' | 'versions'> & NonNullable<ComputedRegionChunk['stored']>,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { array, coords, ref } = chunk
  const plain = world.codings.plain(array)
  const decodeChunk = async (waited?: AbortSignal) => {
    const stored = await bytesOfStored(ref, chunk, world, waited)
    if (stored === undefined) return new Uint8Array(0)
    const coding = world.codings.stored(array, ref.encoding)
    const place = { storedShape: storedShapeOf(array, coords), inside: insideOf(array, coords) }
    return await runTask(oneChunkTask({ stored, coding, ...place }, plain), ref.source, world, waited)
  }
  // Nobody knows how long texts are before they are read, but as long as what is stored.
  const unknown =
    itemSize(array.dataType) === undefined && ref.kind !== 'object' ? HELD_FOR_TEXT * storedLength(ref) : 0
  const make = (waited?: AbortSignal) => world.room(peakBytesOf(array) + unknown, () => decodeChunk(waited), waited)
  return ref.kind === 'object' ? await make(signal) : await world.recoded(keyOf(chunk, plain, world), make, signal)
}

/** Runs a task, for which the source is read where a codec must read it again. */
export async function runTask(
  task: RecodeTask,
  source: number | undefined,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const readsSource = task.kind === 'compose' && task.chunks.some(({ coding }) => coding.readsSource)
  if (source === undefined || !readsSource) return await world.workers.run(task, signal)
  const file = await world.source(source, signal)
  return await world.workers.run(task, signal, (range) => file.read(range, { signal }))
}

/** Whether a stored chunk has more in its array than what is taken of it: its neighbours need other parts. */
function isCut(layer: ChunkLayer<RegionChunk>): layer is StoredLayer {
  if (layer.chunk.kind === 'computed') return false
  const { ref, array, coords, storedShape } = layer.chunk
  if (ref.kind === 'object' || ref.kind === 'inline') return false
  if (itemSize(array.dataType) === undefined) return false
  const inside = insideOf(array, coords) ?? storedShape
  return layer.extent.some((length, axis) => length < (inside[axis] ?? 0))
}

/** A box of a chunk that is decoded once for all who need a part of it at a time. */
async function cutLayer(
  layer: StoredLayer,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<ChunkLayer<ChunkBytes> | undefined> {
  const { array, coords, ref, coding, storedShape, inside } = layer.chunk
  const plain = world.codings.plain(array)
  const decodeChunk = async (waited: AbortSignal) => {
    const stored = await bytesOfStored(ref, layer.chunk, world, waited)
    if (stored === undefined) return new Uint8Array(0)
    return await world.workers.run(oneChunkTask({ stored, coding, storedShape, inside }, plain), waited)
  }
  const make = (waited: AbortSignal) =>
    world.room(HELD_FOR_DECODED * plain.decodedBytes, () => decodeChunk(waited), waited)
  const bytes = await world.decoded(`${world.codings.nameOf(plain)} ${coords.join('.')}`, make, signal)
  if (bytes.length === 0) return undefined
  const { from, extent } = layer
  const size = itemSize(array.dataType) ?? 1
  const origin = extent.map(() => 0)
  const cut = { kind: 'fixed', bytes: new Uint8Array(elementCount(extent) * size) } as const
  copyBox({ kind: 'fixed', bytes }, array.chunkShape, cut, extent, { from, to: origin, extent }, size)
  return { ...layer, from: origin, chunk: { stored: cut.bytes, coding: plain, storedShape: extent } }
}

import * as zarr from 'zarrita'
import type { Json } from '../json/json.ts'
import type { Box } from '../model/virtual-store.ts'
import { compareValues, digestOf, isSame, nearly } from './compare-values.ts'
import { isForetold, type TwoSides } from './foretold.ts'
import type { Found, Wanted } from './readers/reader.ts'
import { ReaderFailure, type ReaderProcess } from './readers/reader-process.ts'
import type { ArrayReport, Difference } from './report.ts'
import { sampledChunks } from './sample.ts'
import { valuesIn } from './zarr-values.ts'

/** An array as its document says it. */
export interface ServedArray extends Wanted {
  /** As Zarr names it. */
  readonly type: string
  /** As it is spelled there; integers that no number holds are bigints. */
  readonly fillValue: unknown
  readonly chunkShape: readonly number[]
  readonly gridShape: readonly number[]
}

/** What comparing the values of one array needs. */
export interface ArrayVerification {
  readonly store: zarr.AsyncReadable
  readonly sample: number
  readonly signal?: AbortSignal | undefined
  /** Told when a chunk is done. */
  step(): void
}

/** Most values of one chunk that are compared: both sides are held. */
const MOST_VALUES = 2 ** 26
const MOST_DIFFERENCES = 20

const UNSTEADY =
  'the reader gives other values each time: those of chunks that were never written, where the file wants none to be read for them'

/** An array of which nothing was compared, and why. */
export function notCompared({ shape, type, gridShape }: ServedArray, why: string): ArrayReport {
  const chunks = { compared: 0, of: countOf(gridShape), unwritten: 0 }
  return { result: 'not-compared', shape, type, why, compared: [], chunks, values: 0, differences: [], digests: {} }
}

/** Compares one array with what the reader finds of it. */
export async function verifyArray(
  array: ServedArray,
  reader: ReaderProcess,
  verification: ArrayVerification,
): Promise<ArrayReport> {
  const wanted: Wanted = { path: array.path, shape: array.shape, attributes: array.attributes }
  const found = await reader.find(wanted)
  if (typeof found === 'string') return notCompared(array, found)
  const described = describedDifferences(array, found)
  const compared = ['shape', ...(found.type === undefined ? [] : ['type']), ...Object.keys(found.sentinels)]
  const before = { ...notCompared(array, ''), compared, differences: described }
  if (described.some(({ what }) => what === 'shape'))
    return { ...before, result: 'differs', why: 'values of another shape can not be compared' }
  const { unexplained, explained, ...values } = await comparedValues(array, { wanted, found }, reader, verification)
  const differences = [...described, ...values.differences]
  const { why: _why, ...rest } = before
  const note = found.only === undefined ? {} : { why: found.only.why }
  const report = { ...rest, ...note, ...values, differences, compared: [...compared, 'values'] }
  if (differences.length === 0) return { ...report, result: 'confirmed' }
  const isFault = described.length === 0 && unexplained === 0 && explained !== undefined
  return isFault ? { ...report, result: 'fault', why: explained.why } : { ...report, result: 'differs' }
}

/** Types of integers that are the same but for what values they can't hold are a difference, too: clients compute with them. */
function describedDifferences({ shape, type, attributes }: ServedArray, found: Found): readonly Difference[] {
  const differences: Difference[] = []
  if (shape.join() !== found.shape.join())
    differences.push({ what: 'shape', served: [...shape], source: [...found.shape] })
  if (found.type !== undefined && typeName(type) !== found.type)
    differences.push({ what: 'type', served: type, source: found.type })
  for (const [name, value] of Object.entries(found.sentinels)) {
    const served = sentinelOf(attributes[name], type)
    // One that the type can't hold is left out, with a diagnostic.
    if (served !== undefined && !isSame(served, rounded(value, type)))
      differences.push({ what: 'sentinel', served: String(served), source: `${name} ${value}` })
  }
  return differences
}

function typeName(type: string): string {
  return type === 'string' ? 'text' : type
}

function rounded(value: number | bigint, type: string): number | bigint {
  if (type === 'float16') return Float16Array.of(Number(value))[0] ?? value
  return type === 'float32' ? Math.fround(Number(value)) : value
}

/** xarray's spelling of `_FillValue` in Zarr v3: floats are base64 of eight little-endian bytes. */
function sentinelOf(value: unknown, type: string): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value !== 'string' || !type.startsWith('float')) return undefined
  const bytes = Buffer.from(value, 'base64')
  return bytes.length === 8 ? bytes.readDoubleLE() : undefined
}

interface ComparedValues extends Pick<ArrayReport, 'chunks' | 'values' | 'differences' | 'digests'> {
  /** Chunks that differ otherwise than by a known fault. */
  readonly unexplained: number
  /** The fault by which others do. */
  readonly explained: Found['fault']
}

interface Sought {
  readonly wanted: Wanted
  readonly found: Found
}

async function comparedValues(
  array: ServedArray,
  { wanted, found }: Sought,
  reader: ReaderProcess,
  { store, sample, signal, step }: ArrayVerification,
): Promise<ComparedValues> {
  const watched = watchedStore(store)
  const opened = await zarr.open(zarr.root(watched).resolve(array.path), { kind: 'array' })
  const differences: Difference[] = []
  const digests: Record<string, string> = {}
  const counts = { chunks: 0, values: 0, unexplained: 0 }
  let explained: Found['fault']
  for (const coords of sampledChunks(array.gridShape, sample)) {
    signal?.throwIfAborted()
    const box = within(boxOfChunk(array, coords), found.only?.shape)
    if (box === undefined) {
      step()
      continue
    }
    if (countOf(box.shape) > MOST_VALUES)
      throw new Error(`a chunk of ${countOf(box.shape)} values is too large to be compared`)
    const served = await valuesIn(opened, box)
    const source = await reader.read(wanted, box)
    const difference = compareValues(served, source, found.computedOf === undefined ? isSame : nearly(found.computedOf))
    if (difference !== undefined) {
      if (compareValues(source, await reader.read(wanted, box)) !== undefined) throw new ReaderFailure(UNSTEADY)
      if (differences.length < MOST_DIFFERENCES) differences.push(placed(difference, coords, box))
      const fault = clientFault(array) ?? found.fault
      if (isExplained(fault, { served, source, box, type: array.type })) explained = fault
      else counts.unexplained++
    }
    digests[coords.join('.')] = digestOf(served)
    counts.chunks++
    counts.values += served.length
    step()
  }
  const chunks = { compared: counts.chunks, of: countOf(array.gridShape), unwritten: watched.absent() }
  return { chunks, values: counts.values, differences, digests, unexplained: counts.unexplained, explained }
}

function isExplained(fault: Found['fault'], sides: TwoSides): boolean {
  return fault !== undefined && (fault.makes === undefined || isForetold(fault.makes, sides))
}

/** Of the client by which served values are read. */
function clientFault({ fillValue }: ServedArray): Found['fault'] {
  if (typeof fillValue !== 'bigint') return undefined
  const makes = { kind: 'rounded-fill', fill: fillValue } as const
  return { why: 'zarrita 0.7 takes fill values of more than 53 bits for floats, as JSON has them', makes }
}

function placed(
  { at, count, served, source }: { at: number; count: number; served: Json; source: Json },
  coords: readonly number[],
  box: Box,
): Difference {
  return { what: 'values', served, source, chunk: [...coords], at: placeOf(at, box), count }
}

function placeOf(position: number, { origin, shape }: Box): number[] {
  const place = new Array<number>(shape.length).fill(0)
  let rest = position
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = shape[axis] ?? 1
    place[axis] = (origin[axis] ?? 0) + (rest % length)
    rest = Math.floor(rest / length)
  }
  return place
}

/** The part of a box that a reader can give; undefined where it gives nothing of it. */
function within({ origin, shape }: Box, only: readonly number[] | undefined): Box | undefined {
  if (only === undefined) return { origin, shape }
  const cut = shape.map((length, axis) => Math.min(length, (only[axis] ?? 0) - (origin[axis] ?? 0)))
  return cut.every((length) => length > 0) ? { origin, shape: cut } : undefined
}

function boxOfChunk({ shape, chunkShape }: ServedArray, coords: readonly number[]): Box {
  const origin = coords.map((index, axis) => index * (chunkShape[axis] ?? 1))
  return {
    origin,
    shape: origin.map((from, axis) => Math.min(chunkShape[axis] ?? 1, (shape[axis] ?? 0) - from)),
  }
}

/** Counts chunks that were never written: what they read as is the fill value, which is compared by that. */
function watchedStore(store: zarr.AsyncReadable): zarr.AsyncReadable & { absent(): number } {
  let absent = 0
  const watched = (key: string, bytes: Uint8Array | undefined) => {
    if (bytes === undefined && /\/c(?:\/\d+)*$/.test(key)) absent++
    return bytes
  }
  return {
    get: async (key, options) => watched(key, await store.get(key, options)),
    ...(store.getRange === undefined
      ? {}
      : { getRange: async (key, range, options) => watched(key, await store.getRange?.(key, range, options)) }),
    absent: () => absent,
  }
}

function countOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1)
}

import * as zarr from 'zarrita'
import type { Json } from '../json/json.ts'
import type { Box } from '../model/virtual-store.ts'
import { compareValues, digestOf, isNearly, isSame } from './compare-values.ts'
import type { Found, Values, Wanted } from './readers/reader.ts'
import type { ReaderThread } from './readers/reader-thread.ts'
import type { ArrayReport, Difference } from './report.ts'
import { sampledChunks } from './sample.ts'

/** An array as its document says it. */
export interface ServedArray extends Wanted {
  /** As Zarr names it. */
  readonly type: string
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

/** An array of which nothing was compared, and why. */
export function notCompared({ shape, type, gridShape }: ServedArray, why: string): ArrayReport {
  const chunks = { compared: 0, of: countOf(gridShape), unwritten: 0 }
  return { result: 'not-compared', shape, type, why, compared: [], chunks, values: 0, differences: [], digests: {} }
}

/** Compares one array with what the reader finds of it. */
export async function verifyArray(
  array: ServedArray,
  thread: ReaderThread,
  verification: ArrayVerification,
): Promise<ArrayReport> {
  const wanted: Wanted = { path: array.path, shape: array.shape, attributes: array.attributes }
  const found = await thread.find(wanted)
  if (typeof found === 'string') return notCompared(array, found)
  const described = describedDifferences(array, found)
  const compared = ['shape', ...(found.type === undefined ? [] : ['type']), ...Object.keys(found.sentinels)]
  const before = { ...notCompared(array, ''), compared, differences: described }
  if (described.some(({ what }) => what === 'shape'))
    return { ...before, result: 'differs', why: 'values of another shape can not be compared' }
  const values = await comparedValues(
    array,
    { wanted, only: found.only?.shape, isComputed: found.isComputed === true },
    thread,
    verification,
  )
  const differences = [...described, ...values.differences]
  const { why: _why, ...rest } = before
  const note = found.only === undefined ? {} : { why: found.only.why }
  const report = { ...rest, ...note, ...values, differences, compared: [...compared, 'values'] }
  if (differences.length === 0) return { ...report, result: 'confirmed' }
  return found.fault === undefined ? { ...report, result: 'differs' } : { ...report, result: 'fault', why: found.fault }
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
  return type === 'float32' ? Math.fround(Number(value)) : value
}

/** xarray's spelling of `_FillValue` in Zarr v3: floats are base64 of eight little-endian bytes. */
function sentinelOf(value: unknown, type: string): number | bigint | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !type.startsWith('float')) return undefined
  const bytes = Buffer.from(value, 'base64')
  return bytes.length === 8 ? bytes.readDoubleLE() : undefined
}

type ComparedValues = Pick<ArrayReport, 'chunks' | 'values' | 'differences' | 'digests'>

interface SoughtValues {
  readonly wanted: Wanted
  readonly only: readonly number[] | undefined
  readonly isComputed: boolean
}

async function comparedValues(
  array: ServedArray,
  { wanted, only, isComputed }: SoughtValues,
  thread: ReaderThread,
  { store, sample, signal, step }: ArrayVerification,
): Promise<ComparedValues> {
  const watched = watchedStore(store)
  const opened = await zarr.open(zarr.root(watched).resolve(array.path), { kind: 'array' })
  const differences: Difference[] = []
  const digests: Record<string, string> = {}
  const counts = { chunks: 0, values: 0 }
  for (const coords of sampledChunks(array.gridShape, sample)) {
    signal?.throwIfAborted()
    const box = within(boxOfChunk(array, coords), only)
    if (box === undefined) {
      step()
      continue
    }
    if (countOf(box.shape) > MOST_VALUES)
      throw new Error(`a chunk of ${countOf(box.shape)} values is too large to be compared`)
    const served = await servedValues(opened, box)
    const source = await thread.read(wanted, box)
    const difference = compareValues(served, source, isComputed ? isNearly : isSame)
    if (difference !== undefined && differences.length < MOST_DIFFERENCES)
      differences.push(placed(difference, coords, box))
    digests[coords.join('.')] = digestOf(served)
    counts.chunks++
    counts.values += served.length
    step()
  }
  const chunks = { compared: counts.chunks, of: countOf(array.gridShape), unwritten: watched.absent() }
  return { chunks, values: counts.values, differences, digests }
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

async function servedValues(array: zarr.Array<zarr.DataType, zarr.Readable>, { origin, shape }: Box): Promise<Values> {
  const slices = origin.map((from, axis) => zarr.slice(from, from + (shape[axis] ?? 0)))
  const result: unknown = await zarr.get(array, slices)
  if (typeof result === 'object' && result !== null && 'data' in result) return listed(result.data)
  return [result as number]
}

/** zarrita's own containers of bits and texts are iterable, and not indexed. */
function listed(data: unknown): Values {
  if (ArrayBuffer.isView(data)) return data as unknown as Values
  return Array.from(data as Iterable<boolean>)
}

/** Counts chunks that were never written: what they read as is the fill value, which is compared by that. */
function watchedStore(store: zarr.AsyncReadable): zarr.AsyncReadable & { absent(): number } {
  let absent = 0
  return {
    get: async (key, options) => {
      const bytes = await store.get(key, options)
      if (bytes === undefined && /\/c(?:\/\d+)*$/.test(key)) absent++
      return bytes
    },
    absent: () => absent,
  }
}

function countOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1)
}

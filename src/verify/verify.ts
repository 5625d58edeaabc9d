import type * as zarr from 'zarrita'
import { isVirtualZarrError } from '../errors.ts'
import { withVersion } from './readers/package-version.ts'
import { ReaderFailure, type ReaderProcess } from './readers/reader-process.ts'
import { type ArrayReport, totalsOf, type VerifyReport } from './report.ts'
import { sampleCount } from './sample.ts'
import { notCompared, type ServedArray, verifyArray } from './verify-array.ts'

/** A store as it is served, and what it is made of. */
export interface Verification {
  /** The store, over the routes that every client uses. */
  readonly store: zarr.AsyncReadable
  /** Without what may be secret. */
  readonly source: string
  readonly format: string
  readonly version: string
  /** Opens the source with the reader for its format; or says why there is none. */
  openReader(): Promise<OpenedReader | string>
  /** Part of the chunks, more than 0 and at most 1. */
  readonly sample: number
  readonly signal?: AbortSignal | undefined
  /** Told of chunks that are done, and of all. */
  progress?(done: number, of: number): void
}

/** A reader that has opened the source. */
export interface OpenedReader {
  readonly reader: ReaderProcess
  readonly name: string
}

/** How often a reader that has ended is started anew. */
const MOST_OPENINGS = 10

/** Compares what is served with what an independent reader finds in the source. */
export async function verifySource(verification: Verification): Promise<VerifyReport> {
  const { store, source, format, version, sample } = verification
  const served = await servedArrays(store)
  let opened = await verification.openReader()
  const reader = typeof opened === 'string' ? null : opened.name
  let openings = 1
  const arrays: Record<string, ArrayReport> = {}
  const of = served.reduce((sum, { gridShape }) => sum + sampleCount(gridShape, sample), 0)
  let done = 0
  for (const array of served) {
    verification.signal?.throwIfAborted()
    const step = () => verification.progress?.(++done, of)
    // One array may be the end of a reader.
    if (typeof opened !== 'string' && opened.reader.isOver && openings++ < MOST_OPENINGS)
      opened = await verification.openReader()
    arrays[array.path] =
      typeof opened === 'string'
        ? notCompared(array, opened)
        : await arrayReport(array, opened.reader, verification, step)
  }
  return {
    virtual_zarr: 'verify/1',
    source,
    format,
    version,
    at: new Date().toISOString(),
    client: withVersion('zarrita'),
    reader,
    sample,
    arrays,
    totals: totalsOf(arrays),
  }
}

async function arrayReport(
  array: ServedArray,
  reader: ReaderProcess,
  { store, sample, signal }: Verification,
  step: () => void,
): Promise<ArrayReport> {
  try {
    return await verifyArray(array, reader, { store, sample, signal, step })
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof ReaderFailure) return notCompared(array, error.message)
    // A chunk that is refused is no wrong value; it is told, and the others are compared.
    if (isVirtualZarrError(error)) return notCompared(array, `${error.code}: ${error.message}`)
    return notCompared(array, error instanceof Error ? error.message : String(error))
  }
}

/** The arrays of a store by its own documents. */
async function servedArrays(store: zarr.AsyncReadable): Promise<readonly ServedArray[]> {
  const bytes = await store.get('/zarr.json')
  if (bytes === undefined) throw new Error('the store has no zarr.json')
  const root = JSON.parse(new TextDecoder().decode(bytes), withLongIntegers) as NodeDocument
  if (root.node_type === 'array') return [servedArray('', root)]
  return Object.entries(root.consolidated_metadata?.metadata ?? {})
    .filter(([, { node_type }]) => node_type === 'array')
    .map(([path, document]) => servedArray(path, document))
}

/** Integers that a number does not hold, as they are spelled. */
function withLongIntegers(_name: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
}

interface NodeDocument {
  readonly node_type: 'array' | 'group'
  readonly shape?: readonly number[]
  readonly data_type?: unknown
  readonly fill_value?: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly chunk_grid?: { readonly configuration: { readonly chunk_shape: readonly number[] } }
  readonly consolidated_metadata?: { readonly metadata: Readonly<Record<string, NodeDocument>> }
}

function servedArray(path: string, document: NodeDocument): ServedArray {
  const { shape = [], attributes = {}, data_type: type, chunk_grid: grid, fill_value: fillValue } = document
  const chunkShape = grid?.configuration.chunk_shape ?? shape
  return {
    path,
    shape,
    attributes,
    fillValue,
    type: typeof type === 'string' ? type : JSON.stringify(type),
    chunkShape,
    gridShape: shape.map((length, axis) => Math.ceil(length / (chunkShape[axis] ?? 1))),
  }
}

import type * as zarr from 'zarrita'
import { isVirtualZarrError } from '../errors.ts'
import { withVersion } from './readers/package-version.ts'
import { ReaderFailure, type ReaderThread } from './readers/reader-thread.ts'
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
  openReader(): Promise<{ readonly thread: ReaderThread; readonly name: string } | string>
  /** Part of the chunks, more than 0 and at most 1. */
  readonly sample: number
  readonly signal?: AbortSignal | undefined
  /** Told of chunks that are done, and of all. */
  progress?(done: number, of: number): void
}

/** Compares what is served with what an independent reader finds in the source. */
export async function verifySource(verification: Verification): Promise<VerifyReport> {
  const { store, source, format, version, sample } = verification
  const served = await servedArrays(store)
  const opened = await verification.openReader()
  const arrays: Record<string, ArrayReport> = {}
  const of = served.reduce((sum, { gridShape }) => sum + sampleCount(gridShape, sample), 0)
  let done = 0
  try {
    for (const array of served) {
      verification.signal?.throwIfAborted()
      const step = () => verification.progress?.(++done, of)
      arrays[array.path] =
        typeof opened === 'string'
          ? notCompared(array, opened)
          : await arrayReport(array, opened.thread, verification, step)
    }
  } finally {
    if (typeof opened !== 'string') await opened.thread.close()
  }
  return {
    virtual_zarr: 'verify/1',
    source,
    format,
    version,
    at: new Date().toISOString(),
    client: withVersion('zarrita'),
    reader: typeof opened === 'string' ? null : opened.name,
    sample,
    arrays,
    totals: totalsOf(arrays),
  }
}

async function arrayReport(
  array: ServedArray,
  thread: ReaderThread,
  { store, sample, signal }: Verification,
  step: () => void,
): Promise<ArrayReport> {
  try {
    return await verifyArray(array, thread, { store, sample, signal, step })
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
  const root = JSON.parse(new TextDecoder().decode(bytes)) as NodeDocument
  if (root.node_type === 'array') return [servedArray('', root)]
  return Object.entries(root.consolidated_metadata?.metadata ?? {})
    .filter(([, { node_type }]) => node_type === 'array')
    .map(([path, document]) => servedArray(path, document))
}

interface NodeDocument {
  readonly node_type: 'array' | 'group'
  readonly shape?: readonly number[]
  readonly data_type?: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly chunk_grid?: { readonly configuration: { readonly chunk_shape: readonly number[] } }
  readonly consolidated_metadata?: { readonly metadata: Readonly<Record<string, NodeDocument>> }
}

function servedArray(path: string, document: NodeDocument): ServedArray {
  const { shape = [], attributes = {}, data_type: type, chunk_grid: grid } = document
  const chunkShape = grid?.configuration.chunk_shape ?? shape
  return {
    path,
    shape,
    attributes,
    type: typeof type === 'string' ? type : JSON.stringify(type),
    chunkShape,
    gridShape: shape.map((length, axis) => Math.ceil(length / (chunkShape[axis] ?? 1))),
  }
}

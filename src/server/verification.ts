import type { FastifyInstance } from 'fastify'
import { VirtualZarrError } from '../errors.ts'
import { addressOfUrl, storePathOf } from '../service/store-address.ts'
import type { OptionTexts } from '../service/store-options.ts'
import type { StoreDescription } from '../service/store-service.ts'
import type { Source } from '../source/source.ts'
import { KeptReader, ReaderFailure } from '../verify/readers/reader-process.ts'
import { READERS, WITHOUT_READER } from '../verify/readers/readers.ts'
import type { VerifyReport } from '../verify/report.ts'
import { fileOfParts, type SourceFile } from '../verify/source-file.ts'
import { type OpenedReader, type Verification, verifySource } from '../verify/verify.ts'
import type { Service } from './service.ts'

/** What is verified, and how thoroughly. */
export interface VerificationInput extends Pick<Verification, 'sample' | 'signal' | 'progress'> {
  readonly url: string
  readonly options: OptionTexts
  readonly sources: ReaderSources
  /** The reader of readers, where one is kept for more than this source. */
  readonly kept?: KeptReader | undefined
}

/** How independent readers come to what they read. */
export interface ReaderSources {
  /** A file as one of this machine. */
  file(url: string, source: Source, signal: AbortSignal | undefined): Promise<SourceFile>
  /** What a reader that fetches for itself is given; or why it may not. */
  place(url: string): SourceFile | string
}

/** Verifies a store over the routes of this process: what a client is answered is what is compared. */
export async function verifyStore(
  http: FastifyInstance,
  { stores }: Pick<Service, 'stores'>,
  { url, options, sources, kept, ...given }: VerificationInput,
): Promise<VerifyReport> {
  const description = await stores.describe(addressOfUrl(url, options))
  const { publicUrl, format, version } = description.parsed
  const threads = kept ?? new KeptReader()
  const end = () => void threads.close()
  given.signal?.addEventListener('abort', end, { once: true })
  let source: SourceFile | string | undefined
  try {
    return await verifySource({
      ...given,
      store: routesStore(http, storePathOf(url, options), given.signal),
      source: publicUrl,
      format,
      version,
      async openReader() {
        source ??= await sourceOf(description, sources, given.signal)
        return typeof source === 'string' ? source : await openedReader(format, source, threads)
      },
    })
  } finally {
    given.signal?.removeEventListener('abort', end)
    if (kept === undefined) await threads.close()
    if (typeof source === 'object') await source.dispose()
  }
}

/** What the reader for a source is given; or why there is none. */
async function sourceOf(
  { parsed, world }: StoreDescription,
  sources: ReaderSources,
  signal: AbortSignal | undefined,
): Promise<SourceFile | string> {
  if (parsed.parts !== undefined) return 'the store is made of many sources: verify each of them'
  const reader = READERS[parsed.format]
  if (reader === undefined) return WITHOUT_READER[parsed.format] ?? `no independent reader of ${parsed.format} is known`
  if (reader.takes === 'place') return sources.place(placeOf(parsed.url))
  if (reader.takes === 'file') return await sources.file(parsed.url, parsed.source, signal)
  // The sidecar itself is the first of its references.
  if (parsed.references.length !== 2) return 'its chunks lie in several files, or in the sidecar alone'
  const described = await world.source(1)
  return await sources.file(described.url, described, signal)
}

/** Of a folder that was asked for by one of its documents. */
function placeOf(url: string): string {
  return url.replace(/\/(?:zarr\.json|\.zmetadata|\.zgroup|\.zarray)$/, '/')
}

async function openedReader(format: string, { path }: SourceFile, threads: KeptReader): Promise<OpenedReader | string> {
  const reader = await threads.take()
  try {
    return { reader, name: await reader.open(format, path) }
  } catch (error) {
    if (!(error instanceof ReaderFailure)) throw error
    return `the independent reader does not open the file: ${error.message}`
  }
}

/** A store for zarrita whose keys are asked for as clients ask, but without a network. */
function routesStore(http: FastifyInstance, path: string, signal: AbortSignal | undefined): Verification['store'] {
  const ask = async (key: string, headers: Readonly<Record<string, string>>) => {
    signal?.throwIfAborted()
    const url = `${path}${key.slice(1).split('/').map(encodeURIComponent).join('/')}`
    const answer = await http.inject({ method: 'GET', url, headers })
    if (answer.statusCode === 200 || answer.statusCode === 206) return new Uint8Array(answer.rawPayload)
    if (answer.statusCode === 404) return undefined
    throw refusal(answer.statusCode, answer.body)
  }
  return {
    get: (key) => ask(key, {}),
    // Of shards a part is asked for.
    getRange: (key, range) =>
      ask(key, {
        range:
          'suffixLength' in range
            ? `bytes=-${range.suffixLength}`
            : `bytes=${range.offset}-${range.offset + range.length - 1}`,
      }),
  }
}

function refusal(status: number, body: string): VirtualZarrError {
  const detail = /"detail":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] ?? ''
  return new VirtualZarrError('source-unavailable', `the service answers ${status}: ${detail}`)
}

const PIECE_BYTES = 2 ** 22

/** The source as the guard lets it be read: for URLs of strangers, and for those that only we know how to read. */
export async function guardedFile(
  source: Pick<Source, 'size' | 'read'>,
  most: number,
  signal: AbortSignal | undefined,
): Promise<SourceFile> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let offset = 0; offset < source.size; offset += PIECE_BYTES) {
      yield await source.read({ offset, length: Math.min(PIECE_BYTES, source.size - offset) }, { signal })
    }
  }
  return await fileOfParts(pieces(), most, signal)
}

import type { FastifyInstance } from 'fastify'
import { VirtualZarrError } from '../errors.ts'
import type { ParsedSource } from '../service/open-source.ts'
import { addressOfUrl, storePathOf } from '../service/store-address.ts'
import type { OptionTexts } from '../service/store-options.ts'
import { ReaderFailure, ReaderThread } from '../verify/readers/reader-thread.ts'
import { READERS } from '../verify/readers/readers.ts'
import type { VerifyReport } from '../verify/report.ts'
import { fileOfParts, type SourceFile } from '../verify/source-file.ts'
import { type Verification, verifySource } from '../verify/verify.ts'
import type { Service } from './service.ts'

/** What is verified, and how thoroughly. */
export interface VerificationInput extends Pick<Verification, 'sample' | 'signal' | 'progress'> {
  readonly url: string
  readonly options: OptionTexts
  /** The source as a file for the independent reader. */
  file(parsed: ParsedSource, signal: AbortSignal | undefined): Promise<SourceFile>
}

/** Verifies a store over the routes of this process: what a client is answered is what is compared. */
export async function verifyStore(
  http: FastifyInstance,
  { stores }: Pick<Service, 'stores'>,
  { url, options, file, ...given }: VerificationInput,
): Promise<VerifyReport> {
  const { parsed } = await stores.describe(addressOfUrl(url, options))
  let opened: SourceFile | undefined
  try {
    return await verifySource({
      ...given,
      store: routesStore(http, storePathOf(url, options), given.signal),
      source: parsed.publicUrl,
      format: parsed.format,
      version: parsed.version,
      async openReader() {
        if (READERS[parsed.format] === undefined) return withoutReader(parsed)
        opened = await file(parsed, given.signal)
        return await openedReader(parsed.format, opened, given.signal)
      },
    })
  } finally {
    await opened?.dispose()
  }
}

async function openedReader(format: string, { path }: SourceFile, signal: AbortSignal | undefined) {
  const thread = new ReaderThread(signal)
  try {
    return { thread, name: await thread.open(format, path) }
  } catch (error) {
    await thread.close()
    if (!(error instanceof ReaderFailure)) throw error
    return `the independent reader does not open the file: ${error.message}`
  }
}

function withoutReader({ format, parts }: ParsedSource): string {
  if (parts !== undefined) return 'the store is made of many sources: verify each of them'
  return `no independent reader of ${format} is on npm`
}

/** A store for zarrita whose keys are asked for as clients ask, but without a network. */
function routesStore(http: FastifyInstance, path: string, signal: AbortSignal | undefined): Verification['store'] {
  return {
    async get(key) {
      signal?.throwIfAborted()
      const answer = await http.inject({
        method: 'GET',
        url: `${path}${key.slice(1).split('/').map(encodeURIComponent).join('/')}`,
      })
      if (answer.statusCode === 200) return new Uint8Array(answer.rawPayload)
      if (answer.statusCode === 404) return undefined
      throw refusal(answer.statusCode, answer.body)
    },
  }
}

function refusal(status: number, body: string): VirtualZarrError {
  const detail = /"detail":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] ?? ''
  return new VirtualZarrError('source-unavailable', `the service answers ${status}: ${detail}`)
}

const PIECE_BYTES = 2 ** 22

/** The source as the guard lets it be read: for URLs of strangers. */
export async function guardedFile(
  { source }: ParsedSource,
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

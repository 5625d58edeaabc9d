import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isVirtualZarrError, malformed, overLimit } from '../errors.ts'
import { collect } from './exact-body.ts'
import { memorySource } from './memory.ts'
import { publicUrl } from './public-url.ts'
import type { Source } from './source.ts'

/** A gzip file inflated whole, as a source of its content; more than `limit` bytes is `limit-exceeded`. */
export async function inflatedSource(source: Source, limit: number, signal?: AbortSignal): Promise<Source> {
  const url = publicUrl(source.url)
  const compressed = await source.stream({ offset: 0, length: source.size }, { signal })
  // `collect` destroys the inflated stream when it is too long, and with it, by the pipeline, the request.
  const inflated = pipeline(compressed, createGunzip(), ignore)
  let bytes: Uint8Array | undefined
  try {
    bytes = await collect(inflated, limit)
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (isVirtualZarrError(error) || !isZlibError(error)) throw error
    throw malformed(`not a whole gzip file: ${error.message}`, { url }, error)
  }
  if (bytes === undefined) throw overLimit(`the file inflates to more than ${limit} bytes`, { url })
  return memorySource(source.url, bytes, source.validator)
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

/** Failures reach `collect`: a pipeline hands the error of its first stream on to its last. */
function ignore(): void {}

import { pipeline } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { isVirtualZarrError, malformed, overLimit } from '../errors.ts'
import { collect } from './exact-body.ts'
import { memorySource } from './memory.ts'
import { publicUrl } from './public-url.ts'
import type { Source } from './source.ts'

/** How a file is compressed as a whole. */
export type FileCoding = 'gzip' | 'zstd'

/** The compression that the first bytes of a file tell of: RFC 1952 section 2.3.1, RFC 8878 section 3.1.1. */
export function codingOfHead(head: Uint8Array): FileCoding | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  return head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd ? 'zstd' : undefined
}

/** A compressed file inflated whole, as a source of its content; more than `limit` bytes is `limit-exceeded`. */
export async function inflatedSource(
  source: Source,
  coding: FileCoding,
  limit: number,
  signal?: AbortSignal,
): Promise<Source> {
  const url = publicUrl(source.url)
  const compressed = await source.stream({ offset: 0, length: source.size }, { signal })
  // `collect` destroys the inflated stream when it is too long, and with it, by the pipeline, the request.
  const inflated = pipeline(compressed, coding === 'gzip' ? createGunzip() : createZstdDecompress(), ignore)
  let bytes: Uint8Array | undefined
  try {
    bytes = await collect(inflated, limit)
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (isVirtualZarrError(error) || !isZlibError(error)) throw error
    throw malformed(`not a whole ${coding} file: ${error.message}`, { url }, error)
  }
  if (bytes === undefined) throw overLimit(`the file inflates to more than ${limit} bytes`, { url })
  return memorySource(source.url, bytes, source.validator)
}

/** The first bytes of a compressed file's content, or all there are: damage further on is not noticed. */
export async function inflatedHead(
  source: Source,
  coding: FileCoding,
  length: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const compressed = await source.stream({ offset: 0, length: source.size }, { signal })
  const inflated = pipeline(compressed, coding === 'gzip' ? createGunzip() : createZstdDecompress(), ignore)
  const parts: Uint8Array[] = []
  let got = 0
  try {
    for await (const part of inflated) {
      parts.push(part)
      got += part.length
      if (got >= length) break
    }
  } catch (error) {
    if (!isZlibError(error)) throw error
  }
  return Buffer.concat(parts).subarray(0, length)
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_)/.test(String(error.code))
}

/** Failures reach `collect`: a pipeline hands the error of its first stream on to its last. */
function ignore(): void {}

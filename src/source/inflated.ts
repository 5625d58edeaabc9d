import type { Feed } from '../bytes/feed.ts'
import { isVirtualZarrError, malformed, overLimit } from '../errors.ts'
import { isTransient } from './http/failures.ts'
import { type FileCoding, inflatedParts, isZlibError } from './inflated-parts.ts'
import { memorySource } from './memory.ts'
import { publicUrl } from './public-url.ts'
import type { Source } from './source.ts'

/** The compression that the first bytes of a file tell of: RFC 1952 section 2.3.1, RFC 8878 section 3.1.1. */
export function codingOfHead(head: Uint8Array): FileCoding | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  return head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd ? 'zstd' : undefined
}

export interface InflateOptions {
  readonly signal?: AbortSignal | undefined
  /** Told of bytes before they are read or kept; it may have to wait. */
  readonly read?: (bytes: number) => Promise<void> | undefined
}

/** A compressed file inflated whole, as a source of its content; more than `limit` bytes is `limit-exceeded`. */
export async function inflatedSource(
  source: Source,
  coding: FileCoding,
  limit: number,
  { signal, read = () => undefined }: InflateOptions = {},
): Promise<Source> {
  const url = publicUrl(source.url)
  await read(source.size)
  const begun = Date.now()
  for (let attempt = 1; ; attempt++) {
    const compressed = await source.feed({ offset: 0, length: source.size }, { signal })
    try {
      const bytes = await inflate(compressed, coding, limit, read)
      if (bytes === undefined) throw overLimit(`the file inflates to more than ${limit} bytes`, { url })
      return memorySource(source.url, bytes, source.validator)
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      // A body that could not be gone on with: nobody has seen its beginning.
      if (isTransient(error) && attempt < ATTEMPTS && Date.now() - begun < RESTART_MS) continue
      if (isVirtualZarrError(error) || !isZlibError(error)) throw error
      throw malformed(`not a whole ${coding} file: ${error.message}`, { url }, error)
    }
  }
}

/** How often a file is read from its start, where its origin has no validator that would let a broken body be gone on with. */
const ATTEMPTS = 3
/** Not after a stall that has been waited for already. */
const RESTART_MS = 10_000

/** The same of a file that was inflated before, and had `size` bytes then: it is read and inflated when somebody reads it. */
export function lazilyInflated(source: Source, size: number): Source {
  const { url, validator } = source
  let inflating: Promise<Source> | undefined
  const inflate = async () => {
    const coding = codingOfHead(await source.read({ offset: 0, length: Math.min(4, source.size) }))
    const content = coding === undefined ? undefined : await inflatedSource(source, coding, size)
    if (content?.size === size) return content
    throw malformed(`the file inflates to ${content?.size ?? 'no'} bytes, expected ${size}`, { url: publicUrl(url) })
  }
  const content = () => {
    // One that failed is tried again by the next reader.
    inflating ??= inflate().catch((error: unknown) => {
      inflating = undefined
      throw error
    })
    return inflating
  }
  return {
    url,
    size,
    validator,
    read: async (range, options) => (await content()).read(range, options),
    feed: async (range, options) => (await content()).feed(range, options),
  }
}

/** The first bytes of a compressed file's content, or all there are: damage further on is not noticed. */
export async function inflatedHead(
  source: Source,
  coding: FileCoding,
  length: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const compressed = await source.feed({ offset: 0, length: source.size }, { signal })
  const parts: Uint8Array[] = []
  let got = 0
  try {
    for await (const part of inflatedParts(compressed, coding)) {
      parts.push(part)
      got += part.length
      if (got >= length) break
    }
  } catch (error) {
    if (!isZlibError(error)) throw error
  }
  return Buffer.concat(parts).subarray(0, length)
}

/** What a feed inflates to; undefined when that is more than `limit`. */
async function inflate(
  compressed: Feed,
  coding: FileCoding,
  limit: number,
  read: NonNullable<InflateOptions['read']>,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of inflatedParts(compressed, coding)) {
    length += part.length
    if (length > limit) return undefined
    await read(part.length)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts, length))
}

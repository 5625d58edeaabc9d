import { isVirtualZarrError } from '../errors.ts'
import { openFileSource } from './file.ts'
import { partOf } from './object-part.ts'
import type { ObjectOptions, SourceObject } from './source.ts'
import { streamOf } from './stream-of.ts'

/** A file as an object; undefined when there is none. */
export async function fileObject(
  url: URL,
  roots: readonly string[],
  { part, headOnly, signal }: ObjectOptions,
): Promise<SourceObject | undefined> {
  try {
    const source = await openFileSource(url, roots)
    const range = headOnly === true ? { offset: 0, length: source.size } : partOf(part, source.size)
    const about = { url: url.href, ...range, size: source.size, validator: source.validator }
    if (headOnly === true) return { ...about, body: streamOf(new Uint8Array(0)) }
    return { ...about, body: await source.stream(range, { signal }) }
  } catch (error) {
    if (isVirtualZarrError(error, 'source-not-found')) return undefined
    throw error
  }
}

import { isVirtualZarrError } from '../errors.ts'
import { codingOfHead, inflatedHead } from '../source/inflated.ts'
import { memorySource } from '../source/memory.ts'
import type { Source } from '../source/source.ts'
import { formatOf } from './format-of.ts'
import { HEAD_BYTES, joinFormatOf } from './join-formats.ts'
import { type FolderWays, openFolder } from './open-folder.ts'

/** What a source is by its first bytes, for a listing; whether all of it can be read shows when it is opened. */
export interface Recognised {
  readonly format: string
  readonly size: number
}

/** The format of a source, without parsing it; undefined where there is none, or nothing may be read. */
export async function recognise(url: string, world: FolderWays, signal: AbortSignal): Promise<Recognised | undefined> {
  try {
    const source = await openFolder(url, world, signal)
    const start = await startOf(source, signal)
    const joined = await joinFormatOf(start, undefined, signal)
    if (joined !== undefined) return { format: joined, size: source.size }
    const format = await formatOf(start, undefined, signal, world.formats)
    if ((await format.isLikely?.(start, { signal })) === false) return undefined
    return { format: format.name, size: source.size }
  } catch (error) {
    if (isVirtualZarrError(error)) return undefined
    throw error
  }
}

/** The source, or the first bytes of one that is compressed as a whole. */
async function startOf(source: Source, signal: AbortSignal): Promise<Source> {
  const coding = codingOfHead(await source.read({ offset: 0, length: Math.min(4, source.size) }, { signal }))
  if (coding === undefined) return source
  return memorySource(source.url, await inflatedHead(source, coding, HEAD_BYTES, signal))
}

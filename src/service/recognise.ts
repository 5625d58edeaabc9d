import { isVirtualZarrError } from '../errors.ts'
import { codingOfHead, inflatedHead } from '../source/inflated.ts'
import { memorySource } from '../source/memory.ts'
import type { Source, Sources } from '../source/source.ts'
import { openFolder } from './open-folder.ts'
import { formatOf, HEAD_BYTES } from './open-source.ts'

/** What a source is by its first bytes, for a listing; whether all of it can be read shows when it is opened. */
export interface Recognised {
  readonly format: string
  readonly size: number
}

/** The format of a source, without parsing it; undefined where there is none, or nothing may be read. */
export async function recognise(url: string, sources: Sources, signal: AbortSignal): Promise<Recognised | undefined> {
  try {
    const source = await openFolder(url, sources, signal)
    const start = await startOf(source, signal)
    const { name } = await formatOf(start, undefined, signal)
    if (name === 'zarr' && !(await mayHoldZarr(start, signal))) return undefined
    return { format: name, size: source.size }
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

/** Any zip archive passes for Zarr by its first bytes; names of members stand at both ends of one. */
async function mayHoldZarr(source: Source, signal: AbortSignal): Promise<boolean> {
  const length = Math.min(source.size, 16 * HEAD_BYTES)
  const head = await source.read({ offset: 0, length: Math.min(source.size, HEAD_BYTES) }, { signal })
  if (head[0] !== 0x50 || head[1] !== 0x4b) return true
  const tail = await source.read({ offset: source.size - length, length }, { signal })
  return /zarr\.json|\.z(?:metadata|group|array)/.test(Buffer.concat([head, tail]).toString('latin1'))
}

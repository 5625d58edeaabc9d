import { LRUCache } from 'lru-cache'
import { Codings } from '../delivery/coding.ts'
import type { DeliveryWorld, RecodeWorkers } from '../delivery/delivery.ts'
import { isVirtualZarrError, malformed } from '../errors.ts'
import { lazily } from '../lazily.ts'
import type { Source, Sources } from '../source/source.ts'
import { withGatheredReads } from '../source/with-gathered-reads.ts'
import { MadeBytes } from './made-bytes.ts'
import type { ParsedSource } from './open-source.ts'
import { isBelow } from './parse-context.ts'
import type { Room } from './room.ts'

/** Most referenced files that one store keeps open. */
const MOST_OPEN_REFERENCES = 1000

/** What is made of chunks, of all sources together. */
export interface MadeChunks {
  readonly recoded: MadeBytes
  readonly decoded: MadeBytes
}

/** Decoded chunks that several chunks of a view are cut from: kept until the burst that asks for those is over. */
const MOST_DECODED_KEPT = 2 ** 27
const DECODED_MILLISECONDS = 10_000

export function madeChunks(mostRecoded: number): MadeChunks {
  return { recoded: new MadeBytes(mostRecoded), decoded: new MadeBytes(MOST_DECODED_KEPT, DECODED_MILLISECONDS) }
}

/** What delivery needs of the world, for the chunks of one parsed source. */
export function chunkWorld(
  parsed: ParsedSource,
  sources: Sources,
  { recoded, decoded }: MadeChunks,
  workers: RecodeWorkers,
  room: Room,
): DeliveryWorld {
  // It has room for all of them from the start, and most stores refer to nothing.
  const opened = lazily(
    () =>
      new LRUCache<number, Source, AbortSignal | undefined>({
        max: MOST_OPEN_REFERENCES,
        ignoreFetchAbort: true,
        fetchMethod: async (index) => gathered(await openFirst(parsed, index, sources)),
      }),
  )
  /** No promise where it is open already. */
  function reference(index: number): Source | Promise<Source> {
    return opened().get(index) ?? openReference(index)
  }

  async function openReference(index: number): Promise<Source> {
    const source = await opened().fetch(index)
    if (source === undefined) throw new Error(`opening reference ${index} gave nothing`)
    return source
  }

  const own = gathered(parsed.source)
  return {
    file: parsed.parts === undefined ? parsed.publicUrl : undefined,
    source: (index, _signal, key) => {
      if (key !== undefined) return sources.reference(new URL(key, urlOf(parsed, index)).href, parsed.url)
      return index === 0 ? own : reference(index)
    },
    async object(index, key, options) {
      const url = new URL(key, urlOf(parsed, index)).href
      return await sources.object(url, isBelow(url, parsed.url) ? options : { ...options, referrer: parsed.url })
    },
    part: async (part) => {
      if (parsed.parts === undefined) throw malformed(`a chunk names source ${part} of a store that is no join`)
      return (await parsed.parts.opened(part)).world
    },
    room: (bytes, work, signal) => room.within(bytes, work, signal),
    hold: (bytes) => room.hold(bytes),
    recoded: (key, make, signal) => recoded.get(key, make, signal),
    decoded: (key, make, signal) => decoded.get(key, make, signal),
    workers,
    codings: new Codings(),
  }
}

/** A file of this machine has no rounds that could be saved. */
function gathered(source: Source): Source {
  return source.url.startsWith('file:') ? source : withGatheredReads(source)
}

/** The same for arrays of a join that is being opened: all references count from its sources, and nothing that is made is kept. */
export function joinedWorld(
  part: NonNullable<DeliveryWorld['part']>,
  workers: RecodeWorkers,
  room: Room,
): DeliveryWorld {
  const none = () => Promise.reject(malformed('an array of a join names no source'))
  return {
    source: none,
    object: none,
    part,
    room: (bytes, work, signal) => room.within(bytes, work, signal),
    hold: (bytes) => room.hold(bytes),
    recoded: (_key, make, signal = new AbortController().signal) => make(signal),
    decoded: (_key, make, signal = new AbortController().signal) => make(signal),
    workers,
    codings: new Codings(),
  }
}

/** Opens a reference; with alternatives, the first that is there. Those that are refused may not be named, but don't stop the search. */
async function openFirst(parsed: ParsedSource, index: number, sources: Sources): Promise<Source> {
  const others = parsed.alternatives.get(index) ?? []
  // The only place it can be: opened by its first read, at no request of its own.
  if (others.length === 0) return sources.reference(urlOf(parsed, index), parsed.url, parsed.conditions.get(index))
  let failure: unknown
  for (const url of [urlOf(parsed, index), ...others]) {
    try {
      return await sources.openReference(url, parsed.url)
    } catch (error) {
      if (!isAbsent(error)) throw error
      failure ??= error
    }
  }
  throw failure
}

/** Object stores answer 403 for what does not exist, to those who may not list. */
function isAbsent(error: unknown): boolean {
  return (
    isVirtualZarrError(error, 'source-not-found') ||
    isVirtualZarrError(error, 'source-denied') ||
    isVirtualZarrError(error, 'source-forbidden')
  )
}

function urlOf(parsed: ParsedSource, index: number): string {
  const url = parsed.references[index]
  if (url === undefined) throw malformed(`chunk reference ${index} names no source`, { url: parsed.url })
  return url
}

import type { ByteRange } from '../bytes/byte-range.ts'
import { feedOf } from '../bytes/feed.ts'
import { VirtualZarrError } from '../errors.ts'
import { memorySource } from '../source/memory.ts'
import { checkInside, checkReadable, type ReadOptions, type Source, type Sources } from '../source/source.ts'

/** What a caller has in hand: bytes, a file that a person picked or dropped, or a source of their own. */
export type GivenSource = ArrayBuffer | Uint8Array | Blob | Source

/** A name below a host that no name server knows (RFC 6761, section 6.4): nothing that it refers to can be reached. */
const NOWHERE = 'https://given.invalid/'

/** What is in hand, as a source. */
export function givenSource(input: GivenSource): Source {
  if (input instanceof ArrayBuffer) return memorySource(`${NOWHERE}bytes`, new Uint8Array(input))
  if (input instanceof Uint8Array) return memorySource(`${NOWHERE}bytes`, input)
  if (input instanceof Blob) return blobSource(input)
  return input
}

/** A file on disk stays there: each read takes a slice of it. A browser refuses one that was changed since it was picked. */
function blobSource(blob: Blob): Source {
  const name = 'name' in blob && typeof blob.name === 'string' ? blob.name : 'bytes'
  const url = `${NOWHERE}${encodeURIComponent(name)}`
  const read = async (range: ByteRange, { signal }: ReadOptions = {}) => {
    signal?.throwIfAborted()
    checkInside(range, { url, size: blob.size })
    checkReadable(range, { url })
    return new Uint8Array(await blob.slice(range.offset, range.offset + range.length).arrayBuffer())
  }
  return {
    url,
    size: blob.size,
    validator: undefined,
    read,
    feed: async (range, options) => feedOf(await read(range, options)),
  }
}

/** Nothing lies beside what came without a place. */
function absent(url: string): VirtualZarrError {
  return new VirtualZarrError('source-not-found', 'nothing lies beside what was handed over', { url })
}

/** A way on which one source is found by its URL, and everything else as before. */
export function withGivenSource(sources: Sources, given: Source): Sources {
  const href = new URL(given.url).href
  const isGiven = (text: string, base?: string) => {
    const url = URL.canParse(text, base) ? new URL(text, base).href : text
    if (url !== href && url.startsWith(NOWHERE)) throw absent(url)
    return url === href
  }
  return {
    ...sources,
    open: async (url, options) => (isGiven(url) ? given : await sources.open(url, options)),
    openReference: async (url, referrer, options) =>
      isGiven(url, referrer) ? given : await sources.openReference(url, referrer, options),
    reference: (url, referrer) => (isGiven(url, referrer) ? given : sources.reference(url, referrer)),
    object: async (url, options) => (url.startsWith(NOWHERE) ? undefined : await sources.object(url, options)),
    list: async (folder, options) => (folder.startsWith(NOWHERE) ? undefined : await sources.list(folder, options)),
    // One source is one version of a file: it throws where it notices a change.
    isFresh: async (source, options) => source === given || (await sources.isFresh(source, options)),
  }
}

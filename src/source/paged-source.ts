import type { ByteRange } from '../bytes/byte-range.ts'
import { waitFor } from './http/retry.ts'
import { type FilePages, PAGE_BYTES } from './page-cache.ts'
import { PageFetch, type WantedPage } from './page-fetch.ts'
import { checkInside, type ReadOptions, type Source } from './source.ts'

/** Longer reads bypass the pages: they would only push the others out. */
const MAX_PAGED_READ_BYTES = 4 * 1024 * 1024

/** A source that is read by whole pages: small and neighbouring reads become few, concurrent ones share their fetches. */
export interface PagedSource extends Source {
  /** From now on no more is fetched than is asked for, to the next page. */
  stopReadingAhead(): void
}

/** Reads a source by pages. They may be others from one read to the next, where those of a task were for that task only. */
export function pagedSource(inner: Source, pagesNow: () => FilePages): PagedSource {
  const { size } = inner
  const lengthOf = (number: number) => Math.min(PAGE_BYTES, size - number * PAGE_BYTES)
  const pageAt = (number: number) => pagesNow().page(number, lengthOf(number))
  const fetches = new PageFetch({
    size,
    read: (range, signal) => inner.read(range, { signal }),
    wanted: () => pagesNow().wanted,
    isKept: (number) => pageAt(number) !== undefined,
    keep: (number, bytes) => pagesNow().put('index', number * PAGE_BYTES, bytes),
  })

  async function read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    options.signal?.throwIfAborted()
    checkInside(range, inner)
    if (range.length === 0) return new Uint8Array(0)
    const kept = pagesNow().read(range)
    if (kept !== undefined) return kept
    if (range.length > MAX_PAGED_READ_BYTES || options.isLone === true) return inner.read(range, options)
    const first = Math.floor(range.offset / PAGE_BYTES)
    const last = Math.floor((range.offset + range.length - 1) / PAGE_BYTES)
    const pages: (Uint8Array | Promise<Uint8Array>)[] = []
    for (let number = first; number <= last; number++) {
      pages.push(pageAt(number) ?? joined(fetches.page(number), options.signal))
    }
    return cut(await Promise.all(pages), range.offset - first * PAGE_BYTES, range.length)
  }

  return {
    url: inner.url,
    size,
    validator: inner.validator,
    settle: () => inner.settle?.(),
    read,
    feed: (range, options) => inner.feed(range, options),
    stopReadingAhead: () => fetches.stopReadingAhead(),
  }
}

async function joined(page: WantedPage, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const leave = page.join()
  try {
    return await waitFor(page.promise, signal)
  } finally {
    leave()
  }
}

/** A range out of consecutive pages; a view where one page holds it all. */
function cut(pages: readonly Uint8Array[], offset: number, length: number): Uint8Array {
  const [only] = pages
  if (pages.length === 1 && only !== undefined) return only.subarray(offset, offset + length)
  const bytes = new Uint8Array(length)
  let at = -offset
  for (const page of pages) {
    if (at < 0) bytes.set(page.subarray(-at, -at + length), 0)
    else bytes.set(page.subarray(0, length - at), at)
    at += page.length
  }
  return bytes
}

import type { ByteRange } from '../bytes/byte-range.ts'
import { overBudget } from '../errors.ts'
import { publicUrl } from './public-url.ts'
import { checkInside, readAnew, type Source } from './source.ts'

/** What reading a file's metadata may cost. */
export interface ReadBudget {
  readonly bytes: number
  readonly requests: number
  /** Told of each read before it is made; it may have to wait. */
  readonly read?: (bytes: number) => Promise<void> | undefined
}

/** Refuses reads beyond a budget, before they are made; `lift` ends that. */
export function withReadLimit(inner: Source, budget: ReadBudget): { readonly source: Source; lift(): void } {
  let bytes = 0
  let requests = 0
  let isLifted = false

  function count(range: ByteRange): Promise<void> | undefined {
    checkInside(range, inner)
    if (isLifted) return undefined
    bytes += range.length
    requests += 1
    if (bytes <= budget.bytes && requests <= budget.requests) return budget.read?.(range.length)
    const limit = bytes > budget.bytes ? `${budget.bytes} bytes` : `${budget.requests} requests`
    throw overBudget(`reading the metadata takes more than ${limit}`, {
      url: publicUrl(inner.url),
      offset: range.offset,
    })
  }

  const source = readAnew(inner, {
    read: async (range, options) => {
      const wait = count(range)
      if (wait !== undefined) await wait
      return inner.read(range, options)
    },
    feed: async (range, options) => {
      const wait = count(range)
      if (wait !== undefined) await wait
      return inner.feed(range, options)
    },
  })
  return {
    source,
    lift: () => {
      isLifted = true
    },
  }
}

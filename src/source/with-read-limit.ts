import type { ByteRange } from '../bytes/byte-range.ts'
import { overBudget } from '../errors.ts'
import { publicUrl } from './public-url.ts'
import type { Source } from './source.ts'
import { checkInside } from './source.ts'

/** What reading a file's metadata may cost. */
export interface ReadBudget {
  readonly bytes: number
  readonly requests: number
}

/** Refuses reads beyond a budget, before they are made; `lift` ends that. */
export function withReadLimit(inner: Source, budget: ReadBudget): { readonly source: Source; lift(): void } {
  let bytes = 0
  let requests = 0
  let isLifted = false

  function count(range: ByteRange): void {
    checkInside(range, inner)
    if (isLifted) return
    bytes += range.length
    requests += 1
    if (bytes <= budget.bytes && requests <= budget.requests) return
    const limit = bytes > budget.bytes ? `${budget.bytes} bytes` : `${budget.requests} requests`
    throw overBudget(`reading the metadata takes more than ${limit}`, {
      url: publicUrl(inner.url),
      offset: range.offset,
    })
  }

  const source: Source = {
    url: inner.url,
    size: inner.size,
    validator: inner.validator,
    settle: () => inner.settle?.(),
    read: async (range, options) => {
      count(range)
      return inner.read(range, options)
    },
    feed: async (range, options) => {
      count(range)
      return inner.feed(range, options)
    },
  }
  return {
    source,
    lift: () => {
      isLifted = true
    },
  }
}

import type { ByteRange } from '../bytes/byte-range.ts'
import { turn } from '../turns.ts'
import { type FilePages, PageCache } from './page-cache.ts'
import { pagedSource } from './paged-source.ts'
import type { Source } from './source.ts'
import { type ReadBudget, withReadLimit } from './with-read-limit.ts'

/** Pages of one task, of a file whose pages are not shared. */
const TASK_PAGES = { indexBytes: 16 * 1024 * 1024, dataBytes: 0 }
/** The same for the look-ups of its lazy index that come together: who comes later may read another version. */
const LOOKUP_PAGES = { indexBytes: 1024 * 1024, dataBytes: 0, maxAgeMilliseconds: 1000 }

/** Reads of one parser under way. What waits for a signal is searched at each new wait: thousands would cost their square. */
const MAX_READS = 1024

/** Bytes that were read while parsing, for a while or until they are released. */
export interface HeadBytes {
  /** Undefined where they would have to be read. */
  read(range: ByteRange): Uint8Array | undefined
  release(): void
}

/** How long they are kept for whom nobody else keeps pages. */
const HEAD_MILLISECONDS = 5000

/** What a parser reads through. */
export interface ParsingSource {
  readonly source: Source
  /** What was read while parsing, for longer than the parse takes: of a source of a join, whose coordinates are read next. */
  head(): HeadBytes
  /** Ends the budget, drops the head that opening brought, and the pages that were for this task only. */
  done(): void
}

/**
 * Puts the layers of parsing over a source; one wrapped source must see the whole parse, or the budget means nothing. Without pages
 * of its version, which all share, it has pages for the task: local files, and versions that may not be told apart.
 */
export function forParsing(source: Source, budget: ReadBudget, shared?: FilePages): ParsingSource {
  const limited = withReadLimit(source, budget)
  let pages = shared ?? new PageCache(TASK_PAGES).file('')
  const paged = pagedSource(limited.source, () => pages)
  return {
    source: inTurns(paged),
    head: () => headOf(pages, shared === undefined),
    done: () => {
      limited.lift()
      paged.stopReadingAhead()
      if (shared === undefined) pages = new PageCache(LOOKUP_PAGES).file('')
      source.settle?.()
    },
  }
}

function headOf(pages: FilePages, isOwn: boolean): HeadBytes {
  let kept: FilePages | undefined = pages
  const release = () => {
    clearTimeout(timer)
    // Sources of a join are many: their pages would push out those of all others.
    kept?.dropIndex()
    kept = undefined
  }
  const timer = isOwn ? setTimeout(release, HEAD_MILLISECONDS).unref() : undefined
  return { read: (range) => kept?.read(range), release }
}

/**
 * For parsers: pages that are there already are read without a pause, so that one of a million steps would stop everybody
 * else; and one that asks for everything at once is given it bit by bit.
 */
function inTurns(inner: Source): Source {
  const waiting: (() => void)[] = []
  let first = 0
  let active = 0
  const leave = () => {
    active--
    const next = waiting[first]
    if (next === undefined) return
    active++
    first++
    if (first === waiting.length) {
      waiting.length = 0
      first = 0
    }
    next()
  }
  return {
    ...inner,
    read: async (range, options) => {
      if (active < MAX_READS) active++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        const bytes = await inner.read(range, options)
        // What is made of them comes next.
        const wait = turn()
        if (wait !== undefined) await wait
        return bytes
      } finally {
        leave()
      }
    },
  }
}

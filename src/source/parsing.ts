import type { ByteRange } from '../bytes/byte-range.ts'
import { turn } from '../turns.ts'
import type { Source } from './source.ts'
import { type HeldBytes, PARSING_BLOCKS, withBlocks } from './with-blocks.ts'
import { type ReadBudget, withReadLimit } from './with-read-limit.ts'

/** Bytes of blocks that stay for lazy chunk indexes, which read on through the same source. */
const LASTING_CACHE_BYTES = 1024 * 1024

/** Reads of one parser under way. What waits for a signal is searched at each new wait: thousands would cost their square. */
const MOST_READS = 1024

/** What a parser reads through. */
export interface ParsingSource {
  readonly source: Source
  /** Bytes that were read while parsing and are still here. */
  kept(range: ByteRange): Uint8Array | undefined
  /** Drops all blocks but one: of many files even few each are many. */
  release(): void
  /** Ends the budget, drops the head that opening brought, and all blocks but a few. */
  done(): void
}

/** Puts the layers of parsing over a source; one wrapped source must see the whole parse, or the budget means nothing. `held` counts its blocks. */
export function forParsing(source: Source, budget: ReadBudget, held?: HeldBytes): ParsingSource {
  const limited = withReadLimit(source, budget)
  const blocks = withBlocks(limited.source, PARSING_BLOCKS, held)
  return {
    source: inTurns(blocks),
    kept: blocks.kept,
    release: () => blocks.shrink(PARSING_BLOCKS.blockBytes),
    done: () => {
      limited.lift()
      blocks.shrink(LASTING_CACHE_BYTES)
      source.settle?.()
    },
  }
}

/**
 * For parsers: blocks that are there already are read without a pause, so that one of a million steps would stop everybody
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
      if (active < MOST_READS) active++
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

import { inTurns } from './in-turns.ts'
import type { Source } from './source.ts'
import { PARSING_BLOCKS, withBlocks } from './with-blocks.ts'
import { type ReadBudget, withReadLimit } from './with-read-limit.ts'

/** Bytes of blocks that stay for lazy chunk indexes, which read on through the same source. */
const LASTING_CACHE_BYTES = 1024 * 1024

/** What a parser reads through. */
export interface ParsingSource {
  readonly source: Source
  /** Ends the budget, drops the head that opening brought, and all blocks but a few. */
  done(): void
}

/** Puts the layers of parsing over a source; one wrapped source must see the whole parse, or the budget means nothing. */
export function forParsing(source: Source, budget: ReadBudget): ParsingSource {
  const limited = withReadLimit(source, budget)
  const blocks = withBlocks(limited.source, PARSING_BLOCKS)
  return {
    source: inTurns(blocks),
    done: () => {
      limited.lift()
      blocks.shrink(LASTING_CACHE_BYTES)
      source.settle?.()
    },
  }
}

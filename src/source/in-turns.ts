import { turns } from '../turns.ts'
import type { Source } from './source.ts'

/** Reads of one parser under way. What waits for a signal is searched at each new wait: thousands would cost their square. */
const MOST_READS = 512

/**
 * For parsers: blocks that are there already are read without a pause, so that one of a million steps would stop everybody
 * else; and one that asks for everything at once is given it bit by bit.
 */
export function inTurns(inner: Source): Source {
  const turn = turns()
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
        const wait = turn()
        if (wait !== undefined) await wait
        return await inner.read(range, options)
      } finally {
        leave()
      }
    },
  }
}

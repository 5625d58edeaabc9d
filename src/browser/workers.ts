import type { RecodeWorkers } from '../delivery/delivery.ts'
import { recode } from '../delivery/recoding/recode.ts'
import { turn } from '../turns.ts'

/** Recodes where it stands, chunk after chunk, so that the page has its turn between two. */
export function inlineWorkers(): RecodeWorkers {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async run(task, signal, read) {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      // What reads its source again waits for the origin, and keeps nobody from the processor.
      if (read === undefined) last = promise
      try {
        if (read === undefined) await before
        await turn()
        signal?.throwIfAborted()
        return await recode(task, read)
      } finally {
        resolve()
      }
    },
    close: () => Promise.resolve(),
  }
}

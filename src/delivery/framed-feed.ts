import type { Feed } from '../source/source.ts'
import type { Around } from './gather.ts'

/** A feed with something sent before and after it. */
export function framedFeed(inner: Feed, { first, last }: Around): Feed {
  if (first.length === 0 && last.length === 0) return inner
  return {
    start: (sink) => {
      if (first.length > 0) sink.data(first)
      inner.start({
        data: (bytes) => sink.data(bytes),
        end: () => {
          if (last.length > 0) sink.data(last)
          sink.end()
        },
        fail: (error) => sink.fail(error),
      })
    },
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    stop: () => inner.stop(),
  }
}

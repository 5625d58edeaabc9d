import { Readable } from 'node:stream'
import type { Feed, Sink, Source } from './source.ts'

/** A source that has feeds. */
export type FeedingSource = Source & Required<Pick<Source, 'feed'>>

/** The stream of a feed. */
export function streamOfFeed(feed: Feed): Readable {
  const stream = new Readable({
    read: () => feed.resume(),
    destroy: (error, done) => {
      feed.stop()
      done(error)
    },
  })
  feed.start({
    data: (bytes) => {
      if (!stream.push(bytes)) feed.pause()
    },
    end: () => void stream.push(null),
    fail: (error) => void stream.destroy(error),
  })
  return stream
}

/** Bytes at hand as a feed. */
export function feedOf(bytes: Uint8Array): Feed {
  let sink: Sink | undefined
  return {
    start: (given) => {
      sink = given
      if (bytes.length > 0) sink.data(bytes)
      sink?.end()
    },
    pause: () => undefined,
    resume: () => undefined,
    stop: () => {
      sink = undefined
    },
  }
}

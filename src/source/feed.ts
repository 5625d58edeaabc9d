import { Readable } from 'node:stream'

/** Takes the bytes of a feed; after `end` or `fail` nothing more comes. */
export interface Sink {
  data(bytes: Uint8Array): void
  end(): void
  fail(error: Error): void
}

/** Bytes under way that have no stream of their own: streams cost, and one at the end is enough. */
export interface Feed {
  /** Lets the bytes flow; called once. */
  start(sink: Sink): void
  pause(): void
  resume(): void
  /** Ends it; what feeds it is freed. */
  stop(): void
}

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

/** The feed of a stream. */
export function feedOf(stream: Readable): Feed {
  return {
    start: (sink) => {
      stream.on('data', (bytes: Uint8Array) => sink.data(bytes))
      stream.on('end', () => sink.end())
      stream.on('error', (error) => sink.fail(error))
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    stop: () => void stream.destroy(),
  }
}

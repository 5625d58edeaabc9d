import type { ByteRange } from '../bytes/byte-range.ts'
import type { Feed } from '../bytes/feed.ts'
import type { Source } from './source.ts'

/** One who waits until the first `length` bytes have come, or will not come. */
interface Waiting {
  readonly length: number
  readonly resolve: (hasCome: boolean) => void
}

/** An origin that is silent for so long is not waited for: who needs the bytes asks for them, and is told in time. */
const MAX_SILENCE_MILLISECONDS = 2000

/** Bytes of a file that are fetched before anybody asks for them: each is at hand as soon as it has come. */
export class FetchWindow {
  readonly from: number
  readonly to: number
  readonly #bytes: Uint8Array
  readonly #onEnd: (bytes: Uint8Array | undefined) => void
  readonly #leaving = new AbortController()
  readonly #clock = setTimeout(() => this.stop(), MAX_SILENCE_MILLISECONDS).unref()
  #came = 0
  #feed: Feed | undefined
  #isOver = false
  #waiting: Waiting[] = []

  /** `onEnd` is called once, when nothing more will come, with the bytes if all of them have. */
  constructor(range: ByteRange, source: Pick<Source, 'feed'>, onEnd: (bytes: Uint8Array | undefined) => void) {
    const { offset, length } = range
    this.from = offset
    this.to = offset + length
    this.#bytes = new Uint8Array(length)
    this.#onEnd = onEnd
    source.feed(range, { signal: this.#leaving.signal }).then(
      (feed) => this.#start(feed),
      // Who needs the bytes reads them, and is told then what is wrong.
      () => this.#close(),
    )
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0
  }

  /** Whether all before this offset of the file is there; that is awaited, unless the signal aborts. */
  async reaches(offset: number, signal: AbortSignal | undefined): Promise<boolean> {
    const length = offset - this.from
    if (length <= this.#came || this.#isOver) return length <= this.#came
    signal?.throwIfAborted()
    return await new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        reject(signal?.reason)
      }
      const waiting: Waiting = {
        length,
        resolve: (hasCome) => {
          signal?.removeEventListener('abort', leave)
          resolve(hasCome)
        },
      }
      this.#waiting.push(waiting)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** What of it is part of a range: a view, which keeps all of it in memory. */
  within({ offset, length }: ByteRange): Uint8Array {
    return this.#bytes.subarray(Math.max(offset - this.from, 0), Math.max(offset + length - this.from, 0))
  }

  stop(): void {
    if (this.#isOver) return
    this.#feed?.stop()
    this.#leaving.abort()
    this.#close()
  }

  #start(feed: Feed): void {
    if (this.#isOver) {
      feed.stop()
      return
    }
    this.#feed = feed
    feed.start({
      data: (bytes) => this.#take(bytes),
      end: () => this.#close(),
      fail: () => this.#close(),
    })
  }

  #take(bytes: Uint8Array): void {
    this.#clock.refresh()
    this.#bytes.set(bytes, this.#came)
    this.#came += bytes.length
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ length }) => length > this.#came)
    for (const { length, resolve } of waiting) if (length <= this.#came) resolve(true)
  }

  #close(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#clock)
    const waiting = this.#waiting
    this.#waiting = []
    // First into the pages: who is told now looks there.
    this.#onEnd(this.#came === this.#bytes.length ? this.#bytes : undefined)
    for (const { resolve } of waiting) resolve(false)
  }
}

/** Up to where windows, which are in the order of the file, hold all bytes from an offset on; at most up to `end`. */
export function coveredTo(windows: readonly FetchWindow[], offset: number, end: number): number {
  let at = offset
  for (const { from, to } of windows) if (from <= at && at < to) at = to
  return Math.min(at, end)
}

import type { ByteRange } from '../bytes/byte-range.ts'
import type { Feed } from '../bytes/feed.ts'
import type { Run } from './read-runs.ts'
import type { Source } from './source.ts'

/** One who waits until the first `length` bytes have come, or will not come. */
interface Waiting {
  readonly length: number
  readonly tell: (hasCome: boolean) => void
}

/** An origin that is silent for so long is not waited for: who needs the bytes asks for them, and is told in time. */
const SILENT_MS = 2000

/** Bytes of a source that nobody has asked for yet: each part of them is at hand as soon as its last byte is. */
export class Stretch {
  readonly from: number
  readonly to: number
  /** That it is read ahead of. */
  readonly run: Run
  readonly #bytes: Uint8Array
  readonly #onOver: () => void
  readonly #leaving = new AbortController()
  readonly #clock = setTimeout(() => this.stop(), SILENT_MS).unref()
  #came = 0
  #feed: Feed | undefined
  #isOver = false
  #waiting: Waiting[] = []

  /** `onOver` is called once, when nothing more will come. */
  constructor(range: ByteRange, run: Run, source: Source, onOver: () => void) {
    const { offset, length } = range
    this.from = offset
    this.to = offset + length
    this.run = run
    this.#bytes = Buffer.allocUnsafeSlow(length)
    this.#onOver = onOver
    source.feed(range, { signal: this.#leaving.signal }).then(
      (feed) => this.#start(feed),
      // Who needs the bytes reads them, and is told then what is wrong.
      () => this.#close(),
    )
  }

  get isWhole(): boolean {
    return this.#came === this.#bytes.length
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0
  }

  /** Whether all before this offset of the source is there; that is awaited, unless the signal aborts. */
  async reaches(offset: number, signal: AbortSignal | undefined): Promise<boolean> {
    const length = offset - this.from
    if (length <= this.#came || this.#isOver) return length <= this.#came
    signal?.throwIfAborted()
    return await new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        reject(signal?.reason)
      }
      const tell = (hasCome: boolean) => {
        signal?.removeEventListener('abort', leave)
        resolve(hasCome)
      }
      const waiting: Waiting = { length, tell }
      this.#waiting.push(waiting)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** What of it is part of a range: a view, which keeps all of it in memory. */
  within({ offset, length }: ByteRange): Uint8Array {
    return this.#bytes.subarray(Math.max(offset - this.from, 0), offset + length - this.from)
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
    for (const { length, tell } of waiting) if (length <= this.#came) tell(true)
  }

  #close(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#clock)
    for (const { tell } of this.#waiting) tell(false)
    this.#waiting = []
    this.#onOver()
  }
}

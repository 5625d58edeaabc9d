import type { Readable } from 'node:stream'
import type { Exchange } from './exchange.ts'

/** How long a body's reader may pause before its place goes to the next request. */
const PAUSE_MS = 250

/**
 * At most `limit` requests under way at one origin. A request's place is free again when its body is closed, or when
 * its reader has paused: slow clients must not keep others from the origin.
 */
export function withConcurrency(inner: Exchange, limit: number): Exchange {
  const queues = new Map<string, Places>()
  return async (request) => {
    const { origin } = request.url
    const places = queues.get(origin) ?? new Places(limit)
    queues.set(origin, places)
    await places.take(request.signal)
    const free = once(async () => {
      await places.free()
      if (places.isIdle) queues.delete(origin)
    })
    try {
      const answer = await inner(request)
      freeWhenDone(answer.body, free)
      return answer
    } catch (error) {
      free()
      throw error
    }
  }
}

function freeWhenDone(body: Readable, free: () => void): void {
  if (body.closed) {
    free()
    return
  }
  let timer: NodeJS.Timeout | undefined
  body.once('close', () => {
    clearTimeout(timer)
    free()
  })
  body.on('pause', () => {
    clearTimeout(timer)
    timer = setTimeout(free, PAUSE_MS).unref()
  })
  body.on('resume', () => clearTimeout(timer))
}

function once(action: () => Promise<void>): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    void action()
  }
}

/**
 * A counting semaphore, first come first served. A place is free one turn of the event loop after its request is over:
 * only then undici offers the connection again, and who would open another one in between waits for it.
 */
class Places {
  #left: number
  #freeing = 0
  /** Most that were under way at once: so many connections there are. */
  #most = 0
  readonly #limit: number
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.#left = limit
    this.#limit = limit
  }

  get isIdle(): boolean {
    return this.#left === this.#limit
  }

  take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const isConnected = this.#limit - this.#left < this.#most
    if (this.#left > 0 && (isConnected || this.#waiting.size >= this.#freeing)) {
      this.#left--
      this.#most = Math.max(this.#most, this.#limit - this.#left)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(go)
        reject(signal?.reason)
      }
      this.#waiting.add(go)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  async free(): Promise<void> {
    this.#freeing++
    await new Promise((resolve) => setImmediate(resolve))
    this.#freeing--
    const [next] = this.#waiting
    if (next === undefined) {
      this.#left++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

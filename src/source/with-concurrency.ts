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
    const free = once(() => {
      places.free()
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

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    action()
  }
}

/** A counting semaphore, first come first served. */
class Places {
  #left: number
  readonly #limit: number
  readonly #waiting = new Set<() => void>()

  constructor(limit: number) {
    this.#left = limit
    this.#limit = limit
  }

  get isIdle(): boolean {
    return this.#left === this.#limit && this.#waiting.size === 0
  }

  take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#left > 0) {
      this.#left--
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

  free(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#left++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

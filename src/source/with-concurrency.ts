import type { BodyWatcher, Exchange, HttpAnswer, HttpRequest } from './http/exchange.ts'

/** How long a body's reader may pause before its slot goes to the next request. */
const PAUSE_MS = 250

/** Origins whose queues are kept while nobody waits in them. */
const MOST_IDLE = 1000

/**
 * At most `limit` requests under way at one origin, shared by the folders that are read there: whoever reads one file does not wait
 * behind the thousands that a join reads from another folder. A request's slot is free again when its body is closed, or when
 * its reader has paused: slow clients must not keep others from the origin.
 */
export function withConcurrency(inner: Exchange, limit: number): Exchange {
  const queues = new Map<string, Slots>()

  function slotsAt(origin: string): Slots {
    const known = queues.get(origin)
    if (known !== undefined) return known
    if (queues.size >= MOST_IDLE) for (const [name, { isIdle }] of queues) if (isIdle) queues.delete(name)
    const slots = new Slots(limit)
    queues.set(origin, slots)
    return slots
  }

  function within(slots: Slots, request: HttpRequest): Promise<HttpAnswer> {
    const slot = new Slot(slots)
    return inner(request).then(
      (answer) => {
        answer.body.watch(slot)
        return answer
      },
      (error) => {
        slot.onClose()
        throw error
      },
    )
  }

  // No async functions: a short chunk passes here without waiting.
  return (request) => {
    const slots = slotsAt(request.url.origin)
    const turn = slots.take(folderOf(request.url), request.signal)
    return turn === undefined ? within(slots, request) : turn.then(() => within(slots, request))
  }
}

function folderOf({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/') + 1)
}

/** The slot of one request, given up once. */
class Slot implements BodyWatcher {
  readonly #slots: Slots
  #isFree = false
  #isPaused = false
  #timer: NodeJS.Timeout | undefined

  constructor(slots: Slots) {
    this.#slots = slots
  }

  onPause(): void {
    this.#isPaused = true
    if (this.#isFree) return
    // Readers pause often and shortly: the timer is not cleared each time, but looks what is.
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#isPaused && this.onClose(), PAUSE_MS).unref()
    else this.#timer.refresh()
  }

  onResume(): void {
    this.#isPaused = false
  }

  onClose(): void {
    clearTimeout(this.#timer)
    if (!this.#isFree) this.#slots.free()
    this.#isFree = true
  }
}

/**
 * A counting semaphore. Those who wait have their turns by group, one of each after the other, and within a group first come first served. A slot is free one turn of the event loop after its request is over:
 * only then undici offers the connection again, and who would open another one in between waits for it.
 */
class Slots {
  #left: number
  #freeing = 0
  /** Most that were under way at once: so many connections there are. */
  #most = 0
  readonly #limit: number
  /** By group, in the order of their next turns. */
  readonly #waiting = new Map<string, Set<() => void>>()
  #waitingCount = 0

  constructor(limit: number) {
    this.#left = limit
    this.#limit = limit
  }

  /** No request is under way. */
  get isIdle(): boolean {
    return this.#left === this.#limit
  }

  /** No promise where there is nothing to wait for. */
  take(group: string, signal: AbortSignal | undefined): Promise<void> | undefined {
    if (signal?.aborted === true) return Promise.reject(signal.reason)
    const isConnected = this.#limit - this.#left < this.#most
    if (this.#left > 0 && (isConnected || this.#waitingCount >= this.#freeing)) {
      this.#left--
      this.#most = Math.max(this.#most, this.#limit - this.#left)
      return undefined
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#remove(group, go)
        reject(signal?.reason)
      }
      this.#add(group, go)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  free(): void {
    this.#freeing++
    // A microtask first: whatever freed it, undici has then asked for its own turn.
    queueMicrotask(this.#passSoon)
  }

  readonly #passSoon = () => void setImmediate(this.#pass)

  /** To the next in the queue. */
  readonly #pass = () => {
    this.#freeing--
    const next = this.#next()
    if (next === undefined) {
      this.#left++
      // Connections that nobody uses are closed after a while.
      if (this.#left === this.#limit) this.#most = 0
      return
    }
    next()
  }

  #add(group: string, go: () => void): void {
    const own = this.#waiting.get(group) ?? new Set()
    own.add(go)
    this.#waiting.set(group, own)
    this.#waitingCount++
  }

  #remove(group: string, go: () => void): void {
    const own = this.#waiting.get(group)
    if (own?.delete(go) !== true) return
    this.#waitingCount--
    if (own.size === 0) this.#waiting.delete(group)
  }

  /** Takes out who is next; his group is last then. */
  #next(): (() => void) | undefined {
    const [first] = this.#waiting
    const [group = '', own] = first ?? []
    const [go] = own ?? []
    if (own === undefined || go === undefined) return undefined
    this.#remove(group, go)
    if (own.size > 0 && this.#waiting.delete(group)) this.#waiting.set(group, own)
    return go
  }
}

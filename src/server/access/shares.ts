import { VirtualZarrError } from '../../errors.ts'

/** Requests of one client that wait for one origin; more are refused. */
const MOST_WAITING = 1000

/** What one client has of one origin. */
interface Share {
  busy: number
  readonly waiting: Set<() => void>
}

/** Requests under way at one origin, by client. */
interface OriginShares {
  busy: number
  readonly shares: Map<string, Share>
}

/**
 * Turns at origins: so many requests at a time, and whoever has fewest under way is next. One client alone has up to three quarters of
 * them, so that another finds a free one when it comes.
 */
export class Shares {
  readonly #most: number
  readonly #mostOfOne: number
  readonly #origins = new Map<string, OriginShares>()

  constructor(most: number) {
    this.#most = most
    this.#mostOfOne = Math.max(1, Math.floor((most * 3) / 4))
  }

  /** Takes a turn, which is given back by `leave`; a promise where one has to be waited for. */
  enter(origin: string, client: string, signal: AbortSignal): Promise<void> | undefined {
    const at = this.#at(origin)
    const share = shareOf(at, client)
    if (at.busy < this.#most && share.busy < this.#mostOfOne) {
      at.busy++
      share.busy++
      return undefined
    }
    if (share.waiting.size >= MOST_WAITING) {
      this.#forget(origin, client)
      throw new VirtualZarrError('rate-limited', `more than ${MOST_WAITING} requests for one origin are waiting`, {
        retryAfterSeconds: 1,
      })
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        share.waiting.delete(go)
        this.#forget(origin, client)
        reject(signal.reason)
      }
      share.waiting.add(go)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  leave(origin: string, client: string): void {
    const at = this.#at(origin)
    at.busy--
    shareOf(at, client).busy--
    const next = this.#next(at)
    if (next !== undefined) {
      const [go] = next.waiting
      if (go !== undefined) {
        next.waiting.delete(go)
        at.busy++
        next.busy++
        go()
      }
    }
    this.#forget(origin, client)
  }

  /** Of those who wait the one with fewest under way; among equals whoever came first. */
  #next({ shares }: OriginShares): Share | undefined {
    let next: Share | undefined
    for (const share of shares.values()) {
      if (share.waiting.size === 0 || share.busy >= this.#mostOfOne) continue
      if (next === undefined || share.busy < next.busy) next = share
    }
    return next
  }

  #at(origin: string): OriginShares {
    const known = this.#origins.get(origin)
    if (known !== undefined) return known
    const made = { busy: 0, shares: new Map<string, Share>() }
    this.#origins.set(origin, made)
    return made
  }

  /** Nothing is kept of who has nothing there. */
  #forget(origin: string, client: string): void {
    const at = this.#at(origin)
    const share = at.shares.get(client)
    if (share?.busy === 0 && share.waiting.size === 0) at.shares.delete(client)
    if (at.shares.size === 0) this.#origins.delete(origin)
  }

  /** How many origins have requests. */
  get origins(): number {
    return this.#origins.size
  }
}

function shareOf(at: OriginShares, client: string): Share {
  const known = at.shares.get(client)
  if (known !== undefined) return known
  const made = { busy: 0, waiting: new Set<() => void>() }
  at.shares.set(client, made)
  return made
}

/**
 * Who is asked for a store's bytes: a host, a bucket, or the files of this machine. Patterns of many files are kept as they were
 * spelled, so that a host is brought to one spelling here.
 */
export function originOf(sourceUrl: string): string {
  const [start = ''] = /^[a-z0-9+.-]+:(?:\/\/[^/{*]*)?/i.exec(sourceUrl) ?? []
  const url = URL.parse(start)
  return url === null ? start.toLowerCase() : `${url.protocol}//${url.host.replace(/\.(?=:|$)/, '')}`
}

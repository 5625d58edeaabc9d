import { ConfigError } from '../config-error.ts'
import { parseClientAddress } from './client-address.ts'

/** So many requests in so long. */
export interface Rate {
  readonly count: number
  readonly milliseconds: number
}

const PERIODS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** Reads `100/s`, `6000/m` or `20000/h`. */
export function readRate(text: string, setting: string): Rate {
  const [, count, period = 's'] = /^(\d{1,9})(?:\/([smh]))?$/.exec(text) ?? []
  const milliseconds = PERIODS[period]
  if (count === undefined || Number(count) === 0 || milliseconds === undefined) {
    throw new ConfigError(setting, `${text} is no rate, expected one such as 100/s, 6000/m or 20000/h`)
  }
  return { count: Number(count), milliseconds }
}

/** Strangers choose addresses: so many are remembered. */
const MOST_CLIENTS = 100_000

/**
 * How often each client may ask: in any period so many at once, and then as many as time brings back. A client is one number, the
 * time at which all that it has asked is worked off (the "generic cell rate algorithm").
 */
export class RateLimit {
  readonly #each: number
  readonly #period: number
  readonly #doneAt = new Map<string, number>()

  constructor({ count, milliseconds }: Rate) {
    this.#each = milliseconds / count
    this.#period = milliseconds
  }

  /** Counts one request; answers how long the client must wait instead, in milliseconds, where it has none left. */
  take(client: string, now: number): number {
    const doneAt = Math.max(this.#doneAt.get(client) ?? 0, now) + this.#each
    const wait = doneAt - now - this.#period
    // Half a microsecond is what adding fractions may make of nothing.
    if (wait > 5e-4) return wait
    this.#set(client, doneAt, now)
    return 0
  }

  /** Counts requests that other processes have answered. */
  spend(client: string, count: number, now: number): void {
    const doneAt = Math.max(this.#doneAt.get(client) ?? 0, now) + count * this.#each
    this.#set(client, Math.min(doneAt, now + 2 * this.#period), now)
  }

  get clients(): number {
    return this.#doneAt.size
  }

  #set(client: string, doneAt: number, now: number): void {
    this.#doneAt.delete(client)
    this.#doneAt.set(client, doneAt)
    if (this.#doneAt.size <= MOST_CLIENTS) return
    // A tenth at once, so that a flood of addresses does not look through all of them each time.
    let left = MOST_CLIENTS / 10
    for (const [name, at] of this.#doneAt) {
      if (at <= now || left > MOST_CLIENTS / 20) this.#doneAt.delete(name)
      if (--left === 0) break
    }
  }
}

/**
 * By what an address is counted, however it is spelled: an IPv6 host has 2^64 of them, which are one client. What is no address is one
 * client as well, since whoever wrote it can write another.
 */
export function clientAt(text: string): string {
  const address = parseClientAddress(text)
  if (address === undefined) return 'unknown'
  return address.family === 'ipv4' ? address.text : `${address.groups.slice(0, 4).join(':')}::/64`
}

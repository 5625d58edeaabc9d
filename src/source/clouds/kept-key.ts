import { isDeepStrictEqual } from 'node:util'
import { isVirtualZarrError, VirtualZarrError } from '../../errors.ts'
import { waitFor } from '../http/retry.ts'
import type { CloudKey } from './cloud.ts'

/** A key that somebody gave, and until when it is good (milliseconds); undefined: for ever. */
export interface LoadedKey {
  readonly key: CloudKey
  readonly expires: number | undefined
}

/** Gets a key from where it comes from; `isRefused`: what came last is no longer taken, so nothing that is kept helps. */
export type LoadKey = (isRefused: boolean) => Promise<LoadedKey>

/** A key is replaced so long before it expires, or in the last quarter of a shorter life. */
const AHEAD_MS = 5 * 60_000
/** How long a source of keys is left alone that failed, or that had nothing new. */
const REST_MS = 5_000

/** A key that is renewed before it expires, once for all who need it; who asks while it still is good never waits. */
export class KeptKey {
  readonly #load: LoadKey
  /** What the key is for, for errors. */
  readonly #prefix: string
  #loaded: (LoadedKey & { readonly renewAt: number }) | undefined
  #loading: Promise<CloudKey> | undefined
  #restsUntil = 0
  #isRefused = false

  constructor(prefix: string, load: LoadKey) {
    this.#prefix = prefix
    this.#load = load
  }

  /** No promise where the key is at hand. */
  get(signal: AbortSignal | undefined): CloudKey | Promise<CloudKey> {
    const loaded = this.#loaded
    const now = Date.now()
    const isOver = now >= (loaded?.expires ?? Number.POSITIVE_INFINITY) || (this.#isRefused && now >= this.#restsUntil)
    if (loaded === undefined || isOver) return waitFor(this.#renew(), signal)
    // What fails here is told to who asks when the key is over.
    if (now >= loaded.renewAt && now >= this.#restsUntil) this.#renew().catch(() => undefined)
    return loaded.key
  }

  /** A store does not take this key any more: the next who asks gets another one, if there is one. */
  refuse(key: CloudKey): void {
    if (this.#loaded?.key === key) this.#isRefused = true
  }

  #renew(): Promise<CloudKey> {
    this.#loading ??= this.#loadOnce().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #loadOnce(): Promise<CloudKey> {
    const now = Date.now()
    const wasRefused = this.#isRefused
    try {
      const { key, expires } = await this.#load(wasRefused)
      const isSame = isDeepStrictEqual(key, this.#loaded?.key)
      const life = (expires ?? Number.POSITIVE_INFINITY) - now
      // The same object, so that what was signed with it stays good.
      const kept = isSame && this.#loaded !== undefined ? this.#loaded.key : key
      this.#loaded = { key: kept, expires, renewAt: now + life - Math.min(AHEAD_MS, life / 4) }
      this.#isRefused = isSame && wasRefused
      this.#restsUntil = isSame ? now + REST_MS : 0
      return kept
    } catch (error) {
      this.#restsUntil = now + REST_MS
      if (isVirtualZarrError(error)) throw error
      // Not what it says: that comes from files and services of the operator's.
      const name = error instanceof Error ? error.name : 'unknown'
      throw new VirtualZarrError('source-unavailable', `the credentials for ${this.#prefix} can't be had (${name})`)
    }
  }
}

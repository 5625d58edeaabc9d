import { LRUCache } from 'lru-cache'
import {
  checkContent,
  checked,
  checkVersion,
  conditionalHeaders,
  type HttpVersion,
  hashOf,
  validatorOf,
} from './http/answer.ts'
import { wholeBytesOf } from './http/body.ts'
import type { Exchange } from './http/exchange.ts'
import { changed, tooSlow } from './http/failures.ts'
import { AbortScope, waitFor } from './http/retry.ts'
import type { SourceSettings } from './settings.ts'

/** How long a whole file is trusted before its origin is asked whether it changed. */
const TRUSTED_MS = 2_000

interface WholeRequest {
  readonly url: URL
  readonly version: HttpVersion
}

/** Whole files of origins that don't answer ranges: a bounded number of bytes, each file fetched once for all. */
export class WholeFiles {
  readonly #files: LRUCache<string, Uint8Array, WholeRequest>
  readonly #exchange: Exchange
  readonly #settings: SourceSettings

  constructor(exchange: Exchange, settings: SourceSettings) {
    this.#exchange = exchange
    this.#settings = settings
    this.#files = new LRUCache({
      maxSize: Math.max(4 * settings.maxWholeBytes, 1),
      sizeCalculation: (bytes) => Math.max(bytes.length, 1),
      ttl: TRUSTED_MS,
      // An eviction must not end a fetch that callers wait for.
      ignoreFetchAbort: true,
      fetchMethod: (_key, stale, { context }) => this.#fetchInTime(context, stale),
    })
  }

  /** Keeps what opening has brought. */
  keep(url: URL, version: HttpVersion, bytes: Uint8Array): void {
    this.#files.set(keyOf(url, version), bytes)
  }

  /** The bytes of that version; throws `source-changed` when the origin has another one by now. */
  async get(url: URL, version: HttpVersion, signal: AbortSignal | undefined): Promise<Uint8Array> {
    // Others may wait for the same bytes: this caller's signal must not end their fetch.
    return waitFor(this.#files.forceFetch(keyOf(url, version), { context: { url, version } }), signal)
  }

  async #fetchInTime(request: WholeRequest, stale: Uint8Array | undefined): Promise<Uint8Array> {
    const scope = new AbortScope(undefined, this.#settings.deadlines.totalMs)
    try {
      return await this.#fetch(request, stale, scope.signal)
    } catch (error) {
      throw scope.isExpired
        ? tooSlow('the origin took too long to send the whole file', request.url.href, error)
        : error
    } finally {
      scope.release()
    }
  }

  async #fetch(request: WholeRequest, stale: Uint8Array | undefined, signal: AbortSignal): Promise<Uint8Array> {
    const { url, version } = request
    const headers = stale === undefined ? {} : conditionalHeaders(version)
    const answer = await this.#exchange({ url, method: 'GET', headers, signal })
    if (answer.status === 304 && stale !== undefined) {
      answer.discard()
      return stale
    }
    checked(answer, () => {
      checkContent(answer, version.coding)
      checkVersion(answer, version, version.size)
    })
    const bytes = await wholeBytesOf(this.#settings, answer, signal)
    const hashed = version.isWholeHash === true ? bytes : bytes.subarray(0, this.#settings.headBytes)
    // Where nothing else tells, all of what was there before does.
    const isGuessed = version.headHash !== undefined
    const isOther =
      isGuessed && (version.headHash !== hashOf(hashed) || (stale !== undefined && !sameBytes(stale, bytes)))
    const isSame = bytes.length === version.size && !isOther
    if (!isSame) throw changed('the source was replaced since it was opened', url.href)
    return bytes
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

function keyOf(url: URL, version: HttpVersion): string {
  return `${url.href} ${validatorOf(version)}`
}

import type { KeyObject } from 'node:crypto'
import { headerOf } from '../http/answer.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import { remember } from './remember.ts'
import { type AwsKey, deriveSecret, EMPTY_PAYLOAD, signV4 } from './sigv4.ts'

/** How long a signature is used again: stores take them for 15 minutes. */
const SIGNED_MS = 60_000

/** What is signed of a request: its ranges and conditions are not, so that one signature serves all requests for an object. */
export interface SignedRequest {
  readonly url: URL
  readonly method: string
  readonly region: string
  /** The same for all requests that are made for this URL. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

interface KeptSignature {
  readonly headers: Readonly<Record<string, string>>
  readonly madeMs: number
  readonly aheadMs: number
  readonly key: AwsKey
  readonly method: string
}

/** Signatures of version 4 by their stores' clocks. They are kept by URL object, which lives as long as who reads the object. */
export class Signatures {
  /** By host: how far its clock is ahead of ours. */
  readonly #aheadMs = new Map<string, number>()
  readonly #secrets = new WeakMap<AwsKey, { readonly scope: string; readonly secret: KeyObject }>()
  readonly #kept = new WeakMap<URL, KeptSignature>()

  /** The headers that prove who asks. */
  headersFor(request: SignedRequest, key: AwsKey): Readonly<Record<string, string>> {
    const { url, method, region } = request
    const now = Date.now()
    const aheadMs = this.#aheadMs.get(url.host) ?? 0
    const kept = this.#kept.get(url)
    const isGood = kept?.key === key && kept.method === method && kept.aheadMs === aheadMs
    if (isGood && now - kept.madeMs <= SIGNED_MS) return kept.headers
    const toSign = { 'x-amz-content-sha256': EMPTY_PAYLOAD, ...request.headers }
    const parts = { method, url, headers: toSign, region, service: 's3', now: new Date(now + aheadMs) }
    const headers = signV4(parts, key, this.#secretOf)
    this.#kept.set(url, { headers, madeMs: now, aheadMs, key, method })
    return headers
  }

  /** Whether a refusal told what time it is at the store. */
  learnClock(answer: HttpAnswer, asked: URL, code: string): boolean {
    const date = Date.parse(headerOf(answer, 'date') ?? '')
    if (code !== 'RequestTimeTooSkewed' || Number.isNaN(date)) return false
    remember(this.#aheadMs, asked.host, date - Date.now())
    return true
  }

  readonly #secretOf = (key: AwsKey, scope: readonly string[]): KeyObject => {
    const name = scope.join('/')
    const known = this.#secrets.get(key)
    if (known?.scope === name) return known.secret
    const secret = deriveSecret(key, scope)
    this.#secrets.set(key, { scope: name, secret })
    return secret
  }
}

import { headerOf } from '../http/answer.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import { remember } from './remember.ts'
import { type AwsKey, EMPTY_PAYLOAD, type SignRequest, signerV4 } from './sigv4.ts'
import type { Target } from './targets.ts'

/** How long a signature is used again: stores take them for 15 minutes. */
const SIGNED_MS = 60_000
/** How long objects that are asked for once are signed by the same terms. */
const TERMS_MS = 10_000

/** What is signed of a request: its ranges and conditions are not, so that one signature serves all requests for an object. */
export interface SignedRequest {
  readonly url: URL
  readonly method: string
  readonly region: string
  /** The same object for all requests that have these headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A time at one host, and how requests are signed then. */
interface KeptTerms {
  readonly sign: SignRequest
  readonly headers: SignedRequest['headers']
  readonly aheadMs: number
  readonly madeMs: number
}

/** What proves for a while who asks for an object. */
export interface KeptSignature {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly key: AwsKey
  readonly method: string
  readonly terms: KeptTerms
}

/** Signatures of version 4 by their stores' clocks. */
export class Signatures {
  /** By host: how far its clock is ahead of ours. */
  readonly #aheadMs = new Map<string, number>()
  /** By host and region. */
  readonly #terms = new WeakMap<AwsKey, Map<string, KeptTerms>>()

  /** The headers that prove who asks; the target of an object keeps them for its next request. */
  headersFor(request: SignedRequest, key: AwsKey, target: Target | undefined): Readonly<Record<string, string>> {
    const { url, method } = request
    const kept = target?.signature
    const isSame = kept?.url === url && kept.key === key && kept.method === method
    if (isSame && this.#isGood(kept.terms, request, SIGNED_MS)) return kept.headers
    const terms = this.#termsOf(request, key)
    const headers = terms.sign(method, url)
    if (target !== undefined) target.signature = { url, headers, key, method, terms }
    return headers
  }

  /** Whether a refusal told what time it is at the store. */
  learnClock(answer: HttpAnswer, asked: URL, code: string): boolean {
    const date = Date.parse(headerOf(answer, 'date') ?? '')
    if (code !== 'RequestTimeTooSkewed' || Number.isNaN(date)) return false
    remember(this.#aheadMs, asked.host, date - Date.now())
    return true
  }

  #isGood({ aheadMs, madeMs, headers }: KeptTerms, request: SignedRequest, lifeMs: number): boolean {
    const isInTime = Date.now() - madeMs <= lifeMs && aheadMs === (this.#aheadMs.get(request.url.host) ?? 0)
    return isInTime && headers === request.headers
  }

  #termsOf(request: SignedRequest, key: AwsKey): KeptTerms {
    const { url, region, headers } = request
    const known = this.#terms.get(key) ?? new Map<string, KeptTerms>()
    const name = `${url.host} ${region}`
    const last = known.get(name)
    if (last !== undefined && this.#isGood(last, request, TERMS_MS)) return last
    const aheadMs = this.#aheadMs.get(url.host) ?? 0
    const madeMs = Date.now()
    const signed = { 'x-amz-content-sha256': EMPTY_PAYLOAD, ...headers }
    const sign = signerV4(
      { host: url.host, headers: signed, region, service: 's3', now: new Date(madeMs + aheadMs) },
      key,
    )
    const terms = { sign, headers, aheadMs, madeMs }
    remember(known, name, terms)
    this.#terms.set(key, known)
    return terms
  }
}

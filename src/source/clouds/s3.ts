import type { KeyObject } from 'node:crypto'
import { invalidRequest, type VirtualZarrError } from '../../errors.ts'
import { headerOf, statusError } from '../http/answer.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import { denied, lasting, notFound, unavailable } from '../http/failures.ts'
import { publicUrl } from '../public-url.ts'
import { awsChain } from './aws-chain.ts'
import type { Cloud, CloudKey, CloudProtocol, Failure, ListingPage, Place, Signed, Unsigned, Verdict } from './cloud.ts'
import { escaped, keyOf, locationUrl, pathOfKey, splitLocation, splitVersion } from './location.ts'
import { parseS3Page } from './s3-listing.ts'
import { type AwsKey, deriveSecret, EMPTY_PAYLOAD, signV4 } from './sigv4.ts'
import { parseXml, textIn } from './xml.ts'

/** `s3://bucket/key`, and `?versionId=` for one version of it. */
export const s3: Cloud = {
  name: 's3',
  schemes: ['s3:'],
  kinds: ['anonymous', 'default', 'static'],
  parse: parseLocation,
  spell: (location) => `s3://${location.hostname}/${keyOf(location)}${location.search}`,
  chain: awsChain,
  open: () => new S3Protocol(),
}

/** Old buckets have upper case and underscores; nothing here may mean something in a host's name or a path. */
const BUCKET = /^[a-z0-9](?:[a-z0-9_-]|\.(?!\.)){1,254}$/i
/** Comes from headers of answers, and becomes a part of a host's name. */
const REGION = /^[a-z0-9-]{1,40}$/
const DEFAULT_REGION = 'us-east-1'

function parseLocation(text: string): URL {
  const { location, query } = splitVersion(text, 'versionId')
  const { authority, key } = splitLocation(location)
  if (!BUCKET.test(authority)) throw invalidRequest(`"${publicUrl(text)}" names no bucket, expected s3://bucket/key`)
  return locationUrl('s3:', authority, key, query)
}

/** Most buckets whose region is remembered, and hosts whose clock is. */
const MOST_REMEMBERED = 10_000
/** How long a signature is used again: stores take them for 15 minutes. */
const SIGNED_MS = 60_000

interface KeptSignature {
  readonly headers: Readonly<Record<string, string>>
  readonly madeMs: number
  readonly aheadMs: number
  readonly key: CloudKey
  readonly method: string
}

class S3Protocol implements CloudProtocol {
  readonly #regions = new Map<string, string>()
  /** By host: how far its clock is ahead of ours. */
  readonly #aheadMs = new Map<string, number>()
  // Both by URL objects, which live as long as who reads the object: the requests for its ranges cost next to nothing.
  readonly #targets = new WeakMap<URL, { readonly url: URL; readonly region: string }>()
  readonly #secrets = new WeakMap<AwsKey, { readonly scope: string; readonly secret: KeyObject }>()
  readonly #signatures = new WeakMap<URL, KeptSignature>()

  objectUrl(location: URL, place: Place): URL {
    const region = this.#regionOf(location, place)
    const known = this.#targets.get(location)
    if (known?.region === region) return known.url
    const key = keyOf(location)
    // The URL of a bucket answers a listing.
    if (key === '') throw notFound('there is a bucket, expected an object', location.href)
    const url = this.#urlOf(location, place, pathOfKey(key), location.search)
    this.#targets.set(location, { url, region })
    return url
  }

  listUrl(folder: URL, place: Place, token: string | undefined): URL {
    const texts = {
      'continuation-token': token,
      delimiter: '/',
      'encoding-type': 'url',
      'list-type': '2',
      prefix: keyOf(folder),
    }
    const pairs = Object.entries(texts).map(([name, text]) => (text === undefined ? [] : [`${name}=${escaped(text)}`]))
    return this.#urlOf(folder, place, '', `?${pairs.flat().join('&')}`)
  }

  sign({ location, url, method, headers }: Unsigned, place: Place, key: CloudKey | undefined): Signed {
    const payer = place.requesterPays === true ? { 'x-amz-request-payer': 'requester' } : undefined
    if (key?.kind !== 'aws') return { url, headers: { ...headers, ...payer } }
    const now = Date.now()
    const aheadMs = this.#aheadMs.get(url.host) ?? 0
    let kept = this.#signatures.get(url)
    // Ranges and conditions are not signed: one signature serves all requests for an object.
    if (kept?.key !== key || kept.method !== method || kept.aheadMs !== aheadMs || now - kept.madeMs > SIGNED_MS) {
      const region = this.#regionOf(location, place)
      const signed = { 'x-amz-content-sha256': EMPTY_PAYLOAD, ...payer }
      const toSign = { method, url, headers: signed, region, service: 's3', now: new Date(now + aheadMs) }
      kept = { headers: signV4(toSign, key, this.#secretOf), madeMs: now, aheadMs, key, method }
      this.#signatures.set(url, kept)
    }
    return { url, headers: { ...headers, ...kept.headers } }
  }

  readonly #secretOf = (key: AwsKey, scope: readonly string[]): KeyObject => {
    const name = scope.join('/')
    const known = this.#secrets.get(key)
    if (known?.scope === name) return known.secret
    const secret = deriveSecret(key, scope)
    this.#secrets.set(key, { scope: name, secret })
    return secret
  }

  judge({ answer, asked, text }: Failure, location: URL, place: Place): Verdict {
    const body = parseXml(text)
    const code = textIn(body, 'Code')?.trim() ?? ''
    const { status } = answer
    const region = headerOf(answer, 'x-amz-bucket-region') ?? textIn(body, 'Region')
    const isElsewhere = [301, 302, 307, 308].includes(status) || (status === 400 && OF_ANOTHER_REGION.includes(code))
    if (isElsewhere && region !== undefined && REGION.test(region)) {
      remember(this.#regions, this.#bucketOf(location, place), region)
      return { kind: 'again', error: errorOf(answer, code) }
    }
    const date = Date.parse(headerOf(answer, 'date') ?? '')
    if (code === 'RequestTimeTooSkewed' && !Number.isNaN(date)) {
      remember(this.#aheadMs, asked.host, date - Date.now())
      return { kind: 'again', error: errorOf(answer, code) }
    }
    if (EXPIRED.includes(code)) return { kind: 'expired', error: errorOf(answer, code) }
    return ABSENT.includes(code) && status === 404
      ? { kind: 'absent' }
      : { kind: 'error', error: errorOf(answer, code) }
  }

  parsePage(text: string, folder: URL): ListingPage {
    return parseS3Page(text, folder)
  }

  #regionOf(location: URL, place: Place): string {
    return this.#regions.get(this.#bucketOf(location, place)) ?? place.region ?? DEFAULT_REGION
  }

  #bucketOf(location: URL, place: Place): string {
    return `${place.endpoint?.href ?? ''} ${location.hostname}`
  }

  #urlOf(location: URL, place: Place, path: string, query: string): URL {
    const bucket = location.hostname
    const region = this.#regionOf(location, place)
    const base =
      place.endpoint ?? new URL(`https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}/`)
    const folder = base.pathname.replace(/\/$/, '')
    // A bucket that is not one label has no certificate as a host's name, and an address has no names below it.
    const isLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(bucket) && !/^[\d.]+$|^\[/.test(base.hostname)
    return (place.pathStyle ?? place.endpoint !== undefined) || !isLabel
      ? new URL(`${base.protocol}//${base.host}${folder}/${bucket}/${path}${query}`)
      : new URL(`${base.protocol}//${bucket}.${base.host}${folder}/${path}${query}`)
  }
}

function remember<T>(known: Map<string, T>, name: string, value: T): void {
  const [oldest] = known.keys()
  if (known.size >= MOST_REMEMBERED && oldest !== undefined) known.delete(oldest)
  known.set(name, value)
}

// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html

const OF_ANOTHER_REGION = ['AuthorizationHeaderMalformed', 'IllegalLocationConstraintException']
const ABSENT = ['NoSuchKey', 'NoSuchVersion']
const EXPIRED = ['ExpiredToken', 'TokenRefreshRequired', 'RequestExpired', 'InvalidToken', 'InvalidAccessKeyId']

function errorOf(answer: HttpAnswer, code: string): VirtualZarrError {
  const said = /^[A-Za-z0-9.]{1,64}$/.test(code) ? ` ${code}` : ''
  const { href } = answer.url
  if (EXPIRED.includes(code)) return denied(`the store answered${said}: the credentials for it are not valid`, href)
  if (code === 'RequestTimeout') return unavailable(`the store answered${said}`, href)
  if (answer.status === 404 && code !== 'NoSuchBucket') {
    // Whoever answered is no store, and knows nothing of its objects.
    if (!ABSENT.includes(code)) return lasting('the store answered 404 without saying what does not exist', href)
  }
  const hint = code === 'AccessDenied' ? ', which it also does for what does not exist when listing is not allowed' : ''
  return statusError(answer, said + hint)
}

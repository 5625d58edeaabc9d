import { invalidRequest, type VirtualZarrError } from '../../errors.ts'
import { headerOf, statusError } from '../http/answer.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import { denied, lasting, notFound, unavailable } from '../http/failures.ts'
import { publicUrl } from '../public-url.ts'
import { awsChain } from './aws-chain.ts'
import type {
  Cloud,
  CloudKey,
  CloudPlace,
  CloudProtocol,
  Failure,
  ListingPage,
  Signed,
  Unsigned,
  Verdict,
} from './cloud.ts'
import { keyOf, locationUrl, pathOfKey, splitLocation, splitVersion } from './location.ts'
import { remember } from './remember.ts'
import { parseS3Page, s3ListQuery } from './s3-listing.ts'
import { Signatures } from './signatures.ts'
import { Targets } from './targets.ts'
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

const PAYER = { 'x-amz-request-payer': 'requester' }

class S3Protocol implements CloudProtocol {
  readonly #regions = new Map<string, string>()
  readonly #signatures = new Signatures()
  readonly #targets = new Targets()

  objectUrl(location: URL, place: CloudPlace): URL {
    const region = this.#regionOf(location, place)
    return this.#targets.urlOf(location, region, () => {
      const key = keyOf(location)
      // The URL of a bucket answers a listing.
      if (key === '') throw notFound('there is a bucket, expected an object', location.href)
      return this.#urlOf(location, place, pathOfKey(key), location.search)
    })
  }

  listUrl(folder: URL, place: CloudPlace, token: string | undefined): URL {
    return this.#urlOf(folder, place, '', s3ListQuery(folder, { 'continuation-token': token, 'encoding-type': 'url' }))
  }

  sign({ location, url, method, headers }: Unsigned, place: CloudPlace, key: CloudKey | undefined): Signed {
    const payer = place.requesterPays === true ? PAYER : undefined
    if (key?.kind !== 'aws') return { url, headers: { ...headers, ...payer } }
    const region = this.#regionOf(location, place)
    const request = { url, method, region, headers: payer }
    const signed = this.#signatures.headersFor(request, key, this.#targets.of(location, url))
    return { url, headers: { ...headers, ...signed } }
  }

  judge({ answer, asked, text }: Failure, location: URL, place: CloudPlace): Verdict {
    const body = parseXml(text)
    const code = textIn(body, 'Code')?.trim() ?? ''
    const { status } = answer
    const region = headerOf(answer, 'x-amz-bucket-region') ?? textIn(body, 'Region')
    const isElsewhere = [301, 302, 307, 308].includes(status) || (status === 400 && OF_ANOTHER_REGION.includes(code))
    if (isElsewhere && region !== undefined && REGION.test(region)) {
      remember(this.#regions, this.#bucketOf(location, place), region)
      return { kind: 'again', error: errorOf(answer, code) }
    }
    if (this.#signatures.learnClock(answer, asked, code)) return { kind: 'again', error: errorOf(answer, code) }
    if (EXPIRED.includes(code)) return { kind: 'expired', error: errorOf(answer, code) }
    return ABSENT.includes(code) && status === 404
      ? { kind: 'absent' }
      : { kind: 'error', error: errorOf(answer, code) }
  }

  parsePage(text: string, folder: URL): ListingPage {
    return parseS3Page(text, folder)
  }

  #regionOf(location: URL, place: CloudPlace): string {
    const known = this.#regions.size === 0 ? undefined : this.#regions.get(this.#bucketOf(location, place))
    return known ?? place.region ?? DEFAULT_REGION
  }

  #bucketOf(location: URL, place: CloudPlace): string {
    return `${place.endpoint?.href ?? ''} ${location.hostname}`
  }

  #urlOf(location: URL, place: CloudPlace, path: string, query: string): URL {
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

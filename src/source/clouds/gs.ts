import { invalidRequest, type VirtualZarrError } from '../../errors.ts'
import { headerOf, statusError } from '../http/answer.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import { denied, lasting, notFound } from '../http/failures.ts'
import { publicUrl } from '../public-url.ts'
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
import { googleChain } from './google-chain.ts'
import { escaped, keyOf, locationUrl, pathOfKey, splitLocation, splitVersion } from './location.ts'
import { parseS3Page, s3ListQuery } from './s3-listing.ts'
import { Signatures } from './signatures.ts'
import { Targets } from './targets.ts'
import { parseXml, textIn } from './xml.ts'

// Google Cloud Storage by its XML API: https://docs.cloud.google.com/storage/docs/xml-api/overview

/** `gs://bucket/key`, and `?generation=` for one version of it. */
export const gs: Cloud = {
  name: 'gs',
  schemes: ['gs:', 'gcs:'],
  kinds: ['anonymous', 'default', 'bearer', 'service-account', 'static'],
  parse: parseLocation,
  spell: (location) => `gs://${location.hostname}/${keyOf(location)}${location.search}`,
  chain: googleChain,
  open: () => new GoogleProtocol(),
}

const BUCKET = /^[a-z0-9](?:[a-z0-9_-]|\.(?!\.)){1,220}[a-z0-9]$/

function parseLocation(text: string): URL {
  const { location, query } = splitVersion(text, 'generation')
  const { authority, key } = splitLocation(location)
  if (!BUCKET.test(authority)) throw invalidRequest(`"${publicUrl(text)}" names no bucket, expected gs://bucket/key`)
  return locationUrl('gs:', authority, key, query)
}

const PUBLIC = new URL('https://storage.googleapis.com/')
/** HMAC keys are bound to no region. */
const REGION = 'auto'

class GoogleProtocol implements CloudProtocol {
  readonly #signatures = new Signatures()
  readonly #targets = new Targets()
  readonly #payers = new WeakMap<URL, URL>()

  objectUrl(location: URL, place: CloudPlace): URL {
    return this.#targets.urlOf(location, '', () => {
      const key = keyOf(location)
      // The URL of a bucket answers a listing.
      if (key === '') throw notFound('there is a bucket, expected an object', location.href)
      return urlOf(location, place, pathOfKey(key), location.search)
    })
  }

  listUrl(folder: URL, place: CloudPlace, token: string | undefined): URL {
    return urlOf(folder, place, '', s3ListQuery(folder, { 'continuation-token': token }))
  }

  sign({ location, url, method, headers }: Unsigned, place: CloudPlace, key: CloudKey | undefined): Signed {
    const { version, rest } = withoutVersion(headers)
    if (key?.kind === 'aws') {
      // One request may not have headers of both makers: who pays is a parameter, and the version is seen by the answer.
      const asked = place.requesterPays === true ? this.#withPayer(url, place.project ?? '') : url
      const target = this.#targets.of(location, url)
      const signed = this.#signatures.headersFor({ url: asked, method, region: REGION }, key, target)
      return { url: asked, headers: { ...rest, ...signed } }
    }
    const project = place.project ?? (key?.kind === 'bearer' ? key.project : undefined)
    return {
      url,
      headers: {
        ...rest,
        ...(version === undefined ? {} : { 'x-goog-if-generation-match': version }),
        ...(place.requesterPays === true && project !== undefined ? { 'x-goog-user-project': project } : {}),
        ...(key?.kind === 'bearer' ? { authorization: `Bearer ${key.token}` } : {}),
      },
    }
  }

  understand(answer: HttpAnswer): HttpAnswer {
    const generation = headerOf(answer, 'x-goog-generation')
    if (generation === undefined || !/^\d{1,20}$/.test(generation)) return answer
    const headers = { ...answer.headers, etag: tagOf(generation) }
    const { url, status, body } = answer
    return { url, status, headers, body, discard: () => answer.discard() }
  }

  judge({ answer, asked, text }: Failure): Verdict {
    const code = textIn(parseXml(text), 'Code')?.trim() ?? ''
    const error = errorOf(answer, code)
    if (code === ABSENT && answer.status === 404) return { kind: 'absent' }
    if (this.#signatures.learnClock(answer, asked, code)) return { kind: 'again', error }
    return { kind: answer.status === 401 || EXPIRED.includes(code) ? 'expired' : 'error', error }
  }

  parsePage(text: string, folder: URL): ListingPage {
    return parseS3Page(text, folder)
  }

  #withPayer(url: URL, project: string): URL {
    const known = this.#payers.get(url)
    if (known !== undefined) return known
    const asked = new URL(`${url.href}${url.search === '' ? '?' : '&'}userProject=${escaped(project)}`)
    this.#payers.set(url, asked)
    return asked
  }
}

function urlOf(location: URL, place: CloudPlace, path: string, query: string): URL {
  const base = place.endpoint ?? PUBLIC
  return new URL(
    `${base.protocol}//${base.host}${base.pathname.replace(/\/$/, '')}/${location.hostname}/${path}${query}`,
  )
}

/** What names the version of an object: its own ETag may stay when it is written anew. */
const tagOf = (generation: string) => `"generation ${generation}"`
const TAG = /^"generation (\d+)"$/

/** The headers of a request without conditions that only make sense here, and the generation that they ask for. */
function withoutVersion(headers: Readonly<Record<string, string>>): {
  readonly version: string | undefined
  readonly rest: Readonly<Record<string, string>>
} {
  const { 'if-match': match, 'if-none-match': noneMatch, ...rest } = headers
  const version = TAG.exec(match ?? '')?.[1]
  if (version !== undefined || TAG.test(noneMatch ?? '')) return { version, rest }
  return { version: undefined, rest: headers }
}

// https://docs.cloud.google.com/storage/docs/xml-api/reference-status

const ABSENT = 'NoSuchKey'
const EXPIRED = ['ExpiredToken', 'InvalidAccessKeyId', 'AuthenticationRequired']
const DENIED = [...EXPIRED, 'UserProjectMissing', 'UserProjectAccountProblem', 'UserProjectInvalid']

function errorOf(answer: HttpAnswer, code: string): VirtualZarrError {
  const said = /^[A-Za-z0-9]{1,64}$/.test(code) ? ` ${code}` : ''
  const { href } = answer.url
  if (DENIED.includes(code)) return denied(`the store answered ${answer.status}${said}`, href)
  if (answer.status === 404 && code !== 'NoSuchBucket' && code !== ABSENT) {
    // Whoever answered is no store, and knows nothing of its objects.
    return lasting('the store answered 404 without saying what does not exist', href)
  }
  const hint = code === 'AccessDenied' ? ', which it also does for what does not exist when listing is not allowed' : ''
  return statusError(answer, said + hint)
}

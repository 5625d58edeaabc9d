import { invalidRequest, type VirtualZarrError } from '../../errors.ts'
import { headerOf, statusError } from '../http/answer.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import { denied, lasting, notFound, unavailable } from '../http/failures.ts'
import { publicUrl } from '../public-url.ts'
import { azureChain } from './azure-chain.ts'
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
import { escaped, isName, keyOf, locationUrl, pathOfKey, splitLocation, splitVersion } from './location.ts'
import { type SignText, signerOf, signSharedKey } from './shared-key.ts'
import { Targets } from './targets.ts'
import { childrenIn, parseXml, textIn } from './xml.ts'

/** `az://account/container/key`, or `abfs://container@account.dfs.core.windows.net/key`; `?versionid=` for one version of it. */
export const azure: Cloud = {
  name: 'az',
  schemes: ['az:', 'abfs:', 'abfss:'],
  kinds: ['anonymous', 'default', 'bearer', 'sas', 'shared-key'],
  parse: parseLocation,
  spell: (location) => {
    const [container, key] = partsOf(location)
    return `abfs://${container}@${location.hostname}.dfs.core.windows.net/${key}${location.search}`
  },
  chain: azureChain,
  open: () => new AzureProtocol(),
}

const ACCOUNT = /^[a-z0-9]{3,24}$/
const CONTAINER = /^(?:\$root|\$web|[a-z0-9][a-z0-9-]{1,61}[a-z0-9])$/
const IN_HOST = /^([^@]*)@([a-z0-9]+)\.(?:dfs|blob)\.core\.windows\.net$/

function parseLocation(text: string): URL {
  const { location, query } = splitVersion(text, 'versionid')
  const { authority, key } = splitLocation(location)
  const [, inside, owner] = IN_HOST.exec(authority) ?? []
  const isOfHost = /^abfss?:/i.test(text)
  const account = isOfHost ? owner : authority
  const path = isOfHost ? `${inside}/${key}` : key
  const [container = ''] = path.split('/')
  if (account === undefined || !ACCOUNT.test(account) || (path !== '' && !CONTAINER.test(container))) {
    const forms = 'az://account/container/key or abfs://container@account.dfs.core.windows.net/key'
    throw invalidRequest(`"${publicUrl(text)}" names no account and container, expected ${forms}`)
  }
  return locationUrl('az:', account, path, query)
}

/** Container and key. */
function partsOf(location: URL): readonly [string, string] {
  const path = keyOf(location)
  const slash = path.indexOf('/')
  return slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)]
}

/** Versions of blobs, and ETags in quotes; later ones escape names in listings. */
const API_VERSION = '2020-10-02'

class AzureProtocol implements CloudProtocol {
  readonly #targets = new Targets()
  readonly #signers = new WeakMap<CloudKey, SignText>()
  /** How far the stores' clock is ahead of ours. */
  #aheadMs = 0
  #date = { second: 0, text: '' }

  objectUrl(location: URL, place: CloudPlace): URL {
    return this.#targets.urlOf(location, '', () => {
      const [container, key] = partsOf(location)
      // The URL of a container answers a listing.
      if (key === '') throw notFound('there is a container, expected an object', location.href)
      return urlOf(location, place, `${container}/${pathOfKey(key)}`, location.search)
    })
  }

  listUrl(folder: URL, place: CloudPlace, token: string | undefined): URL {
    const [container, prefix] = partsOf(folder)
    if (container === '') throw notFound('there is an account, expected a container', folder.href)
    const marker = token === undefined ? '' : `&marker=${escaped(token)}`
    const query = `?restype=container&comp=list&delimiter=%2F&prefix=${escaped(prefix)}${marker}`
    return urlOf(folder, place, container, query)
  }

  sign({ location, url, method, headers }: Unsigned, _place: CloudPlace, key: CloudKey | undefined): Signed {
    const sent = { ...headers, 'x-ms-version': API_VERSION }
    switch (key?.kind) {
      case 'bearer':
        return { url, headers: { ...sent, authorization: `Bearer ${key.token}` } }
      case 'sas':
        return {
          url: new URL(`${url.href}${url.search === '' ? '?' : '&'}${key.token.replace(/^\?/, '')}`),
          headers: sent,
        }
      case 'shared-key': {
        const dated = { ...sent, 'x-ms-date': this.#dateText() }
        const sign = this.#signers.get(key) ?? signerOf(key.accountKey)
        this.#signers.set(key, sign)
        return { url, headers: signSharedKey({ method, url, headers: dated, account: location.hostname }, sign) }
      }
      default:
        return { url, headers: sent }
    }
  }

  /** By the stores' clock; it says seconds. */
  #dateText(): string {
    const second = Math.floor((Date.now() + this.#aheadMs) / 1000)
    if (this.#date.second !== second) this.#date = { second, text: new Date(second * 1000).toUTCString() }
    return this.#date.text
  }

  judge({ answer, text }: Failure): Verdict {
    const body = parseXml(text)
    const code = (headerOf(answer, 'x-ms-error-code') ?? textIn(body, 'Code') ?? '').trim()
    const error = errorOf(answer, code)
    if (code === 'BlobNotFound' && answer.status === 404) return { kind: 'absent' }
    const date = Date.parse(headerOf(answer, 'date') ?? '')
    if (code === 'AuthenticationFailed' && /date header/i.test(text) && !Number.isNaN(date)) {
      this.#aheadMs = date - Date.now()
      return { kind: 'again', error }
    }
    const isExpired = answer.status === 401 || EXPIRED.includes(code)
    return { kind: isExpired ? 'expired' : 'error', error }
  }

  /** https://learn.microsoft.com/rest/api/storageservices/list-blobs */
  parsePage(text: string, folder: URL): ListingPage {
    const root = parseXml(text)
    const [blobs] = childrenIn(root, 'Blobs')
    if (root?.name !== 'EnumerationResults' || blobs === undefined) {
      throw unavailable('the store answered no page of a listing', folder.href)
    }
    const [, prefix] = partsOf(folder)
    const keys = [...childrenIn(blobs, 'Blob'), ...childrenIn(blobs, 'BlobPrefix')].map(
      (each) => textIn(each, 'Name') ?? '',
    )
    const names = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
    return { names: names.filter(isName), token: textIn(root, 'NextMarker') || undefined }
  }
}

function urlOf(location: URL, place: CloudPlace, path: string, query: string): URL {
  const account = location.hostname
  const { endpoint } = place
  if (endpoint === undefined) return new URL(`https://${account}.blob.core.windows.net/${path}${query}`)
  const folder = endpoint.pathname.replace(/\/$/, '')
  return new URL(`${endpoint.protocol}//${endpoint.host}${folder}/${account}/${path}${query}`)
}

// https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes

const EXPIRED = ['AuthenticationFailed', 'InvalidAuthenticationInfo']
const DENIED = [...EXPIRED, 'PublicAccessNotPermitted', 'NoAuthenticationInformation']

function errorOf(answer: HttpAnswer, code: string): VirtualZarrError {
  const said = /^[A-Za-z0-9]{1,64}$/.test(code) ? ` ${code}` : ''
  const { href } = answer.url
  if (DENIED.includes(code)) return denied(`the store answered${said}`, href)
  if (answer.status === 404 && code !== 'ContainerNotFound') {
    // What is private does not exist for strangers: that it is missing is not said.
    if (code === 'ResourceNotFound') return denied(`the store answered${said}, as it does for what is private`, href)
    if (code !== 'BlobNotFound') return lasting('the store answered 404 without saying what does not exist', href)
  }
  return statusError(answer, said)
}

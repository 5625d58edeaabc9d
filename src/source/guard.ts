import { isPublicAddress } from './address.ts'
import { cloudOf } from './clouds/registry.ts'
import { closed, forbidden } from './http/failures.ts'
import type { SourceSettings } from './settings.ts'
import { parseSourceUrl } from './source-url.ts'
import { hostOf, isBelow, mayBeBelow, parseUrlPrefix, type UrlPrefix } from './url-prefix.ts'

/**
 * How a URL may be reached: `public` checks each address at connect time, `allowed` is below a prefix of the operator's, `store` by
 * the requests that an object store's protocol makes of it.
 */
export type Reach = 'public' | 'allowed' | 'file' | 'store'

/** Judges URLs before anything is asked of them, on every hop. */
export interface Guard {
  /** Parses a URL as a user or a document wrote it; a fragment is dropped. */
  parse(text: string, base?: URL): URL
  /** Throws `source-forbidden`. */
  judge(url: URL): Reach
  /** Judges a request for an object whose location was judged; an endpoint that the operator set may be anywhere. */
  reach(url: URL, isOwnEndpoint: boolean): 'public' | 'allowed'
}

const LOCAL_NAMES = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/i

/** A guard for these settings; a prefix that makes no sense is `invalid-request`. */
export function createGuard(settings: Pick<SourceSettings, 'allow' | 'deny' | 'only' | 'ports'>): Guard {
  const allow = settings.allow.map((text) => parseUrlPrefix(text, 'allowed sources'))
  const deny = settings.deny.map((text) => parseUrlPrefix(text, 'denied sources'))
  const only = settings.only.map((text) => parseUrlPrefix(text, 'only sources'))

  function judge(url: URL): Reach {
    const isStore = cloudOf(url.protocol) !== undefined
    if (!isStore && !['http:', 'https:', 'file:'].includes(url.protocol)) {
      throw forbidden(`the scheme ${url.protocol} may not be read, expected http, https, s3, gs, az or file`, url.href)
    }
    if (url.username !== '' || url.password !== '') throw forbidden('a URL with a user name may not be read', url.href)
    judgeDenied(url)
    // Of files real paths are compared as well, when they are opened (file-rules.ts): a link may lead below a prefix, or away from it.
    const isListed = (prefix: UrlPrefix) =>
      url.protocol === 'file:' ? prefix.scheme === 'file:' : isBelow(url, prefix)
    if (only.length > 0 && !only.some(isListed)) {
      throw forbidden('only listed sources may be read here (VZ_ONLY_SOURCES)', url.href)
    }
    if (url.protocol === 'file:') return 'file'
    if (isStore) return 'store'
    if (allow.some((prefix) => isBelow(url, prefix))) return 'allowed'
    const isOdd = allow.some((prefix) => mayBeBelow(url, prefix))
    if (isOdd) throw forbidden('allowed sources are plain paths, without an encoded slash or dot', url.href)
    judgePublic(url, settings.ports)
    return 'public'
  }

  function judgeDenied(url: URL): void {
    if (deny.some((prefix) => mayBeBelow(url, prefix))) {
      throw forbidden('this source is denied here (VZ_DENY_SOURCES)', url.href)
    }
  }

  function reach(url: URL, isOwnEndpoint: boolean): 'public' | 'allowed' {
    judgeDenied(url)
    if (isOwnEndpoint || allow.some((prefix) => isBelow(url, prefix))) return 'allowed'
    judgePublic(url, settings.ports)
    return 'public'
  }

  return { parse: parseSourceUrl, judge, reach }
}

function judgePublic(url: URL, ports: readonly number[]): void {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (!ports.includes(port)) throw closed(`port ${port} may not be read`, url.href)
  const host = hostOf(url)
  // `URL` has already turned decimal, octal, hexadecimal and shortened IPv4 into four numbers.
  const isLiteral = host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
  if (isLiteral && !isPublicAddress(host)) throw closed(`the address ${host} is not public`, url.href)
  if (!isLiteral && LOCAL_NAMES.test(host)) throw closed(`the host ${host} is not public`, url.href)
}

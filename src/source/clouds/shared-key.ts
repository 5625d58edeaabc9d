import { hmacBy } from './hmac.ts'

// Azure's Shared Key: https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key

export interface SharedKeyRequest {
  readonly method: string
  readonly url: URL
  /** All of them, names in lower case; `x-ms-date` among them. */
  readonly headers: Readonly<Record<string, string>>
  readonly account: string
}

/** Headers that are signed by their place, before those of Azure's own. */
const BY_PLACE = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
]

/** How the key of an account signs texts. */
export type SignText = (text: string) => string

export function signerOf(accountKey: string): SignText {
  const mac = hmacBy(Buffer.from(accountKey, 'base64'))
  return (text) => mac(text, 'base64')
}

/** The headers of a request with its signature. */
export function signSharedKey(request: SharedKeyRequest, sign: SignText): Readonly<Record<string, string>> {
  const { method, url, headers, account } = request
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-ms-'))
  const text = [
    method,
    ...BY_PLACE.map((name) => headers[name] ?? ''),
    ...own.sort(byName).map(([name, value]) => `${name}:${value.trim()}`),
    `/${account}${url.pathname}`,
    // The one part that is signed unescaped.
    ...(url.search === '' ? [] : [...url.searchParams])
      .sort(byName)
      .map(([name, value]) => `${name.toLowerCase()}:${value}`),
  ]
  return { ...headers, authorization: `SharedKey ${account}:${sign(text.join('\n'))}` }
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1
}

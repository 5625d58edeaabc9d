import { createHmac } from 'node:crypto'

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

/** The headers of a request with its signature. */
export function signSharedKey(request: SharedKeyRequest, accountKey: string): Readonly<Record<string, string>> {
  const { method, url, headers, account } = request
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-ms-'))
  const text = [
    method,
    ...BY_PLACE.map((name) => headers[name] ?? ''),
    ...own.sort(byName).map(([name, value]) => `${name}:${value.trim()}`),
    `/${account}${url.pathname}`,
    // The one part that is signed unescaped.
    ...[...url.searchParams].sort(byName).map(([name, value]) => `${name.toLowerCase()}:${value}`),
  ]
  const signature = createHmac('sha256', Buffer.from(accountKey, 'base64')).update(text.join('\n')).digest('base64')
  return { ...headers, authorization: `SharedKey ${account}:${signature}` }
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1
}

import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'

// AWS Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html

export interface AwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

export interface ToSign {
  readonly method: string
  /** Its path and query are signed as they stand: escaped by RFC 3986 already. */
  readonly url: URL
  /** Signed besides `host` and the date; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly region: string
  readonly service: string
  readonly now: Date
}

/** Of a request without a body. */
export const EMPTY_PAYLOAD = hash('sha256', '')

/** The headers of a request with its signature; the date's among them. */
export function signV4(toSign: ToSign, key: AwsKey, secretOf = deriveSecret): Readonly<Record<string, string>> {
  const { method, url, region, service, now } = toSign
  const time = `${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
  const headers: Readonly<Record<string, string>> = { ...toSign.headers, 'x-amz-date': time, ...tokenOf(key) }
  const signed = Object.entries({ ...headers, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.search),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'] ?? EMPTY_PAYLOAD,
  ].join('\n')
  const scope = [time.slice(0, 8), region, service, 'aws4_request']
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), hash('sha256', canonical)]
  const signature = hmac(secretOf(key, scope), text.join('\n')).toString('hex')
  const credential = `Credential=${key.accessKeyId}/${scope.join('/')}`
  return { ...headers, authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}` }
}

function tokenOf({ sessionToken }: AwsKey): Readonly<Record<string, string>> {
  return sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }
}

function canonicalQuery(search: string): string {
  const pairs = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
  return pairs
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair] as const)
    .sort(([one, onePair], [other, otherPair]) => compare(one, other) || compare(onePair, otherPair))
    .map(([, pair]) => pair)
    .join('&')
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** The secret of one day, region and service; making it costs more than all else. */
export function deriveSecret(key: AwsKey, scope: readonly string[]): KeyObject {
  const secret = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${key.secretAccessKey}`)
  return createSecretKey(Buffer.from(secret))
}

function hmac(secret: string | Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

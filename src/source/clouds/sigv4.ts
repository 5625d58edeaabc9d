import { createHmac, hash } from 'node:crypto'
import { hmacBy } from './hmac.ts'

// AWS Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html

export interface AwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** What requests to one host have in common, so that signing one more of them costs little. */
export interface SigningTerms {
  readonly host: string
  /** Signed besides `host` and the date; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly region: string
  readonly service: string
  readonly now: Date
}

/** Path and query are signed as they stand: escaped by RFC 3986 already. Answers the headers that prove who asks, the date's among them. */
export type SignRequest = (method: string, url: URL) => Readonly<Record<string, string>>

/** Of a request without a body. */
export const EMPTY_PAYLOAD = hash('sha256', '')

/** How requests are signed by these terms. */
export function signerV4(terms: SigningTerms, key: AwsKey): SignRequest {
  const { host, region, service, now } = terms
  const time = `${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
  const headers: Readonly<Record<string, string>> = { ...terms.headers, 'x-amz-date': time, ...tokenOf(key) }
  const signed = Object.entries({ ...headers, host }).sort(([one], [other]) => (one < other ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const values = signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}\n`).join('')
  const end = `${values}\n${names}\n${headers['x-amz-content-sha256'] ?? EMPTY_PAYLOAD}`
  const scope = [time.slice(0, 8), region, service, 'aws4_request']
  const begin = `AWS4-HMAC-SHA256\n${time}\n${scope.join('/')}\n`
  const claim = `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=`
  const mac = hmacBy(deriveSecret(key, scope))
  return (method, { pathname, search }) => {
    const canonical = `${method}\n${pathname}\n${canonicalQuery(search)}\n${end}`
    const signature = mac(begin + hash('sha256', canonical), 'hex')
    return { ...headers, authorization: claim + signature }
  }
}

function tokenOf({ sessionToken }: AwsKey): Readonly<Record<string, string>> {
  return sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }
}

function canonicalQuery(search: string): string {
  if (search === '') return ''
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

/** The secret of one day, region and service. */
function deriveSecret(key: AwsKey, scope: readonly string[]): Buffer {
  const first = Buffer.from(`AWS4${key.secretAccessKey}`)
  return scope.reduce((last, part) => createHmac('sha256', last).update(part).digest(), first)
}

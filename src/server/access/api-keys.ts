import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ConfigError } from '../config-error.ts'

/** Who may ask, without what proves it. */
export interface ApiKey {
  /** As metrics and logs call it; never the key. */
  readonly name: string
  readonly hash: Buffer
}

/** Shorter ones could be guessed. */
const LEAST_LENGTH = 16
const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/
const HASH = /^[0-9a-f]{64}$/i
const TOKEN = /^[\x21-\x2b\x2d-\x39\x3b-\x7e]+$/

/** Reads `[name:]key` and `[name:]sha256:<hash in hex>`. No message shows what may be a key. */
export function readApiKeys(texts: readonly string[], setting: string): readonly ApiKey[] {
  const keys = texts.map((text, at) => readApiKey(text, `entry ${at + 1}`, setting, `key${at + 1}`))
  const names = new Set(keys.map(({ name }) => name))
  if (names.size < keys.length) throw new ConfigError(setting, 'two keys have the same name')
  return keys
}

function readApiKey(text: string, place: string, setting: string, fallback: string): ApiKey {
  const parts = text.split(':')
  const secret = parts.pop() ?? ''
  const isHash = parts.at(-1) === 'sha256'
  if (isHash) parts.pop()
  const [name = fallback, ...more] = parts
  if (more.length > 0 || !NAME.test(name)) {
    throw new ConfigError(
      setting,
      `${place}: expected [name:]key or [name:]sha256:hash, and a name of lower-case letters`,
    )
  }
  if (isHash) {
    if (!HASH.test(secret)) throw new ConfigError(setting, `${place}: the hash has not 64 hexadecimal digits`)
    return { name, hash: Buffer.from(secret, 'hex') }
  }
  if (secret.length < LEAST_LENGTH || !TOKEN.test(secret)) {
    throw new ConfigError(setting, `${place}: a key has at least ${LEAST_LENGTH} visible ASCII characters`)
  }
  return { name, hash: hashOf(secret) }
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Whose key a request brings, by `Authorization: Bearer` or `x-api-key`; undefined for none, and for a wrong one. */
export function holderOf(headers: IncomingHttpHeaders, keys: readonly ApiKey[]): ApiKey | undefined {
  const [, bearer] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
  const given = bearer ?? headers['x-api-key']
  if (typeof given !== 'string') return undefined
  const hash = hashOf(given)
  let holder: ApiKey | undefined
  // All are compared, each in constant time: how long it takes tells nothing.
  for (const key of keys) if (timingSafeEqual(key.hash, hash)) holder = key
  return holder
}

/** A server of Redis or Valkey, and who we are there. */
export interface RedisAddress {
  readonly host: string
  readonly port: number
  /** TLS, with the authorities that Node trusts. */
  readonly isSecure: boolean
  readonly username: string | undefined
  readonly password: string | undefined
  readonly database: number
}

const SCHEMES: ReadonlyMap<string, boolean> = new Map([
  ['redis:', false],
  ['valkey:', false],
  ['rediss:', true],
  ['valkeys:', true],
])
const USUAL_PORT = 6379

/** Reads `rediss://user:password@host:6379/0`; undefined for anything else. The text may hold a password: it is for no message. */
export function redisAddress(text: string): RedisAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isSecure = SCHEMES.get(url.protocol)
  const [, database] = /^\/?(\d{0,5})$/.exec(url.pathname) ?? []
  const [username, password] = [decoded(url.username), decoded(url.password)]
  if (isSecure === undefined || url.hostname === '' || database === undefined) return undefined
  if (username === undefined || password === undefined || url.search !== '' || url.hash !== '') return undefined
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? USUAL_PORT : Number(url.port),
    isSecure,
    username: username === '' ? undefined : username,
    password: username === '' && password === '' ? undefined : password,
    database: Number(database),
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

import type { Caller } from '../../routes/context.ts'

/** The service's address in links: the configured one, or as the client called it. */
export function publicUrlOf(configured: string | undefined): (caller: Caller) => string {
  if (configured !== undefined) return () => configured
  return (caller) => urlOfHost(caller.protocol, caller.host) ?? calledUrl(caller)
}

/**
 * Headers that say what can't be part of a URL's origin are ignored: a proxy's first, then the client's own. What is left is the address
 * that the client reached.
 */
function calledUrl({ host, protocol, raw, socket }: Caller): string {
  const scheme = protocol === 'https' ? 'https' : 'http'
  return urlOfHost(scheme, host) ?? urlOfHost(scheme, raw.headers.host ?? '') ?? `${scheme}://${addressOf(socket)}`
}

function addressOf({ localAddress = '127.0.0.1', localPort }: Caller['socket']): string {
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  return localPort === undefined ? host : `${host}:${localPort}`
}

/** A registered name or an address, and a port (RFC 3986, 3.2.2 and 3.2.3). */
const HOST = /^(?:[a-z\d](?:[\w.-]{0,252}[a-z\d])?\.?|\[[\d.:a-f]{2,45}\])(?::\d{1,5})?$/i

/** A URL of these, as they are spelled; undefined where they make none. */
export function urlOfHost(protocol: string, host: string): string | undefined {
  if ((protocol !== 'http' && protocol !== 'https') || !HOST.test(host)) return undefined
  const url = `${protocol}://${host}`
  return URL.canParse(url) ? url : undefined
}

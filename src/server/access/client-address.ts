import { isIPv4, isIPv6 } from 'node:net'

/** An IP address in its one spelling. */
export interface ClientAddress {
  readonly family: 'ipv4' | 'ipv6'
  readonly text: string
  /** The eight groups of an IPv6 address, in lower-case hexadecimal without leading zeros. */
  readonly groups: readonly string[]
}

/**
 * Reads an address as sockets and `X-Forwarded-For` spell it: with or without a port, quotes, brackets and a zone (RFC 4007), in any
 * of the forms of RFC 4291, section 2.2. An IPv4 address inside an IPv6 one (mapped, section 2.5.5.2) is the IPv4 address. Undefined for
 * what is no address.
 */
export function parseClientAddress(text: string): ClientAddress | undefined {
  const bare = withoutPort(text.trim().replace(/^"(.*)"$/, '$1')).replace(/%.*$/, '')
  if (isIPv4(bare)) return { family: 'ipv4', text: bare, groups: [] }
  if (!isIPv6(bare)) return undefined
  // `URL` writes an address in one form (RFC 5952 without dotted IPv4).
  const shortest = new URL(`http://[${bare}]/`).hostname.slice(1, -1)
  const groups = eightGroups(shortest)
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  if (!isMapped) return { family: 'ipv6', text: shortest, groups }
  const bytes = groups.slice(6).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
  return { family: 'ipv4', text: bytes.join('.'), groups: [] }
}

/** Some proxies write the port as well; an IPv6 address with a port stands in brackets. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1]
  return bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}

function eightGroups(shortest: string): readonly string[] {
  const [head = '', tail] = shortest.split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  return [...before, ...new Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

/** Whether an address is of this machine alone: `127.0.0.0/8` or `::1`. */
export function isLoopbackAddress(text: string): boolean {
  const address = parseClientAddress(text)
  return address?.family === 'ipv4' ? address.text.startsWith('127.') : address?.text === '::1'
}

import ipaddr from 'ipaddr.js'

/** Public by number, but never somebody's data: Azure's wire server. */
const METADATA_SERVICES = ['168.63.129.16']

/**
 * Whether an IP address is globally routable unicast. IPv4 inside IPv6 is unwrapped where that form is in use today
 * (mapped, NAT64); the historical ones (compatible, 6to4, Teredo, ISATAP) are refused as a whole.
 */
export function isPublicAddress(text: string): boolean {
  const bare = text.replace(/^\[|\]$/g, '')
  // RFC 4291, section 2.5.5.1: IPv4-compatible; ipaddr.js takes it for the mapped form.
  if (!ipaddr.isValid(bare) || /^::\d+\./.test(bare)) return false
  const address = ipaddr.parse(bare)
  return address instanceof ipaddr.IPv4 ? isPublicIpv4(address) : isPublicIpv6(address as ipaddr.IPv6)
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !METADATA_SERVICES.includes(address.toString())
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address())
  const parts = address.parts
  const last = [parts[6] ?? 0, parts[7] ?? 0].flatMap((part) => [part >> 8, part & 0xff])
  // RFC 6052, section 2.1: only the well-known /96 can lead to public addresses; 64:ff9b:1::/48 is for local use.
  if (address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)) return isPublicIpv4(new ipaddr.IPv4(last))
  // RFC 5214, section 6.1: the interface identifier of ISATAP, under any prefix.
  if (parts[5] === 0x5efe && ((parts[4] ?? 0) & 0xfdff) === 0) return false
  // RFC 4291: what IANA has given out for global unicast is 2000::/3; this leaves out `::/96` as well.
  return address.range() === 'unicast' && ((parts[0] ?? 0) & 0xe000) === 0x2000
}

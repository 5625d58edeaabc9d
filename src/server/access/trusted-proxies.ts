import { BlockList, isIP } from 'node:net'
import { ConfigError } from '../config-error.ts'
import { parseClientAddress } from './client-address.ts'

/** Whose X-Forwarded-* headers are believed: nobody's, those of so many proxies in front, or of proxies at these addresses. */
export type ProxyTrust = false | number | readonly string[]

/** Reads `VZ_TRUST_PROXY`: true is the one proxy in front. */
export function readProxyTrust(texts: readonly string[], setting: string): ProxyTrust {
  const [text = 'false'] = texts
  if (texts.length <= 1) {
    if (text === 'false' || text === '0') return false
    if (text === 'true') return 1
    if (/^[1-9]$/.test(text)) return Number(text)
  }
  for (const place of texts) {
    const [address = '', bits] = place.split('/', 2)
    const family = isIP(address)
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    if (family === 0 || !isNetwork) {
      throw new ConfigError(
        setting,
        `${place} is neither true, false, a number of proxies up to 9, nor an address or a network`,
      )
    }
  }
  return texts
}

/** The same as Fastify takes it: the number of a hop counts from this server, so that what a client wrote itself comes last. */
export function trustFunction(trust: ProxyTrust): false | ((address: string, hop: number) => boolean) {
  if (trust === false) return false
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  const networks = new BlockList()
  for (const place of trust) addNetwork(networks, place)
  return (text) => {
    const address = parseClientAddress(text)
    return address !== undefined && networks.check(address.text, address.family)
  }
}

/** A network of IPv4 addresses inside IPv6 is meant as that of IPv4: that is how addresses are compared. */
function addNetwork(networks: BlockList, place: string): void {
  const [written = '', bits] = place.split('/', 2)
  const address = parseClientAddress(written)
  if (address === undefined) throw new Error(`${place} is no network`)
  const { family, text } = address
  const all = family === 'ipv4' ? 32 : 128
  const given = bits === undefined ? all : Number(bits) - (family === 'ipv4' && isIP(written) === 6 ? 96 : 0)
  networks.addSubnet(text, Math.max(0, given), family)
}

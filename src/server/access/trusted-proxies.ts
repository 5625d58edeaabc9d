import { isIP } from 'node:net'
import { ConfigError } from '../config-error.ts'

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
export function trustFunction(trust: ProxyTrust): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  return trust === false ? false : [...trust]
}

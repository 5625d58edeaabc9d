import type { FastifyInstance, FastifyRequest } from 'fastify'
import { VirtualZarrError } from '../../errors.ts'
import { isLoopbackAddress } from '../access/client-address.ts'
import { urlOfHost } from '../public-url.ts'

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND']

/**
 * Refuses what pages of others send to a service of this machine: a browser lets any page post to a loopback address, and one whose
 * host's name was pointed there (DNS rebinding) would read the answer as well. Clients that are no browser send no `Origin`.
 */
export function refusePostingPages(http: FastifyInstance, publicUrl: string | undefined): void {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl)
  http.addHook('onRequest', (request, _reply, done) => {
    done(SAFE_METHODS.includes(request.method) ? undefined : refusalOf(request, own))
  })
}

function refusalOf({ ip, headers }: FastifyRequest, own: URL | undefined): Error | undefined {
  const called = URL.parse(urlOfHost('http', headers.host ?? '') ?? '')
  const isCalledByName = called !== null && (isLoopbackName(called.hostname) || called.hostname === own?.hostname)
  const isLocal = isLoopbackAddress(ip)
  if (isLocal && !isCalledByName) {
    const found = JSON.stringify((headers.host ?? '').slice(0, 100))
    return refused(`the Host is ${found}, expected a loopback name such as localhost, or the host of VZ_PUBLIC_URL`)
  }
  const { origin } = headers
  // A container that is published on this machine sees no loopback address: its public URL says so.
  if (origin === undefined || !(isLocal || (own !== undefined && isLoopbackName(own.hostname)))) return undefined
  const page = URL.parse(origin)
  const isWeb = page?.protocol === 'http:' || page?.protocol === 'https:'
  const isKnown = page?.origin === own?.origin || (isCalledByName && page?.host === called.host)
  if (isWeb && (isKnown || isLoopbackName(page.hostname))) return undefined
  return refused(
    `the Origin is ${JSON.stringify(origin.slice(0, 100))}, expected that of VZ_PUBLIC_URL or a loopback one`,
  )
}

function refused(found: string): Error {
  return new VirtualZarrError('request-forbidden', `a page of another origin may not send this: ${found}`)
}

/** Names that lead to this machine, whoever is asked for their address (RFC 6761, section 6.3). */
function isLoopbackName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)
}

import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isPublicAddress } from '../address.ts'
import { closed } from './failures.ts'

/** Finds the addresses of a name. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: readonly { readonly address: string; readonly family: number }[]) => void,
) => void

/** The system's own resolver. */
export const systemResolve: Resolve = (hostname, done) => {
  lookup(hostname, { all: true }, (error, addresses) => done(error, error === null ? addresses : []))
}

/**
 * Connects to public addresses only. Names are resolved here and the connection goes to one of the addresses that were
 * checked, so that a second answer of the resolver can't change where it leads; one bad address refuses them all.
 */
export function publicConnector(timeoutMs: number, resolve: Resolve): buildConnector.connector {
  const connect = buildConnector({ ...shared(timeoutMs), lookup: checkedLookup(resolve) })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    // Node does not call `lookup` for IP literals.
    if (isIP(host) !== 0 && !isPublicAddress(host)) {
      callback(closed(`the address ${host} is not public`, urlOf(options)), null)
      return
    }
    connect(options, (error, socket) => {
      if (error instanceof NotPublic) callback(closed(error.message, urlOf(options)), null)
      else if (error !== null) callback(error, null)
      else callback(null, socket)
    })
  }
}

/** Connects wherever an allowed prefix leads. */
export function allowedConnector(timeoutMs: number, resolve: Resolve): buildConnector.connector {
  return buildConnector({ ...shared(timeoutMs), lookup: plainLookup(resolve, () => undefined) })
}

// HTTP/2 is off: one slow stream would hold back the others of its connection, and an abort must free a socket.
function shared(timeout: number): { timeout: number; allowH2: false } {
  return { timeout, allowH2: false }
}

/** A name that was looked up for a connection, whose scheme and port its refusal must name. */
class NotPublic extends Error {}

function checkedLookup(resolve: Resolve): LookupFunction {
  return plainLookup(resolve, (hostname, address) => {
    if (isPublicAddress(address)) return undefined
    // Not which one: that would tell strangers about the names of this network.
    return new NotPublic(`the host ${hostname} leads to an address that is not public`)
  })
}

function plainLookup(
  resolve: Resolve,
  refusal: (hostname: string, address: string) => Error | undefined,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return callback(error, '')
      for (const { address } of addresses) {
        const refused = refusal(hostname, address)
        if (refused !== undefined) return callback(refused, '')
      }
      const first = addresses[0]
      if (first === undefined) return callback(new Error(`${hostname} has no address`), '')
      if (options.all === true) return callback(null, [...addresses])
      callback(null, first.address, first.family)
    })
  }
}

function urlOf(options: buildConnector.Options): string {
  return `${options.protocol}//${options.host ?? options.hostname}/`
}

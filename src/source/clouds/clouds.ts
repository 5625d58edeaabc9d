import type { Guard } from '../guard.ts'
import { forbidden } from '../http/failures.ts'
import type { Http } from '../http/http.ts'
import type { HttpWorld } from '../http/open.ts'
import type { SourceSettings } from '../settings.ts'
import { isBelow, parseUrlPrefix, type UrlPrefix } from '../url-prefix.ts'
import { WholeFiles } from '../whole-files.ts'
import { withConcurrency } from '../with-concurrency.ts'
import type { Cloud, CloudPlace, CloudProtocol } from './cloud.ts'
import { type CloudWay, cloudExchange } from './cloud-exchange.ts'
import { listFolder } from './cloud-listing.ts'
import { KeptKey } from './kept-key.ts'
import { loadKeyOf } from './load-key.ts'
import { CLOUDS, cloudOf } from './registry.ts'

/** The way to object stores. */
export interface Clouds {
  /** How a location is read; one that a document names goes with the credentials of that document's own prefix, or with none. */
  worldOf(location: URL, referrer: URL | undefined): HttpWorld
  /** Names directly below a folder, those of folders with a final `/`; undefined where listing is not allowed. */
  list(folder: URL, referrer: URL | undefined, signal: AbortSignal): Promise<readonly string[] | undefined>
}

type Way = CloudWay & { readonly world: HttpWorld }

/** Opens the ways that the settings describe; throws `invalid-request` for a prefix that makes no sense. */
export function openClouds(settings: SourceSettings, guard: Guard, http: Http): Clouds {
  const limit = settings.perOriginConcurrency
  // Where the operator's own endpoints are is the operator's business; only requests that are made here go there.
  const toOwn = withConcurrency(
    http.via((url) => guard.reach(url, true)),
    limit,
  )
  const toPublic = withConcurrency(
    http.via((url) => guard.reach(url, false)),
    limit,
  )

  function wayTo(protocol: CloudProtocol, place: CloudPlace, key: KeptKey | undefined): Way {
    const way = { protocol, place, key, settings, exchange: place.endpoint === undefined ? toPublic : toOwn }
    const exchange = cloudExchange(way)
    return { ...way, world: { exchange, settings, wholes: new WholeFiles(exchange, settings) } }
  }

  const stores = new Map<Cloud | undefined, Store>(CLOUDS.map((cloud) => [cloud, storeOf(cloud, settings, wayTo)]))

  function wayOf(location: URL, referrer: URL | undefined): Way {
    const store = stores.get(cloudOf(location.protocol))
    if (store === undefined) throw forbidden('this is no object store', location.href)
    const entry = store.entryOf(location)
    if (entry === undefined) return store.anonymous
    // What a stranger's document names is read as a stranger would; a local document, and one of the same prefix, is the operator's.
    const isOwn = referrer === undefined || referrer.protocol === 'file:' || store.entryOf(referrer) === entry
    return isOwn ? entry.own : entry.anonymous
  }

  return {
    worldOf: (location, referrer) => wayOf(location, referrer).world,
    list: (folder, referrer, signal) => listFolder(wayOf(folder, referrer), folder, signal),
  }
}

/** One kind of store: the operator's prefixes of it, and how what lies below none of them is read. */
interface Store {
  entryOf(url: URL): Entry | undefined
  readonly anonymous: Way
}

interface Entry {
  readonly below: UrlPrefix
  readonly own: Way
  readonly anonymous: Way
}

function storeOf(
  cloud: Cloud,
  { clouds }: SourceSettings,
  wayTo: (protocol: CloudProtocol, place: CloudPlace, key: KeptKey | undefined) => Way,
): Store {
  const protocol = cloud.open()
  const place = clouds.places[cloud.name] ?? {}
  const prefixes = clouds.prefixes.map((settings) => ({
    ...settings,
    below: parseUrlPrefix(settings.prefix, 'credentials'),
  }))
  const entries = prefixes
    .filter(({ below }) => cloud.schemes.includes(below.scheme))
    .sort((one, other) => depthOf(other.below) - depthOf(one.below))
    .map(({ prefix, below, place: own, credentials }): Entry => {
      const load = loadKeyOf(cloud, credentials)
      const merged = { ...place, ...own }
      const anonymous = wayTo(protocol, merged, undefined)
      return {
        below,
        anonymous,
        own: load === undefined ? anonymous : wayTo(protocol, merged, new KeptKey(prefix, load)),
      }
    })
  return {
    entryOf: (url) => entries.find(({ below }) => isBelow(url, below)),
    anonymous: wayTo(protocol, place, undefined),
  }
}

/** The longer prefix of a location is the one with more segments; that of a whole scheme is the shortest. */
function depthOf({ origin, segments }: UrlPrefix): number {
  return origin === undefined ? -1 : segments.length
}

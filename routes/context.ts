import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Catalog } from '../src/service/catalog.ts'
import type { StoreAddress } from '../src/service/store-address.ts'
import type { OptionTexts } from '../src/service/store-options.ts'
import type { StoreService } from '../src/service/store-service.ts'

/** What is to be verified: so large a part of the chunks of a store. */
export interface VerifyAsked {
  readonly url: string
  readonly options: OptionTexts
  readonly sample: string
  readonly signal: AbortSignal
}

/** How a client has called the service. */
export type Caller = Pick<FastifyRequest, 'raw' | 'host' | 'protocol' | 'socket'>

declare module 'fastify' {
  interface FastifyRequest {
    /** The store, as the URL spells it, whose chunk was answered: such answers are summarised in the log. */
    chunkStore: string | undefined
  }
}

/** What the routes are made of; handed over by `src/server/app.ts`. */
export interface RouteContext {
  readonly stores: StoreService
  readonly catalog: Catalog
  /** Options of stores whose URL doesn't give them (`VZ_DEFAULT_OPTIONS`). */
  readonly defaultOptions: OptionTexts
  /** The store that `{source}[;option=value]…` of a URL names. */
  readonly addressOf: (segment: string) => StoreAddress
  /** Whether answers are for those alone who may ask, so that no shared cache hands them on. */
  readonly isPrivate: boolean
  /** Origin (and path prefix) that names the service in links: configured, or as the client called it. */
  readonly publicUrl: (caller: Caller) => string
  /** Where posted join documents are kept; undefined where none are taken. */
  readonly documents: { post(bytes: Uint8Array): Promise<string> } | undefined
  /** Compares a store with its source; undefined where the operator doesn't allow it. */
  readonly verify: ((asked: VerifyAsked) => Promise<object>) | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly version: string
  /** The explorer's page as it was built. */
  readonly shell: string
  /** Whether it takes requests, and if not, why. */
  readonly readiness: () => 'ready' | 'draining' | 'out-of-memory'
  /** A template of URLs of tiles for its maps, and behind a blank what is written on them. */
  readonly tiles?: string | undefined
  readonly metrics: { readonly contentType: string; text(): Promise<string> }
}

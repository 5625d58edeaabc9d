import { createHash } from 'node:crypto'
import { isVirtualZarrError } from '../errors.ts'
import { lazily } from '../lazily.ts'
import { openClouds } from './clouds/clouds.ts'
import { knownFile, listFolder, openFileSource, type ToldFile, toldFile } from './file.ts'
import { fileRulesOf } from './file-rules.ts'
import { createGuard, type Guard, type Reach } from './guard.ts'
import { type Resolve, systemResolve } from './http/connector.ts'
import type { Exchange } from './http/exchange.ts'
import { forbidden } from './http/failures.ts'
import { type Http, openHttp, type TallyOf, withRedirects } from './http/http.ts'
import { type HttpSource, knownHttp, type ToldHttp } from './http/http-source.ts'
import { LazyHttpSource } from './http/lazy.ts'
import { listHttpFolder } from './http/listing.ts'
import { httpObject } from './http/object.ts'
import { type HttpWorld, openChecked } from './http/open.ts'
import { retried, withRetry } from './http/retry.ts'
import { lazyFileSource } from './lazy-file.ts'
import type { SourceSettings } from './settings.ts'
import type { OpenOptions, ReadOptions, Source, Sources } from './source.ts'
import { WholeFiles } from './whole-files.ts'
import { withConcurrency } from './with-concurrency.ts'

/** What can be replaced in tests. */
export interface SourcesInput {
  readonly resolve?: Resolve
  /** Wraps every exchange over the network; told which URLs are the operator's own. */
  readonly around?: ((exchange: Exchange, isAllowed: (url: URL) => boolean) => Exchange) | undefined
  /** Counts what becomes of requests to hosts. */
  readonly tallyOf?: TallyOf | undefined
}

/** Opens the way to all sources. */
export function openSources(settings: SourceSettings, input: SourcesInput = {}): Sources {
  const { guard, worldOf, list, close } = openWays(settings, input)
  const files = fileRulesOf(settings)
  const scope = lazily(() => scopeOf(settings))
  /** The unwrapped source of each one handed out: it knows how to ask whether it is fresh. */
  const opened = new WeakMap<Source, HttpSource>()

  async function open(url: string, options: OpenOptions = {}): Promise<Source> {
    return openUrl(guard.parse(url), options)
  }

  async function openUrl(url: URL, options: OpenOptions, referrer?: string): Promise<Source> {
    options.signal?.throwIfAborted()
    const reach = guard.judge(url)
    if (reach === 'file') return openFileSource(url, files)
    const bare = await openChecked(url, worldOf(reach, url, referrer), options)
    const source = withRetry(bare, settings)
    opened.set(source, bare)
    return source
  }

  return {
    open,
    openReference: async (url, referrer, options = {}) =>
      openUrl(referenceUrl(guard, url, referrer), options, referrer),
    reference: (text, referrer, condition) => {
      const url = referenceUrl(guard, text, referrer)
      const reach = guard.judge(url)
      if (reach === 'file') return lazyFileSource(url, files, condition)
      return withRetry(new LazyHttpSource(url, worldOf(reach, url, referrer), condition), settings)
    },
    object: async (text, options = {}) => {
      const { referrer } = options
      const url = referrer === undefined ? guard.parse(text) : referenceUrl(guard, text, referrer)
      const reach = guard.judge(url)
      if (reach === 'file') return await unlessAbsent(openFileSource(url, files))
      return httpObject(url, worldOf(reach, url, referrer), options)
    },
    list,
    isFresh: async (source, options = {}) => {
      const known = opened.get(source)
      if (known === undefined) return isStillThere(open, source, options)
      return retried(settings, source.url, options.signal, (inner) => known.isFresh(inner))
    },
    tell: (source) => opened.get(source)?.told ?? toldFile(source),
    known: (text, told, referrer) => {
      const url = referrer === undefined ? guard.parse(text) : referenceUrl(guard, text, referrer)
      const reach = guard.judge(url)
      if (reach === 'file') return knownFile(url, files, told as ToldFile)
      const bare = knownHttp(url, worldOf(reach, url, referrer), told as ToldHttp)
      const source = withRetry(bare, settings)
      opened.set(source, bare)
      return source
    },
    scopeOf: (url) => (guard.judge(guard.parse(url)) === 'store' ? scope() : ''),
    close,
  }
}

/** The operator's credentials and endpoints, so that none of them can be told from it. */
function scopeOf({ clouds }: SourceSettings): string {
  return createHash('sha256').update(JSON.stringify(clouds)).digest('base64url')
}

/** The ways to bytes, by what the guard says of a URL. */
interface Ways extends Pick<Sources, 'list' | 'close'> {
  readonly guard: Guard
  /** How a URL is read that was judged so. */
  worldOf(reach: Reach, url: URL, referrer: string | undefined): HttpWorld
}

/** The one place where the layers are stacked. */
function openWays(settings: SourceSettings, { resolve = systemResolve, around, tallyOf }: SourcesInput): Ways {
  const guard = createGuard(settings)
  const files = fileRulesOf(settings)
  const http = withAround(openHttp(guard, settings, resolve, tallyOf), guard, around)
  const exchange = withRedirects(withConcurrency(http.exchange, settings.perOriginConcurrency), guard)
  const world: HttpWorld = { exchange, settings, wholes: new WholeFiles(exchange, settings) }
  const clouds = openClouds(settings, guard, http)
  const referrerOf = (text: string | undefined) => (text === undefined ? undefined : guard.parse(text))
  return {
    guard,
    worldOf: (reach, url, referrer) => (reach === 'store' ? clouds.worldOf(url, referrerOf(referrer)) : world),
    list: async (folder, { signal, referrer } = {}) => {
      const url = guard.parse(folder)
      if (!url.pathname.endsWith('/')) url.pathname += '/'
      const reach = guard.judge(url)
      if (reach === 'file') return listFolder(url, files)
      return retried(settings, url.href, signal, (inner) =>
        reach === 'store' ? clouds.list(url, referrerOf(referrer), inner) : listHttpFolder(url, world, inner),
      )
    },
    close: () => http.close(),
  }
}

function withAround(http: Http, guard: Guard, around: SourcesInput['around']): Http {
  if (around === undefined) return http
  const isAllowed = (url: URL) => guard.judge(url) === 'allowed'
  return {
    exchange: around(http.exchange, isAllowed),
    via: (judge) => around(http.via(judge), () => false),
    close: () => http.close(),
  }
}

/** A reference counts from its document; only a local document may name local files. */
function referenceUrl(guard: Guard, url: string, referrer: string): URL {
  const base = guard.parse(referrer)
  const target = guard.parse(url, base)
  if (target.protocol === 'file:' && base.protocol !== 'file:') {
    throw forbidden('a remote document may not name local files', target.href)
  }
  return target
}

async function unlessAbsent(opening: Promise<Source>): Promise<Source | undefined> {
  try {
    return await opening
  } catch (error) {
    if (isVirtualZarrError(error, 'source-not-found')) return undefined
    throw error
  }
}

/** For sources that were not opened here as they are (files, inflated ones): opens again and compares. */
async function isStillThere(open: Sources['open'], source: Source, options: ReadOptions): Promise<boolean> {
  if (source.validator === undefined) return true
  try {
    const now = await open(source.url, options)
    return now.validator === source.validator
  } catch (error) {
    if (isVirtualZarrError(error, 'source-not-found')) return false
    throw error
  }
}

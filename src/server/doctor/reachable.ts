import { inParallel } from '../../in-parallel.ts'
import { addressOfUrl } from '../../service/store-address.ts'
import { publicUrl } from '../../source/public-url.ts'
import type { Config } from '../config.ts'
import type { Service } from '../service.ts'
import { type Check, reasonOf } from './check.ts'

const AT_ONCE = 8
const MOST_MILLISECONDS = 10_000
/** A clock that is off by more than this makes certificates and signatures fail sooner or later. */
const MOST_SKEW_SECONDS = 30

/** Opens every source of the catalog and each that is asked for; joins as far as their documents ask for it. */
export async function sourceChecks(
  config: Config,
  service: Service,
  urls: readonly string[],
): Promise<readonly Check[]> {
  const listed = [...config.catalog.values()].map(({ id, sourceUrl, options }) => ({
    what: id,
    url: sourceUrl,
    options,
  }))
  const asked = urls.map((url) => ({ what: publicUrl(url), url, options: new Map<string, string>() }))
  const checks = await inParallel([...listed, ...asked], AT_ONCE, async ({ what, url, options }): Promise<Check> => {
    const start = performance.now()
    try {
      const { parsed, store } = await within(service.stores.describe(addressOfUrl(url, options)))
      const took = Math.round(performance.now() - start)
      const arrays = [...store.nodes.values()].filter(({ kind }) => kind === 'array').length
      const told = `${parsed.format}, ${arrays} array${arrays === 1 ? '' : 's'}, opened in ${took} ms`
      const isGuessed = parsed.isGuessed
      return isGuessed
        ? { what, state: 'warning', told: `${told}; its host tells no version (ETag or Last-Modified)` }
        : { what, state: 'ok', told }
    } catch (error) {
      return { what, state: 'failed', told: reasonOf(error) }
    }
  })
  return checks.filter((check) => check !== undefined)
}

async function within<T>(work: Promise<T>): Promise<T> {
  const timer = AbortSignal.timeout(MOST_MILLISECONDS)
  return await Promise.race([
    work,
    new Promise<never>((_resolve, reject) =>
      timer.addEventListener('abort', () => reject(new Error(`not open after ${MOST_MILLISECONDS / 1000} s`))),
    ),
  ])
}

/** Asks each host that the configuration or the command names for its time. */
export async function hostChecks(config: Config, urls: readonly string[]): Promise<readonly Check[]> {
  const { places } = config.clouds
  const named = [
    ...urls,
    ...[...config.catalog.values()].map(({ sourceUrl }) => sourceUrl),
    ...[...config.allowSources, ...config.onlySources],
    ...Object.values(places).flatMap(({ endpoint }) => (endpoint === undefined ? [] : [String(endpoint)])),
  ]
  const origins = new Set(
    named.filter((url) => /^https?:/i.test(url) && URL.canParse(url)).map((url) => new URL(url).origin),
  )
  if (origins.size === 0) return [{ what: 'clock', state: 'off', told: 'no host to compare it with' }]
  return await inParallel([...origins], AT_ONCE, hostCheck)
}

async function hostCheck(origin: string): Promise<Check> {
  const start = Date.now()
  try {
    const answer = await fetch(origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(MOST_MILLISECONDS),
    })
    const took = Date.now() - start
    const date = Date.parse(answer.headers.get('date') ?? '')
    if (Number.isNaN(date)) return { what: origin, state: 'ok', told: `answers in ${took} ms, tells no time` }
    // The host's time is in whole seconds.
    const skew = Math.round((date + 500 - (start + took / 2)) / 1000)
    const told = `answers in ${took} ms, its clock is ${skew === 0 ? 'the same' : `${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`}`
    return { what: origin, state: Math.abs(skew) > MOST_SKEW_SECONDS ? 'warning' : 'ok', told }
  } catch (error) {
    const { cause } = error instanceof Error ? error : {}
    return { what: origin, state: 'failed', told: `no answer: ${reasonOf(cause ?? error)}` }
  }
}

import type { Exchange } from '../source/http/exchange.ts'

/** Hosts that are told by name besides those that the operator names: strangers choose them. */
const MOST_HOSTS = 50
const OTHER = 'other'

/** Requests to one host that had one kind of outcome. */
interface Series {
  count: number
  seconds: number
}

/** What origins take, by host: which source is slow, or fails. */
export class UpstreamMetrics {
  readonly #named: ReadonlySet<string>
  readonly #hosts = new Set<string>()
  /** The same by what is counted, of hosts that have a name here. */
  readonly #known = new Map<string, Series>()
  readonly #series = new Map<string, Series>()

  constructor(named: Iterable<string>) {
    this.#named = new Set(named)
  }

  /** Counts what passes: until the head of the answer has come. */
  readonly around = (inner: Exchange): Exchange => {
    return (request) => {
      const start = performance.now()
      const { hostname } = request.url
      const answer = inner(request)
      answer.then(
        ({ status }) => this.#count(hostname, `${Math.floor(status / 100)}xx`, start),
        () => this.#count(hostname, request.signal?.aborted === true ? 'given-up' : 'failed', start),
      )
      return answer
    }
  }

  text(): string {
    const series = [...this.#series]
    return [
      ...family('vz_upstream_requests_total', 'Requests to origins', series, ({ count }) => count),
      ...family('vz_upstream_seconds_total', 'Time until origins began to answer', series, ({ seconds }) => seconds),
    ].join('')
  }

  #count(hostname: string, outcome: string, start: number): void {
    const key = `${hostname} ${outcome}`
    const series = this.#known.get(key) ?? this.#seriesOf(key, hostname, outcome)
    series.count++
    series.seconds += (performance.now() - start) / 1000
  }

  #seriesOf(key: string, hostname: string, outcome: string): Series {
    const host = this.#labelOf(hostname)
    const labels = `host="${host}",outcome="${outcome}"`
    const series = this.#series.get(labels) ?? { count: 0, seconds: 0 }
    this.#series.set(labels, series)
    if (host !== OTHER) this.#known.set(key, series)
    return series
  }

  #labelOf(hostname: string): string {
    if (this.#named.has(hostname) || this.#hosts.has(hostname)) return hostname
    if (this.#hosts.size >= MOST_HOSTS) return OTHER
    this.#hosts.add(hostname)
    return hostname
  }
}

function* family(
  name: string,
  help: string,
  series: readonly (readonly [string, Series])[],
  numberOf: (series: Series) => number,
): Generator<string> {
  yield `# HELP ${name} ${help}\n# TYPE ${name} counter\n`
  for (const [labels, one] of series) yield `${name}{${labels}} ${numberOf(one)}\n`
}

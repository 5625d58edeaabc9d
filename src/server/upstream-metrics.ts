import type { HostTally, Outcome } from '../source/http/exchange.ts'

/** Hosts that are told by name besides those that the operator names: strangers choose them. */
const MOST_HOSTS = 50
const OTHER = 'other'

/** What origins take, by host: which source is slow, or fails. Whoever asks them counts (`source/http/incoming.ts`). */
export class UpstreamMetrics {
  readonly #named: ReadonlySet<string>
  readonly #tallies = new Map<string, HostTally>([[OTHER, emptyTally()]])
  #strangers = 0

  constructor(named: Iterable<string>) {
    this.#named = new Set(named)
  }

  /** Where requests to a host are counted. */
  tallyOf(hostname: string): HostTally {
    const label = this.#labelOf(hostname)
    const known = this.#tallies.get(label)
    if (known !== undefined) return known
    const tally = emptyTally()
    this.#tallies.set(label, tally)
    return tally
  }

  text(): string {
    const series = [...this.#tallies].flatMap(([host, tally]) => seriesOf(host, tally))
    return [
      ...family('vz_upstream_requests_total', 'Requests to origins', series, ({ count }) => count),
      ...family('vz_upstream_seconds_total', 'Time until origins began to answer', series, ({ seconds }) => seconds),
    ].join('')
  }

  #labelOf(hostname: string): string {
    if (this.#named.has(hostname) || this.#tallies.has(hostname)) return hostname
    if (this.#strangers >= MOST_HOSTS) return OTHER
    this.#strangers++
    return hostname
  }
}

function emptyTally(): HostTally {
  const none = (): Outcome => ({ count: 0, seconds: 0 })
  return { answered: Array.from({ length: 10 }, none), failed: none(), givenUp: none() }
}

type Series = readonly [labels: string, outcome: Outcome]

/** What has happened at all. */
function seriesOf(host: string, { answered, failed, givenUp }: HostTally): readonly Series[] {
  const all = [
    ...answered.map((outcome, digit) => [`${digit}xx`, outcome] as const),
    ['failed', failed] as const,
    ['given-up', givenUp] as const,
  ]
  return all
    .filter(([, { count }]) => count > 0)
    .map(([name, outcome]) => [`host="${host}",outcome="${name}"`, outcome])
}

function* family(
  name: string,
  help: string,
  series: readonly Series[],
  numberOf: (outcome: Outcome) => number,
): Generator<string> {
  yield `# HELP ${name} ${help}\n# TYPE ${name} counter\n`
  for (const [labels, one] of series) yield `${name}{${labels}} ${numberOf(one)}\n`
}

import { Counter, type Registry } from 'prom-client'
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

  /** Adds the counters to a registry; they are computed when the registry is read. */
  register(register: Registry): void {
    const counter = (name: string, help: string, amountOf: (outcome: Outcome) => number): void => {
      const tallies = this.#tallies
      new Counter({
        name,
        help,
        labelNames: ['host', 'outcome'],
        registers: [register],
        collect() {
          this.reset()
          for (const [host, tally] of tallies) {
            for (const [outcome, one] of outcomesOf(tally)) this.inc({ host, outcome }, amountOf(one))
          }
        },
      })
    }
    counter('vz_upstream_requests_total', 'Requests to origins', ({ count }) => count)
    counter('vz_upstream_seconds_total', 'Time until origins began to answer', ({ seconds }) => seconds)
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

/** The outcomes that have occurred. */
function outcomesOf({ answered, failed, givenUp }: HostTally): readonly (readonly [name: string, outcome: Outcome])[] {
  const all = [
    ...answered.map((outcome, digit) => [`${digit}xx`, outcome] as const),
    ['failed', failed] as const,
    ['given-up', givenUp] as const,
  ]
  return all.filter(([, { count }]) => count > 0)
}

/** How long a source is refused that ended a process, doubled each time. */
const FIRST_MILLISECONDS = 60_000
const MOST_MILLISECONDS = 3_600_000
/** What was blamed so long ago is forgotten. */
const MEMORY_MILLISECONDS = 2 * MOST_MILLISECONDS
const MOST_SUSPECTS = 1000

interface Suspect {
  /** Deaths, each shared by all that was being opened then. */
  blame: number
  times: number
  at: number
  until: number
}

/**
 * Sources that were being opened when a worker died. One that was alone is refused for a while; several share the blame, so that the
 * innocent ones go on, and the one that is always among them is found.
 */
export class Suspects {
  readonly #suspects = new Map<string, Suspect>()

  /** A worker died while it opened these; answers what is to be refused, and until when. */
  died(opening: readonly string[], now: number): readonly (readonly [source: string, until: number])[] {
    const refused: [string, number][] = []
    for (const source of opening) {
      const suspect = this.#of(source, now)
      suspect.blame += 1 / opening.length
      suspect.at = now
      // A third three times is one.
      if (suspect.blame < 0.999) continue
      suspect.until = now + Math.min(FIRST_MILLISECONDS * 2 ** suspect.times, MOST_MILLISECONDS)
      suspect.times++
      suspect.blame = 0.5
      refused.push([source, suspect.until])
    }
    return refused
  }

  /** What is refused now: what a new worker has to know. */
  refused(now: number): readonly (readonly [source: string, until: number])[] {
    return [...this.#suspects].filter(([, { until }]) => until > now).map(([source, { until }]) => [source, until])
  }

  #of(source: string, now: number): Suspect {
    const known = this.#suspects.get(source)
    this.#suspects.delete(source)
    const suspect =
      known !== undefined && now - known.at < MEMORY_MILLISECONDS ? known : { blame: 0, times: 0, at: now, until: 0 }
    this.#suspects.set(source, suspect)
    for (const first of this.#suspects.keys()) if (this.#suspects.size > MOST_SUSPECTS) this.#suspects.delete(first)
    return suspect
  }
}

import { Lru } from './lru.ts'

// A fleet, request by request: readers, a cache that revalidates, replicas with their opened stores, manifests that they share, origins.
// What it counts is said in docs/scale.md, and what it leaves out.

/** `first-resolve` asks only where no answer about that source is known yet. */
type Ask = 'document' | 'array-document' | 'resolve' | 'first-resolve' | 'chunk' | 'pinned-chunk'

/** Readers who do the same: each chooses a source, asks for these things of it one after the other, pauses, and begins again. */
export interface Readers {
  readonly name: string
  readonly count: number
  readonly asks: readonly Ask[]
  /** From a request to the one behind it, and from the end of a round to the next. */
  readonly answerSeconds: number
  readonly pauseSeconds: number
  /** The sources that they read: the first of them, and how many. */
  readonly sources: { readonly first: number; readonly count: number }
}

export interface FleetInput {
  readonly seed: number
  readonly seconds: number
  /** Counted from here on: what is before fills the caches. */
  readonly warmUpSeconds: number
  readonly readers: readonly Readers[]
  readonly chunksOfSource: number
  /** Rank = count x random ** power: 1 is all alike, 3 is Zipf's law with exponent 2/3 (1 - 1/power). */
  readonly power: number
  readonly documentBytes: number
  readonly chunkBytes: number
  readonly cacheBytes: number
  readonly replicas: number
  /** Of each replica, for opened stores; and what one takes. */
  readonly storesBytes: number
  readonly storeBytes: number
  readonly freshSeconds: number
  /** 0: nothing is kept beside the replicas. */
  readonly manifestsBytes: number
  readonly manifestBytes: number
  /** Requests to the origin for opening a source, and for a chunk. */
  readonly openRequests: number
  readonly chunkRequests: number
  /** Replicas that lose their memory and are away for a time. */
  readonly outages: readonly { readonly replica: number; readonly from: number; readonly to: number }[]
  readonly changes: readonly { readonly source: number; readonly at: number }[]
}

type CacheOutcome = 'HIT' | 'REVALIDATED' | 'EXPIRED' | 'MISS' | 'none'

export interface FleetCounts {
  /** Requests of readers, by what the cache did with them. */
  readonly cache: Readonly<Record<string, Readonly<Record<CacheOutcome, number>>>>
  readonly requests: number
  readonly atReplicas: number
  readonly atOrigin: number
  readonly chunksRead: number
  readonly parsed: number
  readonly restored: number
  readonly storesOpen: number
}

interface Reader {
  readonly readers: Readers
  at: number
  step: number
  source: number
}

interface Opened {
  readonly version: number
  readonly checkedAt: number
}

export function simulate(input: FleetInput): FleetCounts {
  return new Fleet(input).run()
}

class Fleet {
  readonly #input: FleetInput
  readonly #random: () => number
  readonly #cache: Lru<number>
  readonly #manifests: Lru<number>
  readonly #replicas: Lru<Opened>[]
  /** When the first answer about a source was there. */
  readonly #resolved = new Map<number, number>()
  readonly #losses: { readonly replica: number; readonly from: number }[]
  #seen: Record<string, Record<CacheOutcome, number>> = {}
  #counts = noCounts()

  constructor(input: FleetInput) {
    this.#input = input
    this.#random = randomsOf(input.seed)
    this.#cache = new Lru(input.cacheBytes)
    this.#manifests = new Lru(input.manifestsBytes)
    this.#replicas = Array.from({ length: input.replicas }, () => new Lru<Opened>(input.storesBytes))
    this.#losses = [...input.outages].sort((one, other) => one.from - other.from)
    this.#beginCounting()
  }

  run(): FleetCounts {
    const { seconds, warmUpSeconds, readers } = this.#input
    const all = readers.flatMap((kind) =>
      Array.from({ length: kind.count }, (): Reader => ({ readers: kind, at: 0, step: 0, source: this.#choose(kind) })),
    )
    let isWarm = false
    for (let reader = earliest(all); reader.at < seconds; reader = earliest(all)) {
      if (!isWarm && reader.at >= warmUpSeconds) {
        isWarm = true
        this.#beginCounting()
      }
      this.#advance(reader)
    }
    return { ...this.#counts, cache: this.#seen, storesOpen: this.#replicas.reduce((sum, { size }) => sum + size, 0) }
  }

  #beginCounting(): void {
    this.#counts = noCounts()
    this.#seen = Object.fromEntries(this.#input.readers.map(({ name }) => [name, noOutcomes()]))
  }

  #choose({ sources }: Readers): number {
    return sources.first + Math.floor(sources.count * this.#random() ** this.#input.power)
  }

  #advance(reader: Reader): void {
    const { asks, answerSeconds, pauseSeconds, name } = reader.readers
    const ask = asks[reader.step] ?? 'document'
    const isKnown = ask === 'first-resolve' && this.#isResolved(reader.source, reader.at, answerSeconds)
    const outcome = isKnown ? undefined : this.#ask(ask, reader.source, reader.at)
    const seen = this.#seen[name]
    if (outcome !== undefined && seen !== undefined) {
      seen[outcome]++
      this.#counts.requests++
      // Answers don't all take the same time: readers who began together don't stay together.
      reader.at += answerSeconds * (0.5 + this.#random())
    }
    reader.step = (reader.step + 1) % asks.length
    if (reader.step > 0) return
    reader.at += pauseSeconds * (0.5 + this.#random())
    reader.source = this.#choose(reader.readers)
  }

  #isResolved(source: number, now: number, answerSeconds: number): boolean {
    const since = this.#resolved.get(source)
    if (since === undefined) this.#resolved.set(source, now + answerSeconds)
    return since !== undefined && since <= now
  }

  #ask(ask: Ask, source: number, now: number): CacheOutcome {
    const { chunksOfSource, power, chunkBytes, documentBytes } = this.#input
    if (ask === 'resolve' || ask === 'first-resolve') {
      // Its URL is another one than the store's, and so may be its replica.
      this.#version(source, mixed(source + 1), now)
      return 'none'
    }
    if (ask === 'document' || ask === 'array-document')
      return this.#revalidated(`${source}/${ask}`, documentBytes, source, now)
    const chunk = Math.floor(chunksOfSource * this.#random() ** power)
    if (ask === 'chunk') return this.#revalidated(`${source}/${chunk}`, chunkBytes, source, now)
    const key = `${source}/${chunk};${this.#versionNow(source, now)}`
    if (this.#cache.get(key) !== undefined) return 'HIT'
    this.#cache.set(key, this.#version(source, mixed(source), now), chunkBytes)
    this.#readChunk()
    return 'MISS'
  }

  /** What is stored, but asked for again by its version at each use. */
  #revalidated(key: string, bytes: number, source: number, now: number): CacheOutcome {
    const version = this.#version(source, mixed(source), now)
    const held = this.#cache.get(key)
    if (held === version) return 'REVALIDATED'
    this.#cache.set(key, version, bytes)
    if (bytes === this.#input.chunkBytes) this.#readChunk()
    return held === undefined ? 'MISS' : 'EXPIRED'
  }

  #readChunk(): void {
    this.#counts.chunksRead++
    this.#counts.atOrigin += this.#input.chunkRequests
  }

  /** Asks a replica for a source, which asks the origin where it has to. */
  #version(source: number, hash: number, now: number): number {
    const { freshSeconds, storeBytes } = this.#input
    this.#counts.atReplicas++
    const stores = this.#replicaOf(hash, now)
    const key = String(source)
    const opened = stores.get(key)
    if (opened !== undefined && now - opened.checkedAt < freshSeconds) return opened.version
    const version = this.#versionNow(source, now)
    if (opened === undefined) this.#open(key, version)
    else {
      this.#counts.atOrigin++
      if (opened.version !== version) this.#parse(key, version)
    }
    stores.set(key, { version, checkedAt: now }, storeBytes)
    return version
  }

  #open(key: string, version: number): void {
    const kept = this.#manifests.get(key)
    if (kept !== undefined) this.#counts.atOrigin++
    if (kept === version) this.#counts.restored++
    else this.#parse(key, version)
  }

  #parse(key: string, version: number): void {
    this.#counts.parsed++
    this.#counts.atOrigin += this.#input.openRequests
    this.#manifests.set(key, version, this.#input.manifestBytes)
  }

  /** The one that a source's hash names, or the next one that is there. */
  #replicaOf(hash: number, now: number): Lru<Opened> {
    for (let loss = this.#losses[0]; loss !== undefined && loss.from <= now; loss = this.#losses[0]) {
      this.#replicas[loss.replica] = new Lru(this.#input.storesBytes)
      this.#losses.shift()
    }
    const isAway = (replica: number) =>
      this.#input.outages.some((outage) => outage.replica === replica && outage.from <= now && now < outage.to)
    for (let next = 0; next < this.#replicas.length; next++) {
      const at = (hash + next) % this.#replicas.length
      const replica = this.#replicas[at]
      if (replica !== undefined && !isAway(at)) return replica
    }
    throw new Error(`no replica is there at ${now} s`)
  }

  #versionNow(source: number, now: number): number {
    return this.#input.changes.filter((change) => change.source === source && change.at <= now).length
  }
}

const noCounts = () => ({ requests: 0, atReplicas: 0, atOrigin: 0, chunksRead: 0, parsed: 0, restored: 0 })
const noOutcomes = (): Record<CacheOutcome, number> => ({ HIT: 0, REVALIDATED: 0, EXPIRED: 0, MISS: 0, none: 0 })

function earliest(readers: readonly Reader[]): Reader {
  return readers.reduce((first, reader) => (reader.at < first.at ? reader : first))
}

/** Numbers from 0 to below 1, the same for the same seed (Marsaglia's xorshift). */
function randomsOf(seed: number): () => number {
  let state = mixed(seed) || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Neighbouring numbers become numbers far apart (MurmurHash3's finalizer). */
function mixed(number: number): number {
  let state = Math.imul(number + 1, 0x9e3779b1)
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

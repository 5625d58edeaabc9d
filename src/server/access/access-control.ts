import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseStoreTarget } from '../../../routes/request.ts'
import { VirtualZarrError } from '../../errors.ts'
import type { StoreAddress } from '../../service/store-address.ts'
import { holderOf } from './api-keys.ts'
import { clientAt, RateLimit } from './rate-limit.ts'
import type { AccessSettings } from './settings.ts'
import { originOf, Shares } from './shares.ts'

/** Whether anything is to be looked at. */
export function isGuarded({ apiKeys, signingKeys, rate, sourceConcurrency, closed }: AccessSettings): boolean {
  return apiKeys.length + signingKeys.length + closed.length + sourceConcurrency > 0 || rate !== undefined
}

/** Whether stores are only for those who bring a key or a signature. */
export function needsProof({ apiKeys, signingKeys }: AccessSettings): boolean {
  return apiKeys.length + signingKeys.length > 0
}

/** Why a request was not answered. */
type Refusal = 'no-key' | 'rate' | 'share'

/** Decides before a request is answered whether its client may ask at all, and whether now. */
export class AccessControl {
  readonly #settings: AccessSettings
  readonly #limit: RateLimit | undefined
  readonly #shares: Shares | undefined
  readonly #addressOf: (segment: string) => StoreAddress
  readonly #refusals = new Map<string, number>()
  /** Told of each request that counted, for other processes of the same service. */
  onTaken: ((client: string) => void) | undefined

  constructor(settings: AccessSettings, addressOf: (segment: string) => StoreAddress) {
    this.#settings = settings
    this.#addressOf = addressOf
    this.#limit = settings.rate && new RateLimit(settings.rate)
    this.#shares = settings.sourceConcurrency === 0 ? undefined : new Shares(settings.sourceConcurrency)
  }

  /** Whether a key would help; signatures alone are no way into the page. */
  get takesKeys(): boolean {
    return this.#settings.apiKeys.length > 0
  }

  /** Whether nobody may ask for what this route answers. */
  isClosed(route: string): boolean {
    return this.#settings.closed.includes(route.split('/', 2)[1] ?? '')
  }

  /**
   * Throws where the request is not to be answered; a promise where its turn has to be waited for. What is open to everybody is
   * counted all the same.
   */
  enter(request: FastifyRequest, reply: FastifyReply, isOpen = false): Promise<void> | undefined {
    const { apiKeys } = this.#settings
    const holder = apiKeys.length === 0 ? undefined : holderOf(request.headers, apiKeys)
    // A wrong key counts for the address it came from: guessing has the same limit as asking.
    const client = holder === undefined ? clientAt(request.ip) : `key ${holder.name}`
    const label = holder?.name ?? 'address'
    this.#count(client, label)
    const address = this.#addressAt(request.raw.url ?? '')
    if (!isOpen && holder === undefined && needsProof(this.#settings) && !isSignedFor(address)) {
      this.#refuse('no-key', label)
      throw new VirtualZarrError('unauthorized', 'an API key, or a signed URL that has not expired, is needed here')
    }
    return address === undefined ? undefined : this.#takeTurn(originOf(address.sourceUrl), client, label, reply)
  }

  /** Counts requests that other processes have let in. */
  spend(client: string, count: number): void {
    this.#limit?.spend(client, count, Date.now())
  }

  /** Refused requests, by reason and client: the name of a key, or `address`. */
  *refusals(): Iterable<{ readonly reason: string; readonly client: string; readonly count: number }> {
    for (const [name, count] of this.#refusals) {
      const [reason = '', client = ''] = name.split(' ')
      yield { reason, client, count }
    }
  }

  #count(client: string, label: string): void {
    const wait = this.#limit?.take(client, Date.now()) ?? 0
    if (wait > 0) {
      this.#refuse('rate', label)
      throw new VirtualZarrError('rate-limited', 'more requests than one client may make in that time', {
        retryAfterSeconds: Math.ceil(wait / 1000),
      })
    }
    this.onTaken?.(client)
  }

  #refuse(reason: Refusal, label: string): void {
    const name = `${reason} ${label}`
    this.#refusals.set(name, (this.#refusals.get(name) ?? 0) + 1)
  }

  /** Undefined for what is no store, and for what makes no sense: its own handler says so to those who may ask. */
  #addressAt(target: string): StoreAddress | undefined {
    if (!target.startsWith('/zarr/')) return undefined
    try {
      const { segment } = parseStoreTarget(target) ?? {}
      return segment === undefined ? undefined : this.#addressOf(segment)
    } catch {
      return undefined
    }
  }

  #takeTurn(origin: string, client: string, label: string, reply: FastifyReply): Promise<void> | undefined {
    const shares = this.#shares
    if (shares === undefined) return undefined
    const leave = () => shares.leave(origin, client)
    const left = new AbortController()
    reply.raw.once('close', () => left.abort())
    try {
      const turn = shares.enter(origin, client, left.signal)
      if (turn === undefined) return void reply.raw.once('close', leave)
      return turn.then(() => {
        if (left.signal.aborted) leave()
        else reply.raw.once('close', leave)
      })
    } catch (error) {
      this.#refuse('share', label)
      throw error
    }
  }
}

function isSignedFor(address: StoreAddress | undefined): boolean {
  return address?.expires !== undefined && address.expires * 1000 > Date.now()
}

// One adapter for the Redis client library (decision 25). It adds the one promise that the library doesn't make: whoever waits for an answer
// waits 20 ms at most, and not at all while the server is known to be slow or gone.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { RedisAddress } from './redis-address.ts'

/** The commands of a single server and of a cluster. */
export type RedisCommands = Pick<Redis, 'getBuffer' | 'strlen' | 'set' | 'eval' | 'ping'>

/** No answer came in time. */
export class LateReplyError extends Error {}

/** The server was slow or lost a moment ago, so nothing was sent to it. */
export class CircuitOpenError extends Error {}

export interface RedisClientInput {
  readonly address: RedisAddress
  /** Called with the reason when the server is no longer used, and with undefined when it is used again. */
  onChange(error: Error | undefined): void
}

const REPLY_BUDGET_MS = 20
const CONNECT_TIMEOUT_MS = 2000
const WRITE_BUDGET_MS = 1000
const WRITE_BYTES_PER_MS = 16_384
/** The circuit stays open for so long; twice as long after each failure, half as long after each answer in time. */
const MIN_OPEN_MS = 10
const MAX_OPEN_MS = 5000
/** Values that were handed over and not yet acknowledged; more are refused. */
const MAX_PENDING_WRITE_BYTES = 64 * 2 ** 20

/**
 * A connection for questions, a second one for writes, so that no question waits behind a long value, and a circuit breaker before both.
 * The library reconnects by itself and, for a cluster, finds the server of each key.
 */
export class RedisClient {
  readonly #input: RedisClientInput
  readonly #options: ReturnType<typeof optionsFor>
  /** `closed` and `open` are the states of the circuit: requests pass while it is closed. */
  #circuit: 'connecting' | 'closed' | 'open' | 'ended' = 'connecting'
  #reader: Redis | Cluster
  #writer: Redis | Cluster | undefined
  #pendingWriteBytes = 0
  readonly #firstAttempt: Promise<void>
  #endFirstAttempt: () => void = () => undefined
  #probeTimer: NodeJS.Timeout | undefined
  #openMs = MIN_OPEN_MS
  #wasAvailable: boolean | undefined

  constructor(input: RedisClientInput) {
    this.#input = input
    this.#options = optionsFor(input.address)
    this.#firstAttempt = new Promise((resolve) => {
      this.#endFirstAttempt = resolve
    })
    this.#reader = this.#watched(new Redis({ ...this.#options, enableOfflineQueue: false }))
  }

  /**
   * Asks on behalf of somebody who waits. Throws `LateReplyError` after 20 ms, `CircuitOpenError` at once where the server is not
   * available. `extraMs` grants more time once it is known that a long value is on its way.
   */
  async ask<T>(
    command: (redis: RedisCommands) => Promise<T>,
    extraMs?: (redis: RedisCommands) => Promise<number>,
  ): Promise<T> {
    if (this.#circuit === 'connecting') await this.#awaitFirstAttempt()
    if (this.#circuit !== 'closed') throw new CircuitOpenError('the server is not available')
    const reader = this.#reader
    try {
      // Sent first, so that its answer comes first.
      const extra = extraMs?.(reader)
      const reply = await withDeadline(command(reader), REPLY_BUDGET_MS, extra)
      this.#openMs = Math.max(MIN_OPEN_MS, this.#openMs / 2)
      return reply
    } catch (error) {
      if (isMoved(error)) this.#switchToCluster()
      else if (error instanceof LateReplyError && reader === this.#reader) this.#openCircuit(error)
      throw error
    }
  }

  /** Sends a value of so many bytes, for which nobody waits. */
  async write<T>(bytes: number, command: (redis: RedisCommands) => Promise<T>): Promise<T> {
    if (this.#circuit === 'connecting') await this.#firstAttempt
    if (this.#circuit !== 'closed') throw new CircuitOpenError('the server is not available')
    if (this.#pendingWriteBytes + bytes > MAX_PENDING_WRITE_BYTES) {
      throw new LateReplyError('too many values wait to be written')
    }
    this.#writer ??= this.#newWriter()
    const writer = this.#writer
    this.#pendingWriteBytes += bytes
    try {
      return await withDeadline(command(writer), WRITE_BUDGET_MS + this.#pendingWriteBytes / WRITE_BYTES_PER_MS)
    } catch (error) {
      if (isMoved(error)) this.#switchToCluster()
      // A value that was sent in part would delay all that follow.
      else if (error instanceof LateReplyError && this.#writer === writer) this.#dropWriter()
      throw error
    } finally {
      this.#pendingWriteBytes -= bytes
    }
  }

  close(): void {
    this.#circuit = 'ended'
    this.#endFirstAttempt()
    clearTimeout(this.#probeTimer)
    this.#reader.disconnect()
    this.#dropWriter()
  }

  #watched(client: Redis | Cluster): Redis | Cluster {
    let lastError: Error | undefined
    client.on('error', (error: Error) => {
      lastError = error
      // A cluster reports that no server of it answers, and goes on trying.
      if (client === this.#reader) this.#openCircuit(error)
    })
    client.on('ready', () => void this.#probe(client))
    client.on('close', () => {
      if (client === this.#reader) this.#openCircuit(lastError ?? new Error('the server has closed the connection'))
    })
    return client
  }

  #newWriter(): Redis | Cluster {
    const writer =
      this.#reader instanceof Cluster
        ? this.#newCluster(true)
        : new Redis({ ...this.#options, enableOfflineQueue: true })
    // A failure rejects the command that it concerns.
    writer.on('error', () => undefined)
    return writer
  }

  #newCluster(enableOfflineQueue: boolean): Cluster {
    const { host, port } = this.#input.address
    return new Cluster([{ host, port }], {
      redisOptions: this.#options,
      clusterRetryStrategy: reconnectDelayMs,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      enableReadyCheck: false,
      enableOfflineQueue,
    })
  }

  /** The server answered `MOVED`: it is one of a cluster. */
  #switchToCluster(): void {
    if (this.#reader instanceof Cluster) return
    const single = this.#reader
    this.#circuit = 'open'
    this.#reader = this.#watched(this.#newCluster(false))
    this.#dropWriter()
    single.disconnect()
  }

  #dropWriter(): void {
    this.#writer?.disconnect()
    this.#writer = undefined
  }

  /** The server counts as available when it answers a `PING` as fast as it has to answer questions. */
  async #probe(client: Redis | Cluster): Promise<void> {
    if (this.#circuit === 'ended' || client !== this.#reader || client.status !== 'ready') return
    try {
      await withDeadline(client.ping(), REPLY_BUDGET_MS)
    } catch (error) {
      if (client === this.#reader) this.#openCircuit(error instanceof Error ? error : new Error(String(error)))
      return
    }
    if (this.#hasEnded || client !== this.#reader) return
    this.#circuit = 'closed'
    this.#endFirstAttempt()
    this.#report(undefined)
  }

  get #hasEnded(): boolean {
    return this.#circuit === 'ended'
  }

  #openCircuit(error: Error): void {
    if (this.#circuit === 'ended') return
    this.#circuit = 'open'
    this.#endFirstAttempt()
    this.#report(error)
    if (this.#probeTimer !== undefined) return
    this.#probeTimer = setTimeout(() => {
      this.#probeTimer = undefined
      void this.#probe(this.#reader)
    }, this.#openMs).unref()
    this.#openMs = Math.min(this.#openMs * 2, MAX_OPEN_MS)
  }

  #report(error: Error | undefined): void {
    const isAvailable = error === undefined
    if (this.#wasAvailable === isAvailable) return
    this.#wasAvailable = isAvailable
    this.#input.onChange(error)
  }

  /** The connection may still be under way when the first question comes. */
  async #awaitFirstAttempt(): Promise<void> {
    try {
      await withDeadline(this.#firstAttempt, REPLY_BUDGET_MS)
    } catch (error) {
      if (this.#circuit === 'connecting') this.#circuit = 'open'
      throw error
    }
  }
}

function optionsFor({ host, port, isSecure, username, password, database }: RedisAddress) {
  return {
    host,
    port,
    db: database,
    protocol: 2 as const,
    disableClientInfo: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: 30_000,
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: reconnectDelayMs,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isSecure && { tls: { servername: host } }),
  } satisfies RedisOptions
}

function reconnectDelayMs(attempts: number): number {
  return Math.min(MIN_OPEN_MS * 2 ** Math.min(attempts, 20), MAX_OPEN_MS)
}

function isMoved(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('MOVED ')
}

/**
 * The result of a promise, or `LateReplyError` when it takes longer. Timers run before what has arrived is read: a process that was busy
 * itself reads once more before it calls an answer late.
 */
async function withDeadline<T>(promise: Promise<T>, budgetMs: number, extraMs?: Promise<number>): Promise<T> {
  let deadline = performance.now() + budgetMs
  extraMs?.then(
    (extra) => {
      deadline += extra
    },
    // The command that it belongs to fails likewise, and is the one that reports it.
    () => undefined,
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const check = async () => {
      await yieldToEventLoop()
      const leftMs = deadline - performance.now()
      if (leftMs > 0) timer = setTimeout(check, leftMs)
      else reject(new LateReplyError('no answer in time'))
    }
    timer = setTimeout(check, budgetMs)
  })
  // Whoever gave up doesn't hear of a later failure.
  promise.catch(() => undefined)
  late.catch(() => undefined)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

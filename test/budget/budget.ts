import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { parseReply } from '../corpus/store-client.ts'
import { busyness } from '../helpers/busyness.ts'
import { chunkKeys } from '../helpers/chunk-keys.ts'
import { MOST_HEALTH_MILLISECONDS, watchHealth } from '../helpers/health-watch.ts'
import { type BombOrigin, startBombOrigin } from '../hostile/bomb-origin.ts'
import { type Attack, type AttackContext, storePath } from './attack.ts'
import { startLimited } from './limited-server.ts'

export const LIMITS_MIB = [512, 768, 1536] as const
export type LimitMib = (typeof LIMITS_MIB)[number]

/** What docs/operations.md advises: a limit of twice the cache and 500 MB. */
const CACHE_MIB: Readonly<Record<LimitMib, number>> = { 512: 16, 768: 128, 1536: 512 }
const MAX_HONEST_MILLISECONDS = 2000
const HONEST_CLIENTS = 3
const HONEST_PAUSE_MILLISECONDS = 50
/** An attack is over when all is answered, or after this time: then its clients leave. */
const MAX_ATTACK_MILLISECONDS = 30_000
/** What a client that has left asked for should be over after this time. */
const LEFT_MILLISECONDS = 3000
const HONEST_FILES = ['sea-surface.nc', 'harvest.tif']

/** One attack on a server with one limit. */
export interface Outcome {
  readonly attack: string
  readonly limitMib: LimitMib
  readonly enforcedBy: 'cgroup' | 'watchdog'
  readonly kills: number
  readonly peakMib: number
  readonly honestAnswers: number
  /** Of the honest requests, those that were not answered with 200. */
  readonly honestFailures: number
  readonly honestP99Milliseconds: number
  /** The longest health answer, and the longest by the server's own doing. */
  readonly healthMilliseconds: number
  readonly ownHealthMilliseconds: number
  /** Requests a second to the origin, some seconds after the clients have left. */
  readonly requestsAfter: number
  readonly statuses: Readonly<Record<string, number>>
}

/** Why an outcome breaks the contract; undefined where it doesn't. The bounds in time are longer on a busy machine. */
export function violationOf(outcome: Outcome): string | undefined {
  const { kills, honestFailures, honestP99Milliseconds, ownHealthMilliseconds, requestsAfter } = outcome
  const busy = busyness()
  if (kills > 0) return `${kills} kills`
  if (honestFailures > 0) return `${honestFailures} honest requests failed`
  if (honestP99Milliseconds > MAX_HONEST_MILLISECONDS * busy) return `honest p99 ${honestP99Milliseconds.toFixed(0)} ms`
  if (ownHealthMilliseconds > MOST_HEALTH_MILLISECONDS * busy) return `health ${ownHealthMilliseconds.toFixed(0)} ms`
  return requestsAfter > 0 ? `${requestsAfter} requests/s to the origin after the clients have left` : undefined
}

/** Attacks a new server that has this much memory, while others ask it for small things. */
export async function runAttack(attack: Attack, limitMib: LimitMib): Promise<Outcome> {
  const origin = await startBombOrigin()
  const honestOrigin = await startBombOrigin()
  const stalled = await startStalledHost()
  for (const [path, file] of Object.entries(attack.files?.() ?? {})) origin.put(path, file)
  for (const file of HONEST_FILES)
    honestOrigin.put(file, readFileSync(new URL(`../../examples/${file}`, import.meta.url)))
  const limited = await startLimited(limitMib * 2 ** 20, {
    VZ_ALLOW_SOURCES: [origin.url, honestOrigin.url, stalled.url].join(','),
    VZ_CACHE_BYTES: String(CACHE_MIB[limitMib] * 2 ** 20),
    ...attack.settings,
  })
  const health = await watchHealth(limited.server.url, limited.pid)
  const honest = new HonestLoad(limited.server.url, honestOrigin)
  try {
    await honest.warmUp()
    health.take()
    const leave = new AbortController()
    const statuses = new Map<string, number>()
    const context: AttackContext = {
      serverUrl: limited.server.url,
      origin,
      stalledUrl: stalled.url,
      signal: leave.signal,
      statuses,
    }
    const load = honest.run()
    const maxMilliseconds = attack.maxMilliseconds ?? MAX_ATTACK_MILLISECONDS
    await Promise.race([attack.run(context), setTimeout(maxMilliseconds, undefined, { ref: false })])
    leave.abort()
    await setTimeout(LEFT_MILLISECONDS)
    const before = origin.requests()
    await setTimeout(1000)
    const requestsAfter = origin.requests() - before
    honest.end()
    await load
    const { longest, longestByItself } = health.take()
    return {
      attack: attack.name,
      limitMib,
      enforcedBy: limited.enforcedBy,
      kills: limited.kills(),
      peakMib: Math.round(limited.peakBytes() / 2 ** 20),
      ...honest.report(),
      healthMilliseconds: longest,
      ownHealthMilliseconds: longestByItself,
      requestsAfter,
      statuses: Object.fromEntries(statuses),
    }
  } finally {
    await health.stop()
    await limited.stop()
    await Promise.all([origin.close(), honestOrigin.close(), stalled.close()])
  }
}

/** Some clients that read small files, one request after another. */
class HonestLoad {
  readonly #serverUrl: string
  readonly #origin: BombOrigin
  readonly #paths: string[] = []
  readonly #milliseconds: number[] = []
  #failures = 0
  #isEnded = false

  constructor(serverUrl: string, origin: BombOrigin) {
    this.#serverUrl = serverUrl
    this.#origin = origin
  }

  async warmUp(): Promise<void> {
    for (const file of HONEST_FILES) {
      const path = (key: string) => storePath(`${this.#origin.url}${file}`, ';codecs=raw', key)
      const document = await answerOf(`${this.#serverUrl}${path('zarr.json')}`)
      this.#paths.push(path('zarr.json'), ...chunkKeys(parseReply({ bytes: document.bytes }), 4).map(path))
    }
    for (const path of this.#paths) await answerOf(`${this.#serverUrl}${path}`)
  }

  async run(): Promise<void> {
    let next = 0
    const client = async () => {
      while (!this.#isEnded) {
        const path = this.#paths[next++ % this.#paths.length] ?? ''
        const start = performance.now()
        const { status } = await answerOf(`${this.#serverUrl}${path}`)
        if (status === 200 || status === 404) this.#milliseconds.push(performance.now() - start)
        else this.#failures++
        await setTimeout(HONEST_PAUSE_MILLISECONDS)
      }
    }
    await Promise.all(Array.from({ length: HONEST_CLIENTS }, client))
  }

  end(): void {
    this.#isEnded = true
  }

  report(): Pick<Outcome, 'honestAnswers' | 'honestFailures' | 'honestP99Milliseconds'> {
    const sorted = this.#milliseconds.toSorted((one, other) => one - other)
    return {
      honestAnswers: sorted.length,
      honestFailures: this.#failures,
      honestP99Milliseconds: sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY,
    }
  }
}

/** Status 0 where there is no answer in half a minute. */
async function answerOf(url: string): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
  return await new Promise((resolve) => {
    const parts: Buffer[] = []
    const none = () => resolve({ status: 0, bytes: new Uint8Array() })
    const sent = get(url, { agent: false, signal: AbortSignal.timeout(30_000) }, (response) => {
      response.on('data', (part: Buffer) => void parts.push(part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(parts) }))
      response.on('error', none)
    })
    sent.on('error', none)
  })
}

/** Takes connections, and never says a word. */
async function startStalledHost(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.resume()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

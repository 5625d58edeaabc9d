import { randomUUID } from 'node:crypto'
import { type CountOutcome, LEASE_MILLISECONDS, type Lease, type ManifestPlace, type PlaceOutcome } from '../place.ts'
import { LateReply } from './connection.ts'
import type { RedisAddress } from './redis-address.ts'
import { RedisCluster } from './redis-cluster.ts'
import { ServerDown } from './redis-node.ts'

export interface RedisInput {
  readonly address: RedisAddress
  readonly count: CountOutcome
  /** Told when the server goes, with the reason, and when it is back. */
  readonly onChange?: ((error: Error | undefined) => void) | undefined
}

/** A longer entry stays out: it would hold up a server that others use, too. */
const MOST_BYTES = 64 * 2 ** 20
/** What nobody has written anew for so long goes; before that, the server's own policy decides. */
const KEPT_MILLISECONDS = 30 * 24 * 3_600_000

/** Only who holds a lease may lengthen or end it. */
const IF_OWN = "if redis.call('get', KEYS[1]) == ARGV[1] then return"
const RENEW = `${IF_OWN} redis.call('pexpire', KEYS[1], ARGV[2]) end`
const RELEASE = `${IF_OWN} redis.call('del', KEYS[1]) end`

/** A server, or a cluster, of Redis or Valkey. Each entry is one key, with its own hash tag; no command has two keys. */
export function redisPlace({ address, count, onChange = () => undefined }: RedisInput): ManifestPlace {
  const redis = new RedisCluster({ address, mostBytes: MOST_BYTES, onChange })
  return {
    kind: 'redis',
    async get(name) {
      try {
        const reply = await redis.ask(name, ['GET', keyOf(name)])
        if (reply instanceof Uint8Array) return reply
        count('redis', reply === undefined ? 'miss' : 'failed')
      } catch (error) {
        count('redis', outcomeOf(error))
      }
      return undefined
    },
    async put(name, bytes) {
      const isShort = bytes.length <= MOST_BYTES
      const outcome = isShort ? await written(redis, name, bytes) : 'skipped'
      count('redis', outcome, outcome === 'written' ? bytes.length : 0)
      return outcome === 'written'
    },
    lease: (name) => leaseOf(redis, name),
    async close() {
      redis.close()
    },
  }
}

async function written(redis: RedisCluster, name: string, bytes: Uint8Array): Promise<PlaceOutcome> {
  try {
    const reply = await redis.ask(name, ['SET', keyOf(name), bytes, 'PX', String(KEPT_MILLISECONDS)], 'write')
    return reply === 'OK' ? 'written' : 'failed'
  } catch (error) {
    return outcomeOf(error)
  }
}

function keyOf(name: string): string {
  return `vz:{${name}}`
}

/** A key that is there for as long as its owner lives. */
async function leaseOf(redis: RedisCluster, name: string): Promise<Lease> {
  const [key, token] = [`${keyOf(name)}:lease`, randomUUID()]
  const ask = (script: string, ...words: readonly string[]) =>
    redis.ask(name, ['EVAL', script, '1', key, token, ...words]).catch(() => undefined)
  try {
    const reply = await redis.ask(name, ['SET', key, token, 'PX', String(LEASE_MILLISECONDS), 'NX'])
    if (reply !== 'OK') return { kind: reply === undefined ? 'taken' : 'none' }
  } catch {
    // A lease that was given all the same ends by itself.
    return { kind: 'none' }
  }
  const renewal = setInterval(() => void ask(RENEW, String(LEASE_MILLISECONDS)), LEASE_MILLISECONDS / 3)
  renewal.unref()
  const end = async () => {
    clearInterval(renewal)
    await ask(RELEASE)
  }
  return { kind: 'own', end }
}

function outcomeOf(error: unknown): PlaceOutcome {
  if (error instanceof LateReply) return 'late'
  return error instanceof ServerDown ? 'down' : 'failed'
}

import { randomUUID } from 'node:crypto'
import { type CountOutcome, LEASE_MILLISECONDS, type Lease, type ManifestPlace, type PlaceOutcome } from '../place.ts'
import type { RedisAddress } from './redis-address.ts'
import { CircuitOpenError, LateReplyError, RedisClient } from './redis-client.ts'

export interface RedisInput {
  readonly address: RedisAddress
  readonly count: CountOutcome
  /** Told when the server goes, with the reason, and when it is back. */
  readonly onChange?: ((error: Error | undefined) => void) | undefined
}

/** A longer entry is not written: it would block a server that others use, too. */
const MAX_ENTRY_BYTES = 64 * 2 ** 20
/** An entry that is not written again expires after this; before that, the server's own eviction policy decides. */
const EXPIRY_MS = 30 * 24 * 3_600_000
/** What a long value may take to arrive, besides the 20 ms of every answer. */
const READ_BYTES_PER_MS = 65_536

/** Only who holds a lease may lengthen or end it. */
const IF_OWN = "if redis.call('get', KEYS[1]) == ARGV[1] then return"
const RENEW = `${IF_OWN} redis.call('pexpire', KEYS[1], ARGV[2]) end`
const RELEASE = `${IF_OWN} redis.call('del', KEYS[1]) end`

/** A server, or a cluster, of Redis or Valkey. Each entry is one key, with its own hash tag; no command has two keys. */
export function redisPlace({ address, count, onChange = () => undefined }: RedisInput): ManifestPlace {
  const redis = new RedisClient({ address, onChange })
  return {
    kind: 'redis',
    async get(name) {
      try {
        const key = keyOf(name)
        const reply = await redis.ask(
          (server) => server.getBuffer(key),
          async (server) => (await server.strlen(key)) / READ_BYTES_PER_MS,
        )
        if (reply instanceof Uint8Array) return reply
        count('redis', reply === null ? 'miss' : 'failed')
      } catch (error) {
        count('redis', outcomeOf(error))
      }
      return undefined
    },
    async put(name, bytes) {
      const isShort = bytes.length <= MAX_ENTRY_BYTES
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

async function written(redis: RedisClient, name: string, bytes: Uint8Array): Promise<PlaceOutcome> {
  try {
    // A view, not a copy: entries may be long.
    const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const reply = await redis.write(bytes.length, (server) => server.set(keyOf(name), value, 'PX', EXPIRY_MS))
    return reply === 'OK' ? 'written' : 'failed'
  } catch (error) {
    return outcomeOf(error)
  }
}

function keyOf(name: string): string {
  return `vz:{${name}}`
}

/** A key that is there for as long as its owner lives. */
async function leaseOf(redis: RedisClient, name: string): Promise<Lease> {
  const [key, token] = [`${keyOf(name)}:lease`, randomUUID()]
  const ask = (script: string, ...words: readonly string[]) =>
    redis.ask((server) => server.eval(script, 1, key, token, ...words)).catch(() => undefined)
  try {
    const reply = await redis.ask((server) => server.set(key, token, 'PX', LEASE_MILLISECONDS, 'NX'))
    if (reply !== 'OK') return { kind: reply === null ? 'taken' : 'none' }
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
  if (error instanceof LateReplyError) return 'late'
  return error instanceof CircuitOpenError ? 'down' : 'failed'
}

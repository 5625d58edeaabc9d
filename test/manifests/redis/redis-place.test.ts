import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { Outcomes } from '../../../src/manifests/manifests.ts'
import { LEASE_MILLISECONDS, type Lease, type ManifestPlace } from '../../../src/manifests/place.ts'
import { redisAddress } from '../../../src/manifests/redis/redis-address.ts'
import { redisPlace } from '../../../src/manifests/redis/redis-place.ts'
import { nameOf } from '../../../src/manifests/seal.ts'
import { type RedisServer, startRedis, until, withoutRedis } from '../../helpers/redis.ts'

if (withoutRedis) console.log(`skipped: ${withoutRedis}`)

const cleanups: (() => Promise<void>)[] = []
after(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

async function server(settings: readonly string[] = []): Promise<RedisServer> {
  const redis = await startRedis(settings)
  cleanups.push(redis.end)
  return redis
}

/** A place as a process has it, and what it counts and tells. */
function placeAt(url: string) {
  const address = redisAddress(url)
  assert.ok(address !== undefined)
  const outcomes = new Outcomes()
  const told: (string | undefined)[] = []
  const place = redisPlace({ address, count: outcomes.count, onChange: (error) => told.push(error?.message) })
  cleanups.push(place.close)
  const times = (outcome: Parameters<typeof outcomes.count>[1]) => outcomes.all.get('redis')?.get(outcome)?.times ?? 0
  return { place, outcomes, told, times }
}

/** Waits until the server counts as there; what is asked meanwhile is not counted against anybody. */
async function ready({ place, told }: { place: ManifestPlace; told: readonly (string | undefined)[] }): Promise<void> {
  await until('the server is there', async () => {
    await place.get(nameOf('nobody'))
    return told.length > 0 && told.at(-1) === undefined
  })
}

// On a machine so busy that an answer takes over 20 ms, it is late rightly: what must come is asked for until it does.

async function held(place: ManifestPlace, name: string): Promise<Uint8Array> {
  let found: Uint8Array | undefined
  await until(`${name} is found`, async () => {
    found = await place.get(name)
    return found !== undefined
  })
  return found ?? new Uint8Array()
}

async function put(place: ManifestPlace, name: string, bytes: Uint8Array): Promise<void> {
  await until(`${name} is written`, () => place.put(name, bytes))
}

async function leased(place: ManifestPlace, name: string): Promise<Lease> {
  let lease: Lease = { kind: 'none' }
  await until(`${name} is leased or taken`, async () => {
    lease = await place.lease(name)
    return lease.kind !== 'none'
  })
  return lease
}

const NAME = nameOf('r', 'a')
const BYTES = Buffer.from('an entry \r\n\0\xff', 'latin1')

describe('a server of Redis', { skip: withoutRedis }, () => {
  test('keeps entries, each under one key of its own, for a while', async () => {
    const redis = await server()
    const one = placeAt(`redis://127.0.0.1:${redis.port}`)
    await ready(one)
    const misses = one.times('miss')
    await until('a miss is counted', async () => {
      assert.equal(await one.place.get(NAME), undefined)
      return one.times('miss') > misses
    })
    await put(one.place, NAME, BYTES)
    assert.deepEqual(one.outcomes.all.get('redis')?.get('written'), { times: 1, bytes: BYTES.length })
    assert.deepEqual(await held(one.place, NAME), BYTES)
    assert.equal(redis.cli('KEYS', '*'), `vz:{${NAME}}`)
    const days = Number(redis.cli('TTL', `vz:{${NAME}}`)) / 86_400
    assert.ok(days > 29 && days <= 30, `${days} days`)
    const large = randomBytes(8 * 2 ** 20)
    await put(one.place, nameOf('large'), large)
    assert.deepEqual(await held(one.place, nameOf('large')), large)
  })

  test('gives a lease to one at a time, for as long as that one works', async () => {
    const redis = await server()
    const [one, other] = [1, 2].map(() => placeAt(`redis://127.0.0.1:${redis.port}`))
    assert.ok(one !== undefined && other !== undefined)
    await ready(one)
    await ready(other)
    const lease = await leased(one.place, NAME)
    assert.equal(lease.kind, 'own')
    assert.equal((await leased(other.place, NAME)).kind, 'taken')
    const key = `vz:{${NAME}}:lease`
    await new Promise((resolve) => setTimeout(resolve, LEASE_MILLISECONDS * 0.7))
    await until('it is renewed', () => Number(redis.cli('PTTL', key)) > LEASE_MILLISECONDS * 0.5)
    // Whoever lost it ends nobody else's.
    redis.cli('SET', key, 'of another')
    if (lease.kind === 'own') await lease.end()
    assert.equal(redis.cli('GET', key), 'of another')
    redis.cli('DEL', key)
    const second = await leased(other.place, NAME)
    if (second.kind === 'own') await second.end()
    assert.equal(redis.cli('EXISTS', key), '0')
  })

  test('asks for a password, or a user, and a database', async () => {
    const redis = await server(['--requirepass', 'p@ss word'])
    redis.cli('-a', 'p@ss word', '--no-auth-warning', 'ACL', 'SETUSER', 'fleet', 'on', '>w', '~vz:*', '+@all')
    for (const [url, database] of [
      [`redis://:p%40ss%20word@127.0.0.1:${redis.port}`, 0],
      [`redis://fleet:w@127.0.0.1:${redis.port}/3`, 3],
    ] as const) {
      const one = placeAt(url)
      await ready(one)
      await put(one.place, NAME, BYTES)
      assert.deepEqual(await held(one.place, NAME), BYTES)
      const words = ['-a', 'p@ss word', '--no-auth-warning', '-n', String(database), 'DBSIZE']
      assert.equal(redis.cli(...words), '1')
    }
    for (const url of [`redis://127.0.0.1:${redis.port}`, `redis://:wrong@127.0.0.1:${redis.port}`]) {
      const one = placeAt(url)
      await until('the reason is told', () => one.told.length > 0)
      assert.match(one.told[0] ?? '', /^(?:NOAUTH|WRONGPASS)/)
      assert.ok(!one.told.some((text) => text?.includes('wrong@')))
      assert.equal(await one.place.get(NAME), undefined)
    }
  })

  test('FAULT-25: one that hangs costs one question its time, and the others nothing; then it is back', async () => {
    const redis = await server()
    const one = placeAt(`redis://127.0.0.1:${redis.port}`)
    await ready(one)
    await put(one.place, NAME, BYTES)
    const before = { late: one.times('late'), down: one.times('down') }
    redis.process.kill('SIGSTOP')
    for (let i = 0; i < 200; i++) assert.equal(await one.place.get(NAME), undefined)
    assert.equal(await one.place.put(NAME, BYTES), false)
    assert.equal((await one.place.lease(NAME)).kind, 'none')
    assert.ok(one.times('late') - before.late <= 1, 'nobody else waits')
    assert.ok(one.times('down') - before.down >= 200)
    redis.process.kill('SIGCONT')
    await until('it is back', async () => (await one.place.get(NAME)) !== undefined)
  })

  test('FAULT-25: one that ends, and comes back, is noticed both times', async () => {
    const redis = await server()
    const one = placeAt(`redis://127.0.0.1:${redis.port}`)
    await ready(one)
    await redis.stop()
    await until('it is gone', () => one.told.at(-1) !== undefined)
    for (let i = 0; i < 200; i++) assert.equal(await one.place.get(NAME), undefined)
    assert.ok(one.times('down') + one.times('failed') >= 200)
    await redis.start()
    await ready(one)
    await put(one.place, NAME, BYTES)
    assert.deepEqual(await held(one.place, NAME), BYTES)
  })

  test('closes connections that were idle, or is told to: the next entries are written and read all the same', async () => {
    const redis = await server()
    const one = placeAt(`redis://127.0.0.1:${redis.port}`)
    await ready(one)
    for (let round = 0; round < 5; round++) {
      const name = nameOf('closed', String(round))
      await put(one.place, name, BYTES)
      redis.cli('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      assert.deepEqual(await held(one.place, name), BYTES)
    }
    const clients = redis.cli('CLIENT', 'LIST').split('\n').length
    assert.ok(clients <= 3, `${clients} connections: one to read, one to write, and this one`)
  })

  test('whose memory is full takes nothing more, and answers for the rest', async () => {
    const redis = await server(['--maxmemory', '4mb', '--maxmemory-policy', 'noeviction'])
    const one = placeAt(`redis://127.0.0.1:${redis.port}`)
    await ready(one)
    await put(one.place, NAME, BYTES)
    assert.equal(await one.place.put(nameOf('large'), randomBytes(6 * 2 ** 20)), false)
    await put(one.place, nameOf('next'), BYTES)
    assert.ok(one.times('failed') >= 1)
    assert.deepEqual(await held(one.place, NAME), BYTES)
  })

  test('where somebody put something else under our names has no entry there', async () => {
    const redis = await server()
    const one = placeAt(`redis://127.0.0.1:${redis.port}`)
    await ready(one)
    redis.cli('RPUSH', `vz:{${NAME}}`, 'a list')
    assert.equal(await one.place.get(NAME), undefined)
    await put(one.place, NAME, BYTES)
    assert.deepEqual(await held(one.place, NAME), BYTES)
  })

  test('that is a cluster has each entry at the server that its slot is at, after one question more', async () => {
    const settings = ['--cluster-enabled', 'yes', '--cluster-require-full-coverage', 'no']
    const [low, high] = [await server(settings), await server(settings)]
    low.cli('CLUSTER', 'ADDSLOTSRANGE', '0', '8191')
    high.cli('CLUSTER', 'ADDSLOTSRANGE', '8192', '16383')
    low.cli('CLUSTER', 'MEET', '127.0.0.1', String(high.port))
    await until('they have met', () =>
      [low, high].every((node) => /cluster_slots_assigned:16384/.test(node.cli('CLUSTER', 'INFO'))),
    )
    const one = placeAt(`redis://127.0.0.1:${low.port}`)
    await ready(one)
    const names = Array.from({ length: 20 }, (_, i) => nameOf('cluster', String(i)))
    for (const name of names) {
      const slot = Number(low.cli('CLUSTER', 'KEYSLOT', `vz:{${name}}`))
      const holder = slot < 8192 ? low : high
      await put(one.place, name, BYTES)
      assert.equal(holder.cli('EXISTS', `vz:{${name}}`), '1')
      assert.deepEqual(await held(one.place, name), BYTES)
      const lease = await leased(one.place, name)
      assert.equal(lease.kind, 'own')
      if (lease.kind === 'own') await lease.end()
    }
    const refusals = () => Number(/total_error_replies:(\d+)/.exec(low.cli('INFO', 'stats'))?.[1])
    const before = refusals()
    for (const name of names) assert.deepEqual(await held(one.place, name), BYTES)
    assert.ok(refusals() - before < names.length / 4, 'places are remembered')
  })
})

describe('what is no server of Redis', () => {
  /** Answers a greeting rightly, and the rest as it is told to. */
  async function pretender(answer: (socket: Socket) => void): Promise<string> {
    const sockets = new Set<Socket>()
    const pretending = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => {
        const pings = bytes.toString('latin1').split(/ping/i).length - 1
        socket.write('+PONG\r\n'.repeat(pings))
        if (pings === 0) answer(socket)
      })
    }).listen(0, '127.0.0.1')
    await once(pretending, 'listening')
    cleanups.push(async () => {
      for (const socket of sockets) socket.destroy()
      pretending.close()
    })
    const address = pretending.address()
    assert.ok(address !== null && typeof address === 'object')
    return `redis://127.0.0.1:${address.port}`
  }

  for (const [what, answer] of Object.entries({
    'a page': 'HTTP/1.1 200 OK\r\n\r\n',
    'a value beyond all bounds': '$99999999999\r\n',
    'a number': ':1\r\n',
    'an error': '-ERR unknown command\r\n',
    'another place, where nobody is': '-MOVED 1 :0\r\n',
  })) {
    test(`answers ${what}: there is no entry, and nothing else comes of it`, async () => {
      const one = placeAt(await pretender((socket) => socket.write(answer)))
      await until('it was asked', async () => {
        assert.equal(await one.place.get(NAME), undefined)
        await one.place.put(NAME, BYTES)
        assert.notEqual((await one.place.lease(NAME)).kind, 'own')
        return one.times('failed') + one.times('miss') + one.times('down') > 0
      })
    })
  }

  test('begins a value and never ends it: it is late, and no longer asked', async () => {
    const one = placeAt(await pretender((socket) => socket.write('$1000000\r\nabc')))
    await ready({ ...one, place: { ...one.place, get: async () => undefined } })
    assert.equal(await one.place.get(NAME), undefined)
    assert.equal(await one.place.get(NAME), undefined)
    assert.deepEqual([one.times('late'), one.times('down')], [1, 1])
  })

  test('is not there at all: nobody waits', async () => {
    const one = placeAt('redis://127.0.0.1:1')
    for (let i = 0; i < 200; i++) assert.equal(await one.place.get(NAME), undefined)
    assert.ok(one.times('late') <= 1)
    assert.match(one.told[0] ?? '', /ECONNREFUSED/)
  })
})

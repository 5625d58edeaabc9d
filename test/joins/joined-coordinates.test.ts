import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findChunk } from '../../src/compose/find-chunk.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import { encodeLearned } from '../../src/service/join/learned.ts'
import { MemberVersions } from '../../src/service/join/member-versions.ts'
import { JoinWorld, month, numbers } from './helpers.ts'

const COUNT = 200

function days(count: number): number[] {
  return Array.from({ length: count }, (_none, day) => day)
}

/** One file a day, each counting from its own day. */
function putDays(world: JoinWorld, folder: string, count = COUNT): void {
  for (let day = 0; day < count; day++) putDay(world, folder, day)
}

function putDay(world: JoinWorld, folder: string, day: number, etag?: string, lat?: readonly number[]): void {
  const date = new Date(Date.UTC(2000, 0, 1 + day)).toISOString().slice(0, 10)
  world.put(`${folder}/d${day}.nc`, month(date, 1, { first: day, ...(lat && { lat }) }), etag)
}

const sources = (folder: string, count = COUNT) => ({ template: `${folder}/d{n}.nc`, n: `0..${count - 1}` })

describe('the joined coordinate is read with the headers', () => {
  const world = new JoinWorld()
  before(() => world.start({ freshSeconds: 3600 }))
  after(() => world.close())

  const requestsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = world.origin.requests.length
    await work()
    return world.origin.requests.length - before
  }

  test('with lengths: two headers at open, one request for each other file when the coordinate is read, and none later', async () => {
    putDays(world, 'lengths')
    const store = world.join({ sources: sources('lengths'), along: 'time', lengths: 1 })
    assert.equal(await requestsOf(() => store.describe()), 3)
    assert.equal(await requestsOf(async () => assert.deepEqual(await numbers(store, 'time'), days(COUNT))), COUNT - 2)
    assert.equal(await requestsOf(async () => assert.deepEqual(await numbers(store, 'time'), days(COUNT))), 0)
    assert.ok((await requestsOf(() => store.chunk('t', [COUNT / 2, 0]))) >= 1, 'a file that was read is not kept open')
  })

  test('where all headers are read the coordinate costs no request of its own', async () => {
    putDays(world, 'all')
    const store = world.join({ sources: sources('all'), along: 'time' })
    assert.equal(await requestsOf(() => store.describe()), COUNT + 1)
    assert.equal(await requestsOf(async () => assert.deepEqual(await numbers(store, 'time'), days(COUNT))), 0)
  })

  test('those who ask at the same time wait for the same task', async () => {
    putDays(world, 'shared')
    const store = world.join({ sources: sources('shared'), along: 'time', lengths: 1 })
    await store.describe()
    const ask = () => Promise.all([1, 2, 3].map(() => numbers(store, 'time')))
    assert.equal(await requestsOf(ask), COUNT - 2)
  })

  test('a task stops when nobody waits for it, and the next one goes on where it was', async () => {
    putDays(world, 'left')
    const store = world.join({ sources: sources('left'), along: 'time', lengths: 1 })
    await store.describe()
    const leaving = new AbortController()
    const node = (await store.describe()).store.nodes.get('time')
    assert.equal(node?.kind, 'array')
    const before = world.origin.requests.length
    const asked = node.kind === 'array' ? findChunk(node.array, [0], leaving.signal) : undefined
    while (world.origin.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 1))
    leaving.abort()
    await assert.rejects(async () => await asked)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const read = world.origin.requests.length - before
    assert.ok(read < COUNT - 2, `${read} of ${COUNT - 2} were read after the client left`)
    assert.deepEqual(await numbers(store, 'time'), days(COUNT))
    assert.equal(world.origin.requests.length - before, COUNT - 2)
  })

  test('an absent file reads as missing in the coordinate', async () => {
    putDays(world, 'absent')
    const document = {
      sources: sources('absent', COUNT + 1),
      along: 'time',
      lengths: 1,
      missing: 'fill',
      check: 'none',
    }
    const values = await numbers(world.join(document), 'time')
    assert.deepEqual(values.slice(0, COUNT), days(COUNT))
    assert.equal(values[COUNT], Number(-(2n ** 63n)))
  })

  test('a file whose other coordinates differ is an error of the coordinate', async () => {
    putDays(world, 'other')
    putDay(world, 'other', 77, '"v1"', [-11, 11])
    const store = world.join({ sources: sources('other'), along: 'time', lengths: 1 })
    await assert.rejects(
      () => numbers(store, 'time'),
      (error) =>
        isVirtualZarrError(error, 'malformed-source') && /the values of lat differ .*d77\.nc/.test(error.message),
    )
  })
})

describe('a joined coordinate that was read is asked for again when it is old', () => {
  const world = new JoinWorld()
  before(() => world.start({ freshSeconds: 0 }))
  after(() => world.close())

  test('each file is asked once whether it changed, and none is read; a changed one is told', async () => {
    putDays(world, 'old')
    const store = world.join({ sources: sources('old'), along: 'time', lengths: 1 })
    assert.deepEqual(await numbers(store, 'time'), days(COUNT))
    const before = world.origin.requests.length
    assert.equal(Buffer.from((await store.chunk('time', [0])) ?? []).length > 0, true)
    const asked = world.origin.requests.slice(before)
    assert.ok(asked.every(({ headers }) => headers['if-none-match'] !== undefined || headers['if-match'] !== undefined))
    putDay(world, 'old', 99, '"v2"')
    await assert.rejects(
      () => store.chunk('time', [0]),
      (error) => isVirtualZarrError(error, 'source-changed'),
    )
    assert.deepEqual(await numbers(store, 'time'), days(COUNT))
  })

  test('with check: none no file is asked again', async () => {
    putDays(world, 'trusted')
    const store = world.join({ sources: sources('trusted'), along: 'time', lengths: 1, check: 'none' })
    assert.deepEqual(await numbers(store, 'time'), days(COUNT))
    const before = world.origin.requests.length
    await store.chunk('time', [0])
    assert.ok(world.origin.requests.length - before <= 1, 'the document alone')
    await store.describe()
    assert.ok(world.origin.requests.length - before <= 2)
    // What is said of files says nothing of their bytes: those of another version are never mixed in.
    putDay(world, 'trusted', 0, '"v2"')
    await assert.rejects(
      () => store.chunk('t', [0, 0]),
      (error) => isVirtualZarrError(error, 'source-changed'),
    )
  })
})

describe('a joined coordinate outlives the process', () => {
  const world = new JoinWorld()
  const manifestFolder = mkdtempSync(join(tmpdir(), 'vz-learned-'))
  const limits = { freshSeconds: 3600, manifestFolder }
  before(() => world.start(limits))
  after(async () => {
    await world.close()
    rmSync(manifestFolder, { recursive: true, force: true })
  })

  const conditional = (from: number) =>
    world.origin.requests
      .slice(from)
      .filter(({ headers }) => (headers['if-none-match'] ?? headers['if-match']) !== undefined).length

  test('after a restart each file is asked once whether it changed, and only one that did is read', async () => {
    putDays(world, 'again')
    const document = { sources: sources('again'), along: 'time', lengths: 1 }
    const store = world.join(document, 'again.json')
    assert.deepEqual(await numbers(store, 'time'), days(COUNT))
    await world.restart(limits)
    const before = world.origin.requests.length
    const restored = world.open('again.json')
    assert.deepEqual(await numbers(restored, 'time'), days(COUNT))
    const asked = world.origin.requests.length - before
    assert.ok(asked <= COUNT + 5, `${asked} requests`)
    assert.ok(conditional(before) >= COUNT)
    const served = world.origin.requests.length
    await restored.chunk('time', [0])
    assert.equal(world.origin.requests.length, served, 'a confirmed coordinate is not asked for again')

    // Day 100 becomes day 500.
    const date = new Date(Date.UTC(2000, 0, 501)).toISOString().slice(0, 10)
    world.put('again/d100.nc', month(date, 1, { first: 100 }), '"v2"')
    await world.restart(limits)
    assert.deepEqual(await numbers(world.open('again.json'), 'time'), days(COUNT).with(100, 500))
  })

  test('with check: none nothing but the document and the first file is asked for', async () => {
    putDays(world, 'sure')
    const document = { sources: sources('sure'), along: 'time', lengths: 1, check: 'none' }
    assert.deepEqual(await numbers(world.join(document, 'sure.json'), 'time'), days(COUNT))
    await world.restart(limits)
    const before = world.origin.requests.length
    assert.deepEqual(await numbers(world.open('sure.json'), 'time'), days(COUNT))
    assert.ok(world.origin.requests.length - before <= 3)
  })

  test('another document, or another first file, is another join', async () => {
    putDays(world, 'other', 10)
    const document = { sources: sources('other', 10), along: 'time', lengths: 1, check: 'none' }
    assert.deepEqual(await numbers(world.join(document, 'other.json'), 'time'), days(10))
    await world.restart(limits)
    putDays(world, 'moved', 10)
    for (let day = 0; day < 10; day++) {
      const date = new Date(Date.UTC(2000, 0, 1 + 2 * day)).toISOString().slice(0, 10)
      world.put(`moved/d${day}.nc`, month(date, 1, { first: day }))
    }
    const moved = world.join({ ...document, sources: sources('moved', 10) }, 'other.json')
    assert.deepEqual(
      await numbers(moved, 'time'),
      days(10).map((day) => 2 * day),
    )
  })

  test('the versions of 100,000 members take less than 100 bytes each, and are what they were', () => {
    const versions = new MemberVersions()
    const told = (member: number) => ({
      version: {
        size: 1_000_000 + ((member * 7919) % 100_000),
        etag: `"${(BigInt(member) * 0x9e3779b97f4a7c15n).toString(16).padStart(32, '0').slice(-32)}"`,
        lastModified: new Date(1.6e12 + member * 1e6).toUTCString(),
        isStrong: true,
      },
      isWhole: false,
    })
    for (let member = 0; member < 100_000; member++) versions.set(member, told(member))
    for (const member of [0, 15, 16, 777, 99_999]) assert.deepEqual(versions.get(member), told(member))
    const written = versions.written(0, 100_000)
    const bytes = encodeLearned({ versions: written, coordinates: [] })
    assert.ok(bytes !== undefined && bytes.length < 100 * 100_000, `${bytes?.length} bytes`)
    const restored = new MemberVersions(written)
    assert.deepEqual(restored.get(4321), told(4321))
    assert.equal(restored.has(100_000), false)
  })
})

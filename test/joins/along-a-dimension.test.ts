import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { object } from '../corpus/golden.ts'
import { JoinWorld, month, numbers } from './helpers.ts'

describe('files joined along a dimension that they have', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    world.put('a1.nc', month('2000-01-01', 31))
    world.put('a2.nc', month('2000-02-01', 29, { first: 1000 }))
    world.put('a3.nc', month('2000-03-01', 31, { first: 2000 }))
  })
  after(() => world.close())

  const expected = [
    [31, 0],
    [29, 1000],
    [31, 2000],
  ].flatMap(([days = 0, first = 0]) =>
    Array.from({ length: days }, (_none, day) => [first + day * 10, first + day * 10 + 1]).flat(),
  )

  test('values follow each other, and times count from the first file', async () => {
    for (const sources of [['a1.nc', 'a2.nc', 'a3.nc'], { template: 'a{n}.nc', n: '1..3' }]) {
      const store = world.join({ sources, along: 'time' })
      assert.deepEqual(await numbers(store, 't'), expected)
      assert.deepEqual(
        await numbers(store, 'time'),
        Array.from({ length: 91 }, (_none, day) => day),
      )
      assert.deepEqual(await numbers(store, 'lat'), [-10, 10])
      const { attributes } = await store.document('time')
      assert.deepEqual({ ...object(attributes) }, { units: 'days since 2000-01-01' })
    }
  })

  test('a URL with braces is a join without a document', async () => {
    const store = world.open('a{1..3}.nc')
    assert.equal((await store.describe()).parsed.publicUrl, world.origin.url('a{1..3}.nc'))
    assert.deepEqual(await numbers(store, 't'), expected)
    assert.deepEqual(await numbers(world.open('a{1,3}.nc', { along: 'time' }), 'time'), [
      ...Array.from({ length: 31 }, (_none, day) => day),
      ...Array.from({ length: 31 }, (_none, day) => day + 60),
    ])
  })

  test('documents in YAML, rename, drop and variables', async () => {
    world.origin.put(
      'j.yaml',
      Buffer.from(
        'virtual_zarr: join/1\nsources: [a1.nc, a2.nc]\nalong: time\nrename: {t: temperature}\nvariables: [temperature]\n',
      ),
    )
    const store = world.open('j.yaml')
    assert.deepEqual(await numbers(store, 'temperature'), expected.slice(0, 120))
    const dropped = world.join({ sources: ['a1.nc', 'a2.nc'], along: 'time', drop: ['t'] })
    const { store: opened } = await dropped.describe()
    assert.deepEqual([...opened.nodes.keys()], ['', 'time', 'lat'])
  })

  test('COMB-2: a chunk that crosses from one file into the next is assembled, one that does not is the file’s own', async () => {
    const store = world.join({ sources: ['a1.nc', 'a3.nc'], along: 'time' })
    world.origin.forget()
    await store.chunk('t', [0, 0])
    assert.deepEqual(await numbers(store, 't'), [...expected.slice(0, 62), ...expected.slice(120)])
  })

  test('with lengths only the first and the last header are read; a chunk between costs its own file’s opening', async () => {
    for (let n = 10; n < 20; n++)
      world.put(`b${n}.nc`, month('2000-01-01', 5, { first: n * 100, units: `days since 2000-01-${n}` }))
    const store = world.join({ sources: { template: 'b{n}.nc', n: '10..19' }, along: 'time', lengths: 5 })
    world.origin.forget()
    const { store: opened } = await store.describe()
    // Coordinates are compared by what was read with the headers.
    assert.equal(world.origin.requests.length, 3, 'the document and two files')
    const files = new Set(world.origin.requests.map(({ path }) => path).filter((path) => path.startsWith('/b')))
    assert.deepEqual([...files].sort(), ['/b10.nc', '/b19.nc'])
    const node = opened.nodes.get('t')
    assert(node?.kind === 'array')
    assert.deepEqual(
      [node.array.shape, node.array.chunkShape],
      [
        [50, 2],
        [5, 2],
      ],
    )
    world.origin.forget()
    await store.chunk('t', [4, 0])
    assert.deepEqual([...new Set(world.origin.requests.map(({ path }) => path))], ['/b14.nc'])
    assert.equal(world.origin.requests.length, 1, 'the opening brings the chunk along')
    world.origin.forget()
    await store.chunk('t', [4, 0])
    assert.equal(world.origin.requests.length, 0)
    assert.equal((await numbers(store, 't')).length, 100)
    assert.deepEqual((await numbers(store, 'time')).slice(0, 8), [0, 1, 2, 3, 4, 1, 2, 3])
  })

  test('a file that stands at two places must be as long as each of them says', async () => {
    world.put('twice.nc', month('2000-01-01', 2))
    const store = world.join({ sources: ['twice.nc', 'twice.nc', 'twice.nc'], along: 'time', lengths: [2, 3, 2] })
    assert((await store.chunk('t', [0, 0])) !== undefined)
    await assert.rejects(numbers(store, 't'), { code: 'malformed-source', message: /t is 2 long .*, expected 3/ })
  })

  test('a file of the middle that does not fit is 422 for its own chunks, and the others are served', async () => {
    world.put('c1.nc', month('2000-01-01', 2))
    world.put('c2.nc', month('2000-01-03', 3))
    world.put('c3.nc', month('2000-01-05', 2))
    const store = world.join({ sources: { template: 'c{n}.nc', n: '1..3' }, along: 'time', lengths: 2 })
    assert((await store.chunk('t', [0, 0])) !== undefined)
    assert((await store.chunk('t', [2, 0])) !== undefined)
    await assert.rejects(store.chunk('t', [1, 0]), {
      code: 'malformed-source',
      message: /t is 3 long along time in .*c2\.nc, expected 2/,
    })
  })
})

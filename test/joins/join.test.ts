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
    assert(world.origin.requests.length <= 3, `${world.origin.requests.length} requests`)
    world.origin.forget()
    await store.chunk('t', [4, 0])
    assert.equal(world.origin.requests.length, 1)
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

describe('what differs between the files of a join', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    world.put('a.nc', month('2000-01-01', 2))
  })
  after(() => world.close())

  /** The error of joining `a.nc` with another file. */
  async function refusal(other: Parameters<JoinWorld['put']>[1], document: object = {}): Promise<string> {
    const name = `other-${Math.random()}.nc`
    world.put(name, other)
    const store = world.join({ sources: ['a.nc', name], along: 'time', check: 'all', ...document })
    try {
      await store.describe()
    } catch (error) {
      assert(error instanceof Error && 'code' in error && error.code === 'malformed-source', String(error))
      return error.message.replaceAll(world.origin.base, '').replace(name, 'b.nc')
    }
    return 'nothing'
  }

  test('COMB-1: what can not be joined is refused with both files and the first difference', async () => {
    assert.equal(
      await refusal(month('2000-01-03', 2, { lat: [10, -10] })),
      'the values of lat differ between a.nc and b.nc',
    )
    assert.equal(
      await refusal(month('2000-01-03', 2, { lat: [10, 20, 30] })),
      'the length of lat of t is 2 in a.nc and 3 in b.nc',
    )
    assert.equal(
      await refusal(month('2000-01-03', 2, { temperature: { attributes: { units: 'degC' } } })),
      'the attribute units of t is "K" in a.nc and "degC" in b.nc',
    )
    assert.equal(
      await refusal(month('2000-01-03', 2, { calendar: 'noleap' })),
      'the attribute calendar of time is absent in a.nc and "noleap" in b.nc',
    )
    assert.equal(
      await refusal(month('2000-01-03', 2, { units: 'months since 2000-01-01' })),
      'the attribute units of time is "days since 2000-01-01" in a.nc and "months since 2000-01-01" in b.nc',
    )
    assert.equal(
      await refusal(month('2000-01-03', 2), { along: 'depth' }),
      'a.nc has no dimension depth; it has time, lat',
    )
  })

  test('COMB-3: types are widened where that loses nothing', async () => {
    const counts = (type: 'short' | 'int', values: number[]) => ({ n: { dims: ['time'], type, values } }) as const
    world.put('w1.nc', month('2000-01-01', 2, { variables: counts('short', [1, -2]) }))
    world.put('w2.nc', month('2000-01-03', 2, { variables: counts('int', [70_000, 4]) }))
    const store = world.join({ sources: ['w1.nc', 'w2.nc'], along: 'time' })
    assert.deepEqual(await numbers(store, 'n'), [1, -2, 70_000, 4])
    assert.equal((await store.document('n'))['data_type'], 'int32')
  })

  test('COMB-3: a sentinel of another value becomes that of the first file, never a number', async () => {
    const flags = (values: number[], fill?: number) =>
      ({
        n: { dims: ['time'], type: 'short', values, attributes: fill === undefined ? {} : { _FillValue: fill } },
      }) as const
    world.put('f1.nc', month('2000-01-01', 2, { variables: flags([1, -9], -9) }))
    world.put('f2.nc', month('2000-01-03', 2, { variables: flags([7, 3], 7) }))
    world.put('f3.nc', month('2000-01-05', 2, { variables: flags([-9, 3], 7) }))
    world.put('f4.nc', month('2000-01-05', 2, { variables: flags([5, 6]) }))
    const store = world.join({ sources: ['f1.nc', 'f2.nc', 'f4.nc'], along: 'time' })
    assert.deepEqual(await numbers(store, 'n'), [1, -9, -9, 3, 5, 6])
    const clash = world.join({ sources: ['f1.nc', 'f3.nc'], along: 'time' })
    await assert.rejects(numbers(clash, 'n'), {
      code: 'malformed-source',
      message: /-9 becomes -9, which marks missing points/,
    })
  })

  test('a finer unit in one file makes all counts finer, in whole numbers', async () => {
    world.put('h1.nc', month('2000-01-01', 2))
    world.put('h2.nc', month('', 2, { units: 'hours since 2000-01-03' }))
    const store = world.join({ sources: ['h1.nc', 'h2.nc'], along: 'time' })
    assert.deepEqual(await numbers(store, 'time'), [0, 24, 48, 49])
    assert.deepEqual({ ...object((await store.document('time'))['attributes']) }, { units: 'hours since 2000-01-01' })
  })

  test('bounds count from the same date as what they bound', async () => {
    const bounds = (days: number) =>
      ({
        time_bnds: {
          dims: ['time', 'lat'],
          type: 'int',
          values: Array.from({ length: 2 * days }, (_none, at) => Math.floor((at + 1) / 2)),
        },
      }) as const
    for (const [name, since] of [
      ['n1.nc', '2000-01-01'],
      ['n2.nc', '2000-01-03'],
    ] as const) {
      const dataset = month(since, 2, { variables: bounds(2) })
      const { time } = dataset.variables
      assert(time !== undefined)
      const named = { ...time, attributes: { ...time.attributes, bounds: 'time_bnds' } }
      world.put(name, { ...dataset, variables: { ...dataset.variables, time: named } })
    }
    const store = world.join({ sources: ['n1.nc', 'n2.nc'], along: 'time' })
    assert.deepEqual(await numbers(store, 'time_bnds'), [0, 1, 1, 2, 2, 3, 3, 4])
  })

  test('bounds count so whatever they or what they bound are called, or whether that is served', async () => {
    for (const change of [
      { rename: { time_bnds: 'b', time: 'when' }, along: 'when' },
      { drop: ['time'], rename: { time_bnds: 'b' } },
    ]) {
      const store = world.join({ sources: ['n1.nc', 'n2.nc'], along: 'time', ...change })
      assert.deepEqual(await numbers(store, 'b'), [0, 1, 1, 2, 2, 3, 3, 4])
    }
    const both = world.join({ sources: ['n1.nc', 'n2.nc'], along: 'time', rename: { t: 'time_bnds' } })
    await assert.rejects(both.describe(), {
      code: 'malformed-source',
      message: /two variables would be named time_bnds/,
    })
  })

  test('reference systems that differ are refused', async () => {
    const crs = (wkt: string) =>
      ({ crs: { dims: [], type: 'int', values: [0], attributes: { crs_wkt: wkt } } }) as const
    world.put('crs1.nc', month('2000-01-01', 2, { variables: crs('A') }))
    world.put('crs2.nc', month('2000-01-03', 2, { variables: crs('B') }))
    const store = world.join({ sources: ['crs1.nc', 'crs2.nc'], along: 'time' })
    await assert.rejects(store.describe(), {
      message: /the attribute crs_wkt of crs is "A" in .*crs1\.nc and "B" in .*crs2\.nc/,
    })
  })

  test('a variable that a file lacks reads as missing there, with a diagnostic', async () => {
    const ice = { ice: { dims: ['time'], type: 'float', values: [5, 6] } } as const
    world.put('m1.nc', month('2000-01-01', 2, { variables: ice }))
    const store = world.join({ sources: ['m1.nc', 'a.nc'], along: 'time' })
    assert.deepEqual(await numbers(store, 'ice'), [5, 6, Number.NaN, Number.NaN])
    const { store: opened } = await store.describe()
    const told = opened.diagnostics.filter(({ code }) => code === 'join-variable-missing')
    assert.equal(told.length, 1)
    assert.match(told[0]?.message ?? '', /a\.nc have? no ice/)
    const later = world.join({ sources: ['a.nc', 'm1.nc'], along: 'time' })
    assert.deepEqual(await numbers(later, 'ice'), [Number.NaN, Number.NaN, 5, 6])
  })

  test('whole numbers have no missing value unless the file says one: then they are refused and not made up', async () => {
    const count = { n: { dims: ['time'], type: 'int', values: [5, 6] } } as const
    assert.match(
      await refusal(month('2000-01-03', 2, { variables: count })),
      /a\.nc has no variable n, and in b\.nc no value of it says that it is missing/,
    )
  })

  test('PACK-6, COMB-4: packing that differs by whole steps becomes that of the first file, in a type that holds both', async () => {
    const packed = (values: number[], scale: number, offset: number) =>
      ({
        p: {
          dims: ['time'],
          type: 'short',
          values,
          attributes: { scale_factor: scale, add_offset: offset, _FillValue: -32768 },
        },
      }) as const
    world.put('p1.nc', month('2000-01-01', 2, { variables: packed([100, -32768], 0.01, 273.15) }))
    world.put('p2.nc', month('2000-01-03', 2, { variables: packed([100, -32768], 0.02, 280.15) }))
    const store = world.join({ sources: ['p1.nc', 'p2.nc'], along: 'time' })
    assert.deepEqual(await numbers(store, 'p'), [100, -32768, 900, -32768])
    const document = await store.document('p')
    assert.equal(document['data_type'], 'int32')
  })

  test('PACK-6, COMB-4: packing that has no common steps is served decoded, missing points as NaN', async () => {
    const packed = (values: number[], scale: number) =>
      ({ p: { dims: ['time'], type: 'short', values, attributes: { scale_factor: scale, _FillValue: -1 } } }) as const
    world.put('q1.nc', month('2000-01-01', 2, { variables: packed([100, -1], 0.5) }))
    world.put('q2.nc', month('2000-01-03', 2, { variables: packed([100, -1], 0.3) }))
    const store = world.join({ sources: ['q1.nc', 'q2.nc'], along: 'time' })
    assert.deepEqual(await numbers(store, 'p'), [50, Number.NaN, 30, Number.NaN])
    const document = await store.document('p')
    assert.equal(document['data_type'], 'float32')
    assert.deepEqual({ ...object(document['attributes']) }, {})
    const { store: opened } = await store.describe()
    assert(opened.diagnostics.some(({ code, path }) => code === 'join-reexpressed' && path === 'p'))
  })
})

describe('sources that fail, change or are not there', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    for (let n = 1; n <= 5; n++) world.put(`a${n}.nc`, month(`2000-01-0${n}`, 1, { first: 100 * n }))
  })
  after(() => world.close())
  const sources = { template: 'a{n}.nc', n: '1..5' }

  test('a source that is down costs its own chunks only, and is never read as fill', async () => {
    for (let n = 1; n <= 3; n++) world.put(`d${n}.nc`, month(`2000-01-0${n}`, 1, { first: 100 * n }))
    world.put('d4.nc', month('2000-01-04', 1, { first: 400 }))
    const store = world.join({ sources: { template: 'd{n}.nc', n: '1..4' }, along: 'time', lengths: 1 })
    await store.describe()
    world.origin.fault({ kind: 'status', status: 500 }, Number.POSITIVE_INFINITY, 'd3.nc')
    await assert.rejects(store.chunk('t', [2, 0]), { code: 'source-unavailable', message: /d3\.nc/ })
    assert((await store.chunk('t', [1, 0])) !== undefined)
    await assert.rejects(store.chunk('time', [0]), { code: 'source-unavailable' })
    world.origin.heal()
  })

  test('a source that is absent is refused, or reads as missing where the document says so', async () => {
    const gap = { template: 'a{n}.nc', n: '1..6' }
    const refused = world.join({ sources: gap, along: 'time' })
    await assert.rejects(refused.describe(), { code: 'source-not-found', message: /a6\.nc/ })
    const lengthless = world.join({ sources: gap, along: 'time', missing: 'fill' })
    await assert.rejects(lengthless.describe(), { code: 'malformed-source', message: /no lengths/ })
    const listed = { list: ['a1.nc', 'gone.nc', 'a3.nc'] }
    const store = world.join({ sources: listed, along: 'time', lengths: 1, missing: 'fill' })
    assert.deepEqual(await numbers(store, 't'), [100, 101, Number.NaN, Number.NaN, 300, 301])
    assert.deepEqual(await numbers(store, 'time'), [0, -(2 ** 63), 2])
    assert.equal((await store.document('time'))['fill_value'], -(2n ** 63n))
    const counts = { n: { dims: ['time'], type: 'int', values: [5] } } as const
    world.put('n1.nc', month('2000-01-01', 1, { variables: counts }))
    const counted = world.join({ sources: ['n1.nc', 'gone.nc'], along: 'time', lengths: 1, missing: 'fill' })
    await assert.rejects(numbers(counted, 'n'), { code: 'malformed-source', message: /source 2 .* no value of n says/ })
    const wanted = world.join({ sources: listed, along: 'time', lengths: 1 })
    await assert.rejects(wanted.chunk('t', [1, 0]), { code: 'source-not-found' })
  })

  test('RELIABILITY 1: a source that changes is source-changed for its chunks, until the metadata is asked for', async () => {
    const store = world.join({ sources, along: 'time', lengths: 1, check: 'none' })
    const before = (await store.describe()).parsed.version
    assert((await store.chunk('t', [3, 0])) !== undefined)
    const old = await store.chunk('t', [1, 0])
    world.put('a4.nc', month('2000-01-04', 1, { first: 7 }), '"v2"')
    await assert.rejects(store.chunk('t', [3, 0]), { code: 'source-changed' })
    await assert.rejects(store.chunk('t', [3, 0]), { code: 'source-changed' })
    assert.deepEqual(await store.chunk('t', [1, 0]), old)
    const { parsed } = await store.describe()
    assert.deepEqual((await numbers(store, 't')).slice(6, 8), [7, 8])
    assert.equal(parsed.version, before)
  })

  test('a source that is a join itself is refused, one that names itself too', async () => {
    world.join({ sources: ['self.json'], along: 'time' }, 'self.json')
    await assert.rejects(world.open('self.json').describe(), {
      code: 'unsupported-feature',
      message: /is a join itself/,
    })
  })

  test('opening a join ends in time, however many sources it would read', async () => {
    const hasty = new JoinWorld()
    await hasty.start({ milliseconds: 300 })
    for (let n = 1; n <= 400; n++) hasty.put(`slow-${n}.nc`, month('2000-01-01', 1))
    hasty.origin.latencyMs = 50
    const store = hasty.join({ sources: { template: 'slow-{n}.nc', n: '1..400' }, along: 'time' })
    const start = performance.now()
    await assert.rejects(store.describe(), { code: 'source-timeout' })
    assert(performance.now() - start < 1500)
    await hasty.close()
  })

  test('guard: a remote document names no local file, and no address that its reader may not reach', async () => {
    const local = world.join({ sources: ['a1.nc', 'file:///etc/passwd'], along: 'time' })
    await assert.rejects(local.describe(), { code: 'source-forbidden' })
    const lazy = world.join({ sources: ['a1.nc', 'http://169.254.169.254/x.nc', 'a3.nc'], along: 'time', lengths: 1 })
    await lazy.describe()
    await assert.rejects(lazy.chunk('t', [1, 0]), { code: 'source-forbidden' })
  })

  test('a hundred thousand templated sources are opened by two headers, in little time and memory', async () => {
    for (const n of ['000001', '050000', '100000'])
      world.put(`many-${n}.nc`, month('2000-01-01', 1, { first: Number(n) }))
    const small = world.join({ sources: { template: 'many-{n:06}.nc', n: '1..1' }, along: { new: 'run' } })
    await small.describe()
    const store = world.join({ sources: { template: 'many-{n:06}.nc', n: '1..100000' }, along: { new: 'run' } })
    world.origin.forget()
    const before = process.memoryUsage().heapUsed
    const start = performance.now()
    await store.describe()
    assert(performance.now() - start < 1000)
    assert(process.memoryUsage().heapUsed - before < 10_000_000, 'less than 100 bytes a source')
    assert(world.origin.requests.length <= 8, `${world.origin.requests.length} requests`)
    assert((await store.chunk('t', [49_999, 0, 0])) !== undefined)
    await assert.rejects(store.chunk('t', [49_998, 0, 0]), { code: 'source-not-found' })
  })
})

describe('new dimensions, rows and merged joins', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    for (const run of [1, 2, 10]) {
      world.put(`run_${run}.nc`, month('2000-01-01', 2, { first: run * 100, attributes: { member: run } }))
    }
    for (const member of [0, 1]) {
      for (const part of [0, 1]) {
        world.put(
          `m${member}p${part}.nc`,
          month(part === 0 ? '2000-01-01' : '2000-01-03', 2, { first: 1000 * member + 100 * part }),
        )
      }
    }
    world.put('other.nc', {
      dims: { time: 2 },
      variables: { u: { dims: ['time'], type: 'short', values: [8, 9] } },
    })
  })
  after(() => world.close())
  const runs = ['run_1.nc', 'run_2.nc', 'run_10.nc']

  test('a new dimension has a value for each source: listed, from the name, from an attribute, or none', async () => {
    for (const [from, values] of [
      [{ values: [5, 6, 7] }, [5, 6, 7]],
      [{ from: 'run_(\\d+)' }, [1, 2, 10]],
      [{ attribute: 'member' }, [1, 2, 10]],
    ] as const) {
      const store = world.join({ sources: runs, along: { new: 'run', ...from } })
      assert.deepEqual(await numbers(store, 'run'), values)
      assert.deepEqual(await numbers(store, 't'), [100, 101, 110, 111, 200, 201, 210, 211, 1000, 1001, 1010, 1011])
      assert.deepEqual((await store.document('t'))['dimension_names'], ['run', 'time', 'lat'])
      assert.deepEqual(await numbers(store, 'time'), [0, 1])
    }
    const { store } = await world.join({ sources: runs, along: { new: 'run' } }).describe()
    assert.deepEqual([...store.nodes.keys()], ['', 'time', 'lat', 't'])
    const short = world.join({ sources: runs, along: { new: 'run', values: [1] } })
    await assert.rejects(short.describe(), { code: 'malformed-source', message: /1 members, and the join 3/ })
    const texts = world.join({ sources: runs, along: { new: 'run', values: ['a', 'b', 'ü'] } })
    const values = await texts.values('run')
    assert.deepEqual(values.kind === 'text' && values.values, ['a', 'b', 'ü'])
  })

  test('rows are joined along the inner dimension first, then along the outer one', async () => {
    const store = world.join({
      sources: [['m0p0.nc', 'm0p1.nc'], { template: 'm1p{n}.nc', n: '0..1' }],
      along: [{ new: 'member', values: [0, 1] }, 'time'],
    })
    const row = (first: number) => [0, 1, 10, 11, 100, 101, 110, 111].map((value) => first + value)
    assert.deepEqual(await numbers(store, 't'), [...row(0), ...row(1000)])
    assert.deepEqual(await numbers(store, 'time'), [0, 1, 2, 3])
    assert.deepEqual(await numbers(store, 'member'), [0, 1])
    assert.deepEqual((await store.document('t'))['shape'], [2, 4, 2])
  })

  test('merged joins stand beside each other, if their dimensions agree', async () => {
    const store = world.join({
      sources: ['m0p0.nc'],
      along: 'time',
      merge: [{ sources: ['other.nc'], along: 'time' }],
    })
    assert.deepEqual(await numbers(store, 'u'), [8, 9])
    assert.deepEqual(await numbers(store, 't'), [0, 1, 10, 11])
    const uneven = world.join({
      sources: runs.slice(0, 2),
      along: 'time',
      merge: [{ sources: ['other.nc'], along: 'time' }],
    })
    await assert.rejects(uneven.describe(), {
      code: 'malformed-source',
      message: /length of time is 4 for time and 2 for u/,
    })
    const twice = world.join({ sources: ['m0p0.nc'], along: 'time', merge: [{ sources: ['m0p0.nc'], along: 'time' }] })
    await assert.rejects(twice.describe(), { code: 'malformed-source', message: /have a variable t/ })
  })
})

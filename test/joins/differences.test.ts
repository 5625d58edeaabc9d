import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { object } from '../corpus/golden.ts'
import { JoinWorld, month, numbers } from './helpers.ts'

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
      message: /f3\.nc: the value -9 becomes -9, which marks missing points/,
    })
  })

  test('a finer unit in one file makes all counts finer, in whole numbers', async () => {
    world.put('h1.nc', month('2000-01-01', 2))
    world.put('h2.nc', month('', 2, { units: 'hours since 2000-01-03' }))
    const store = world.join({ sources: ['h1.nc', 'h2.nc'], along: 'time' })
    assert.deepEqual(await numbers(store, 'time'), [0, 24, 48, 49])
    assert.deepEqual({ ...object((await store.document('time'))['attributes']) }, { units: 'hours since 2000-01-01' })
  })

  test('times of a file that was not read yet may be of a wider type; a unit that gives no whole counts is blamed itself', async () => {
    const calendars = { units: 'days since 2000-01-01', calendar: 'standard' }
    const short = { dims: ['time'], type: 'short', values: [0, 1], attributes: calendars } as const
    world.put('l1.nc', month('', 2, { variables: { time: short } }))
    world.put('l2.nc', month('', 2, { units: 'days since 2000-03-01', calendar: 'gregorian' }))
    world.put('l3.nc', month('', 2, { units: 'hours since 2000-03-01 06:00', calendar: 'gregorian' }))
    const lazily = (name: string) =>
      world.join({ sources: ['l1.nc', name, 'l1.nc'], along: 'time', lengths: 2, check: 'none' })
    assert.deepEqual(await numbers(lazily('l2.nc'), 'time'), [0, 1, 60, 61, 0, 1])
    await assert.rejects(numbers(lazily('l3.nc'), 'time'), {
      message:
        /the unit and date of time is "days since 2000-01-01" in .*l1\.nc and "hours since 2000-03-01 06:00" in .*l3\.nc/,
    })
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

  test('a name under drop or rename that no file has is told', async () => {
    world.put('u1.nc', month('2000-01-03', 2))
    const sources = ['a.nc', 'u1.nc']
    const store = world.join({ sources, along: 'time', drop: ['snow', 'lat'], rename: { t: 'air', tt: 'b', tu: 'c' } })
    const { store: opened } = await store.describe()
    const told = opened.diagnostics.filter(({ code }) => code === 'join-name-unused').map(({ message }) => message)
    assert.deepEqual(told, [
      'drop: no source whose header was read has snow',
      'rename: no source whose header was read has tt, tu',
    ])
    const used = world.join({ sources, along: 'day', drop: ['lat'], rename: { time: 'day' } })
    assert(!(await used.describe()).store.diagnostics.some(({ code }) => code === 'join-name-unused'))
    const variables = world.join({ sources, along: 'time', variables: ['snow'] })
    await assert.rejects(variables.describe(), { code: 'invalid-request', message: /has no variable snow/ })
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
    // -32768 may be a number of the second file in the packing of the first: the end of the type is none of any.
    assert.deepEqual(await numbers(store, 'p'), [100, -(2 ** 31), 900, -(2 ** 31)])
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

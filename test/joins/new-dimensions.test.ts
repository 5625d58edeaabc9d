import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DatasetVariable } from '../helpers/netcdf-dataset.ts'
import { JoinWorld, month, numbers } from './helpers.ts'

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

  // xarray 2026.9's combine_nested(..., concat_dim='run', coords='minimal', compat='override') has the same values of v and time.
  describe('equal times in different units', () => {
    const since = '2000-01-01'
    const timesAs = (type: DatasetVariable['type'], units: string, values: readonly number[], more = {}) =>
      month(since, 3, { variables: { time: { dims: ['time'], type, values, attributes: { units, ...more } } } })
    before(() => {
      world.put('days.nc', timesAs('double', 'days since 2000-01-01', [0, 0.1, 2]))
      world.put('hours.nc', timesAs('double', 'hours since 2000-01-01', [0, 2.4, 48]))
      world.put('whole.nc', timesAs('int', 'days since 2000-01-01', [0, 1, 2]))
      world.put('minutes.nc', timesAs('int', 'minutes since 1999-12-31 12:00', [720, 2160, 3600]))
      world.put('fractions.nc', timesAs('double', 'hours since 1990-01-01', [87648, 87672, 87696]))
      world.put(
        'proleptic.nc',
        timesAs('int', 'seconds since 2000-01-01', [0, 86400, 172800], { calendar: 'proleptic_gregorian' }),
      )
      world.put('late.nc', timesAs('int', 'seconds since 2000-01-01', [0, 86400, 172801]))
      world.put('noleap.nc', timesAs('int', 'days since 2000-01-01', [0, 1, 2], { calendar: 'noleap' }))
      world.put('packed.nc', timesAs('int', 'hours since 2000-01-01', [0, 1, 2], { scale_factor: 24 }))
    })
    const joined = (sources: readonly string[]) => world.join({ sources, along: { new: 'run' } })

    for (const sources of [
      ['whole.nc', 'minutes.nc', 'fractions.nc', 'proleptic.nc'],
      ['minutes.nc', 'proleptic.nc', 'whole.nc', 'fractions.nc'],
      ['fractions.nc', 'whole.nc', 'minutes.nc', 'proleptic.nc'],
      ['days.nc', 'hours.nc'],
      ['hours.nc', 'days.nc'],
    ]) {
      test(`${sources.join(', ')}: the times of the first are those of the join`, async () => {
        const store = joined(sources)
        assert.deepEqual(await numbers(store, 'time'), await numbers(world.open(sources[0] ?? ''), 'time'))
        assert.deepEqual(
          (await store.document('time'))['attributes'],
          (await world.open(sources[0] ?? '').document('time'))['attributes'],
        )
        const own = [0, 1, 10, 11, 20, 21]
        assert.deepEqual(
          await numbers(store, 't'),
          sources.flatMap(() => own),
        )
      })
    }

    for (const [other, message] of [
      ['late.nc', /the values of time differ/],
      ['noleap.nc', /the attribute calendar of time is absent/],
      ['packed.nc', /the attribute units of time/],
    ] as const) {
      test(`whole.nc and ${other} are refused`, async () => {
        await assert.rejects(joined(['whole.nc', other]).describe(), { code: 'malformed-source', message })
      })
    }
  })
})

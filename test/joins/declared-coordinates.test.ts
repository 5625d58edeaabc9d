import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { readJoinDocument } from '../../src/joins/read-document.ts'
import { JoinWorld, month, numbers } from './helpers.ts'

const read = async (time: object, more: object = {}) =>
  (
    await readJoinDocument(
      Buffer.from(JSON.stringify({ virtual_zarr: 'join/1', sources: ['a'], ...more, coordinates: { time } })),
    )
  ).coordinates.get('time')

describe('coordinates that a join document declares', () => {
  const world = new JoinWorld()
  before(() => world.start({ freshSeconds: 3600 }))
  after(() => world.close())

  test('a date and a duration are numbers of the units', async () => {
    const units = 'hours since 1970-01-01'
    const days = 24 * 10_957
    const declared = await read({ start: '2000-01-01', step: 'PT6H', units })
    assert.deepEqual([declared?.first, declared?.step, declared?.dataType], [days, 6, { kind: 'int', bits: 64 }])
    const julian = await read({ start: '2000-01-01T12:00', step: 'P1W', units, calendar: '360_day', dtype: 'float64' })
    assert.deepEqual([julian?.first, julian?.step, julian?.dataType.kind], [30 * 360 * 24 + 12, 168, 'float'])
    const half = await read({ start: '1970-01-01', step: 'PT90M', units })
    assert.deepEqual([half?.step, half?.dataType], [1.5, { kind: 'float', bits: 64 }])
    const depth = await read({ start: 0.5, step: -2.5, units: 'm', dtype: 'float32' })
    assert.deepEqual([depth?.first, depth?.step, depth?.dataType.kind], [0.5, -2.5, 'float'])
  })

  test('what is no start, step, unit or type is refused by name', async () => {
    const units = 'days since 2000-01-01'
    for (const [time, message] of [
      [{ step: 1 }, /coordinates\.time\.start/],
      [{ start: 0 }, /coordinates\.time\.step/],
      [{ start: 0, step: 0 }, /coordinates\.time\.step is 0/],
      [{ start: 0, step: 'P1M', units }, /months and years have no fixed length/],
      [{ start: 0, step: 'P', units }, /expected a number of units/],
      [{ start: '2000-01-01', step: 1 }, /a date needs units/],
      [{ start: '2000-13-01', step: 1, units }, /is no date/],
      [{ start: 0, step: 1, units: 'months since 2000-01-01' }, /coordinates\.time\.units/],
      [{ start: 0, step: 1, units: 'm', calendar: 'noleap' }, /coordinates\.time\.calendar/],
      [{ start: 0, step: 0.5, units, dtype: 'int32' }, /no whole numbers/],
      [{ start: 0, step: 1, units, dtype: 'int8' }, /expected int32, int64, float32, float64/],
      [{ start: 0, step: 1, unit: 'm' }, /has a member "unit"/],
    ] as const) {
      await assert.rejects(
        () => read(time),
        (error) => isVirtualZarrError(error, 'malformed-source') && message.test(error.message),
      )
    }
  })

  test('three requests open a join of 100,000 files, whose coordinate is computed', async () => {
    world.put('many/d0.nc', month('2000-01-01', 1))
    world.put('many/d99999.nc', month('2273-10-15', 1))
    const store = world.join({
      sources: { template: 'many/d{n}.nc', n: '0..99999' },
      along: 'time',
      lengths: 1,
      coordinates: { time: { start: '2000-01-01', step: 'P1D', units: 'days since 2000-01-01' } },
    })
    const before = world.origin.requests.length
    const { parsed } = await store.describe()
    assert.deepEqual(
      parsed.diagnostics.filter(({ code }) => code === 'join-coordinate-differs'),
      [],
    )
    assert.deepEqual(
      await numbers(store, 'time'),
      Array.from({ length: 100_000 }, (_none, day) => day),
    )
    assert.equal(world.origin.requests.length - before, 3)
    const document = (await store.document('time')) as Record<string, unknown>
    assert.equal(document['data_type'], 'int64')
    assert.equal((document['attributes'] as Record<string, unknown>)['units'], 'days since 2000-01-01')
  })

  test('a member that begins with another value is told of, as soon as it is open', async () => {
    for (const [n, date] of ['2000-01-01', '2000-01-05', '2000-01-03'].entries())
      world.put(`told/d${n}.nc`, month(date, 1))
    const store = world.join({
      sources: { template: 'told/d{n}.nc', n: '0..2' },
      along: 'time',
      lengths: 1,
      coordinates: { time: { start: '2000-01-01', step: 'P1D', units: 'days since 1999-12-31' } },
    })
    const differing = async () =>
      (await store.describe()).parsed.diagnostics.filter(({ code }) => code === 'join-coordinate-differs')
    assert.deepEqual(await differing(), [])
    await store.chunk('t', [1, 0])
    const [told, ...others] = await differing()
    assert.equal(others.length, 0)
    assert.match(told?.message ?? '', /d1\.nc: time begins with 5 days since 1999-12-31, and the document declares 2/)
    assert.deepEqual(await numbers(store, 'time'), [1, 2, 3])
  })

  test('a dimension that is not joined, or said twice, is refused', async () => {
    world.put('once.nc', month('2000-01-01', 1))
    const declared = { start: 0, step: 1 }
    for (const [document, message] of [
      [{ along: 'time', coordinates: { lat: declared } }, /coordinates has "lat", and the join is along time/],
      [{ along: { new: 'run', values: [1] }, coordinates: { run: declared } }, /both say the values of run/],
      [
        {
          sources: ['once.nc', 'once.nc'],
          along: 'time',
          coordinates: { time: { ...declared, start: 2 ** 31 - 1, dtype: 'int32' } },
        },
        /too large for int32/,
      ],
    ] as const) {
      await assert.rejects(
        () => world.join({ sources: ['once.nc'], lengths: 1, ...document }).describe(),
        (error) => isVirtualZarrError(error, 'malformed-source') && message.test(error.message),
      )
    }
  })

  test('a new dimension has declared values, too', async () => {
    for (const n of [0, 1]) world.put(`run/d${n}.nc`, month('2000-01-01', 1))
    const store = world.join({
      sources: { template: 'run/d{n}.nc', n: '0..1' },
      along: { new: 'run' },
      coordinates: { run: { start: 100, step: 6, dtype: 'int32' } },
    })
    assert.deepEqual(await numbers(store, 'run'), [100, 106])
  })
})

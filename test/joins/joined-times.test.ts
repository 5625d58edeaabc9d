import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { object } from '../corpus/golden.ts'
import { JoinWorld, numbers } from './helpers.ts'

type Words = Readonly<Record<string, string | number>>

interface Times {
  readonly type?: '<i8' | '<i4' | '<f8'
  readonly values: readonly (number | bigint)[]
  readonly time: Words
  readonly bounds?: Words
  readonly fill?: number | string | null
  readonly lat?: number
}

/** NC_FILL_INT and NC_FILL_INT64: what netCDF4-python has chunks filled with that nobody wrote. */
const [FILL_32, FILL_64] = [-2147483647, '-9223372036854775806'] as const
const [NEW_YEAR, FEBRUARY] = ['days since 2000-01-01', 'days since 2000-02-01'] as const

/** A Kerchunk document of `time` and its bounds in one chunk each, which is longer than the array, as unlimited ones are in NetCDF-4. */
function timesFile({ type = '<i8', values, time, bounds = {}, fill = FILL_64, lat = 0 }: Times): Buffer {
  const padding = new Array<number | bigint>(4 - values.length).fill(
    typeof fill === 'string' ? BigInt(fill) : (fill ?? 0),
  )
  const all = [...values, ...padding]
  const next = (value: number | bigint) => (typeof value === 'bigint' ? value + 1n : value + 1)
  const document = (shape: readonly number[], chunks: readonly number[], dtype: string, fillValue: unknown) =>
    JSON.stringify({
      zarr_format: 2,
      shape,
      chunks,
      dtype,
      fill_value: fillValue,
      order: 'C',
      compressor: null,
      filters: null,
    })
      // A number that JSON.stringify can't write exactly.
      .replace(`"${FILL_64}"`, FILL_64)
  const attributes = (dims: readonly string[], words: Words) => JSON.stringify({ _ARRAY_DIMENSIONS: dims, ...words })
  const refs = {
    '.zgroup': '{"zarr_format":2}',
    'lat/.zarray': document([1], [1], '<f8', null),
    'lat/.zattrs': attributes(['lat'], {}),
    'lat/0': encoded('<f8', [lat]),
    'time/.zarray': document([values.length], [4], type, fill),
    'time/.zattrs': attributes(['time'], { bounds: 'time_bnds', ...time }),
    'time/0': encoded(type, all),
    'time_bnds/.zarray': document([values.length, 2], [4, 2], type, fill),
    'time_bnds/.zattrs': attributes(['time', 'nv'], bounds),
    'time_bnds/0.0': encoded(
      type,
      all.flatMap((value, at) => [value, at < values.length ? next(value) : value]),
    ),
  }
  return Buffer.from(JSON.stringify({ version: 1, refs }))
}

function encoded(type: '<i8' | '<i4' | '<f8', values: readonly (number | bigint)[]): string {
  const typed =
    type === '<f8'
      ? Float64Array.from(values, Number)
      : type === '<i4'
        ? Int32Array.from(values, Number)
        : BigInt64Array.from(values, BigInt)
  return `base64:${Buffer.from(typed.buffer).toString('base64')}`
}

// Expected values are those of xarray 2026.9's `concat` of the two files, opened one by one, in counts from the first's date.
describe('times of files that say their counts differently', () => {
  const world = new JoinWorld()
  before(() => world.start())
  after(() => world.close())

  function joined(one: Times, other: Times, document: object = { along: 'time' }) {
    const names = ['one', 'two'].map((name) => `${name}-${Math.random()}.json`)
    for (const [at, times] of [one, other].entries()) world.origin.put(names[at] ?? '', timesFile(times))
    // As in NetCDF, what fills chunks that nobody wrote marks nothing as missing.
    return world.join({ sources: names, check: 'all', options: { migrate_fill: 'never' }, ...document })
  }

  async function refusal(one: Times, other: Times, document?: object): Promise<string> {
    const store = joined(one, other, document)
    try {
      await numbers(store, 'time_bnds')
    } catch (error) {
      assert(error instanceof Error && 'code' in error && error.code === 'malformed-source', String(error))
      return error.message.replaceAll(world.origin.base, '').replace(/(one|two)-[\d.e-]+json/g, '$1')
    }
    return 'nothing'
  }

  test('a calendar in one and none in the other is no difference, nor is the fill of chunks that nobody wrote', async () => {
    for (const bounds of [{}, { units: NEW_YEAR }, { units: NEW_YEAR, calendar: 'proleptic_gregorian' }]) {
      for (const [type, fill] of [
        ['<i8', FILL_64],
        ['<i4', FILL_32],
      ] as const) {
        const first = { type, fill, values: [0, 1], time: { units: NEW_YEAR, calendar: 'proleptic_gregorian' }, bounds }
        const store = joined(first, { type, fill, values: [2, 3], time: { units: NEW_YEAR } })
        assert.deepEqual(await numbers(store, 'time'), [0, 1, 2, 3])
        assert.deepEqual(await numbers(store, 'time_bnds'), [0, 1, 1, 2, 2, 3, 3, 4])
      }
    }
  })

  test('the fill of int64 is no count in a finer unit', async () => {
    const store = joined(
      { values: [0, 1], time: { units: 'hours since 2000-01-01' } },
      { values: [2, 3], time: { units: FEBRUARY } },
    )
    assert.deepEqual(await numbers(store, 'time'), [0, 1, 792, 816])
  })

  test('CF 7.1: bounds without units or calendar have those of what they bound, also where files share them', async () => {
    const noleap = { units: NEW_YEAR, calendar: 'noleap' }
    for (const bounds of [{}, { units: NEW_YEAR }, noleap]) {
      const first = { values: [0, 1], time: noleap, bounds }
      const other = { values: [0, 1], time: noleap, bounds: noleap }
      const alongLat = joined(first, { ...other, lat: 5 }, { along: 'lat' })
      assert.deepEqual(await numbers(alongLat, 'time_bnds'), [0, 1, 1, 2])
      const alongNew = joined(other, first, { along: { new: 'run', values: [0, 1] } })
      assert.deepEqual(await numbers(alongNew, 'time_bnds'), [0, 1, 1, 2])
    }
  })

  test('float64 and int64 are joined as float64, each count exactly or not at all', async () => {
    const whole = { values: [2, 3], time: { units: 'hours since 2000-02-01' } }
    const fractions = { type: '<f8', fill: null, values: [0, 1.25], time: { units: NEW_YEAR } } as const
    const store = joined(fractions, whole)
    assert.deepEqual(await numbers(store, 'time'), [0, 30, 746, 747])
    assert.equal((await store.document('time'))['data_type'], 'float64')
    assert.deepEqual(
      { ...object((await store.document('time'))['attributes']) },
      {
        bounds: 'time_bnds',
        units: 'hours since 2000-01-01',
      },
    )
    assert.deepEqual(await numbers(joined(whole, fractions), 'time'), [2, 3, -744, -714])
    // 2 ** 53 + 1, the first whole number that float64 has not got; the bounds begin with it, and 2 ** 53 itself is one.
    const large = { values: [2n ** 53n], time: { units: 'hours since 2000-01-01' } }
    assert.deepEqual(await numbers(joined({ ...fractions, time: large.time }, large), 'time'), [0, 1.25, 2 ** 53])
    assert.equal(
      await refusal({ ...fractions, time: large.time }, large),
      "two: the number 9007199254740993 is not one of float64, which other sources of the join have: it can't be exact",
    )
  })

  test('packed counts are not counted from another date', async () => {
    const half = (units: string) => ({ values: [2, 4], time: { units, scale_factor: 0.5 } })
    assert.deepEqual(await numbers(joined(half(NEW_YEAR), half(NEW_YEAR)), 'time'), [2, 4, 2, 4])
    assert.match(
      await refusal(half(NEW_YEAR), half(FEBRUARY)),
      /^the attribute units of time is "days since 2000-01-01" in one and "days since 2000-02-01" in two/,
    )
  })

  test('calendars that share no dates are named, also those of bounds', async () => {
    const first = { values: [0, 1], time: { units: NEW_YEAR, calendar: 'noleap' }, bounds: { units: NEW_YEAR } }
    const other = { values: [0, 1], time: { units: FEBRUARY, calendar: '360_day' }, bounds: { units: FEBRUARY } }
    const bounds = 'the calendar of time_bnds is "noleap" in one and "360_day" in two'
    assert.equal(await refusal(first, other, { along: 'time', drop: ['time'] }), bounds)
    assert.equal(await refusal(first, other, { along: { new: 'run', values: [0, 1] }, drop: ['time'] }), bounds)
    assert.equal(
      await refusal(first, { ...other, time: { units: FEBRUARY } }),
      'the attribute calendar of time is "noleap" in one and absent in two',
    )
  })
})

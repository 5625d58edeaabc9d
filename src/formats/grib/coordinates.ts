import { computedArray } from '../../model/computed-array.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { inlineIndex } from '../../model/plain-indexes.ts'
import { recipe } from '../../model/recipe.ts'
import { elementCount } from '../../model/shape.ts'
import { type AttributeValue, NO_SENTINELS, type StoredArray } from '../../model/virtual-store.ts'
import type { Axis } from './cubes/cube.ts'

type Entries = Readonly<Record<string, string>>

const EPOCH: Entries = { units: 'seconds since 1970-01-01T00:00:00', calendar: 'proleptic_gregorian' }
const DEPTH: Entries = { units: 'm', positive: 'down', long_name: 'soil depth', standard_name: 'depth' }
const PRESSURE: Entries = { positive: 'down', standard_name: 'air_pressure', long_name: 'pressure' }

/** What cfgrib says of coordinates, by name. */
const ATTRIBUTES: ReadonlyMap<string, Entries> = new Map<string, Entries>([
  ['number', { units: '1', standard_name: 'realization', long_name: 'ensemble member numerical id' }],
  ['time', { ...EPOCH, standard_name: 'forecast_reference_time', long_name: 'initial time of forecast' }],
  ['valid_time', { ...EPOCH, standard_name: 'time', long_name: 'time' }],
  [
    'step',
    {
      units: 'hours',
      standard_name: 'forecast_period',
      long_name: 'time since forecast_reference_time',
      dtype: 'timedelta64[ns]',
    },
  ],
  ['depthBelowLand', DEPTH],
  ['depthBelowLandLayer', DEPTH],
  [
    'hybrid',
    {
      units: '1',
      positive: 'down',
      long_name: 'hybrid level',
      standard_name: 'atmosphere_hybrid_sigma_pressure_coordinate',
    },
  ],
  ['heightAboveGround', { units: 'm', positive: 'up', long_name: 'height above the surface', standard_name: 'height' }],
  ['isobaricInhPa', { units: 'hPa', stored_direction: 'decreasing', ...PRESSURE }],
  ['isobaricInPa', { units: 'Pa', stored_direction: 'decreasing', ...PRESSURE }],
  ['isobaricLayer', { units: 'Pa', ...PRESSURE }],
])

/** Times that are held: more are worked out when they are asked for. */
const MOST_HELD = 65_536
const WHOLE_NUMBERS: ReadonlySet<Axis['key']> = new Set(['number', 'time', 'directionNumber', 'frequencyNumber'])

/** The coordinate of an axis: a scalar where it has one value. */
export function axisCoordinate({ key, name, values }: Axis): StoredArray {
  const own: Entries = { long_name: `original GRIB coordinate for key: ${key}(${name})`, units: '1' }
  const entries = ATTRIBUTES.get(name) ?? own
  const shape = values.length === 1 ? [] : [values.length]
  const names = shape.map(() => name)
  if (key !== 'step' || values.every(isExactInHours))
    return numbers(names, shape, values, WHOLE_NUMBERS.has(key), entries)
  const seconds = values.map((hours) => Math.round(hours * 3600))
  return numbers(names, shape, seconds, true, { ...entries, units: 'seconds' })
}

/** Readers count nanoseconds: parts of an hour that are no sum of powers of two may lack one. */
function isExactInHours(hours: number): boolean {
  return Math.trunc(hours * 3.6e12) === Math.round(hours * 3600) * 1e9
}

interface Sums {
  readonly times: readonly number[]
  readonly steps: readonly number[]
}

export const sums = recipe(
  'grib.valid-time',
  ({ times, steps }: Sums) =>
    (index: number): number =>
      (times[Math.floor(index / steps.length)] ?? 0) + (steps[index % steps.length] ?? 0) * 3600,
)

/** The time that each field is about: reference time and step together. */
export function validTime(time: Axis, step: Axis): StoredArray {
  const axes = [time, step].filter(({ values }) => values.length > 1)
  const hours = step.values.length
  if (time.values.length * hours > MOST_HELD) {
    const at = sums({ times: time.values, steps: step.values })
    const entries = new Map<string, AttributeValue>(Object.entries(ATTRIBUTES.get('valid_time') ?? {}))
    return computedArray(
      axes.map(({ name }) => name),
      axes.map((axis) => axis.values.length),
      at,
      entries,
    )
  }
  const values = time.values.flatMap((start) => step.values.map((hours) => start + hours * 3600))
  const isWhole = values.every(Number.isInteger)
  const shape = axes.map((axis) => axis.values.length)
  return numbers(
    axes.map(({ name }) => name),
    shape,
    values,
    isWhole,
    ATTRIBUTES.get('valid_time') ?? {},
  )
}

function numbers(
  dimensionNames: readonly string[],
  shape: readonly number[],
  values: readonly number[],
  areWhole: boolean,
  entries: Entries,
): StoredArray {
  const bytes = new DataView(new ArrayBuffer(elementCount(shape) * 8))
  values.forEach((value, at) => {
    if (areWhole) bytes.setBigInt64(at * 8, BigInt(value), true)
    else bytes.setFloat64(at * 8, value, true)
  })
  return {
    kind: 'array',
    shape,
    chunkShape: shape,
    dataType: areWhole ? { kind: 'int', bits: 64 } : { kind: 'float', bits: 64 },
    fillValue: areWhole ? { kind: 'bigint', value: 0n } : { kind: 'number', value: 0 },
    fillOrigin: 'zero of the type',
    sentinels: NO_SENTINELS,
    attributes: new Map<string, AttributeValue>(Object.entries(entries)),
    dimensionNames,
    encodings: [rawEncoding('little')],
    edges: 'padded',
    chunks: inlineIndex(shape, shape, new Uint8Array(bytes.buffer)),
  }
}

import { Float, type Json } from '../json/json.ts'
import { composedArray, storedArray, withArrays } from '../model/composed-array.ts'
import { type DataType, NOT_A_TIME, type Scalar } from '../model/data-type.ts'
import type { Encoding } from '../model/encoding.ts'
import type { Attributes, Member, VirtualArray } from '../model/virtual-store.ts'
import { type PortableContext, skipped } from './portable-context.ts'

type Time = Extract<DataType, { readonly kind: 'datetime' | 'timedelta' }>

interface CfUnit {
  readonly name: string
  /** The unit as numpy names it, of at most a second: xarray reads a `timedelta64` of it. */
  readonly numpy: string
  readonly factor: number
}

/** Units that xarray decodes, by numpy's name. Weeks are days; months and years have no fixed length, picoseconds no reader. */
const CF_UNITS: ReadonlyMap<string, CfUnit> = new Map([
  ['ns', { name: 'nanoseconds', numpy: 'ns', factor: 1 }],
  ['us', { name: 'microseconds', numpy: 'us', factor: 1 }],
  ['μs', { name: 'microseconds', numpy: 'us', factor: 1 }],
  ['ms', { name: 'milliseconds', numpy: 'ms', factor: 1 }],
  ['s', { name: 'seconds', numpy: 's', factor: 1 }],
  ['m', { name: 'minutes', numpy: 's', factor: 1 }],
  ['h', { name: 'hours', numpy: 's', factor: 1 }],
  ['D', { name: 'days', numpy: 's', factor: 1 }],
  ['W', { name: 'days', numpy: 's', factor: 7 }],
])

/**
 * Times as int64 with CF units. NaT, the smallest count, becomes the sentinel where there is none, which xarray reads as NaT
 * without going through floats. A count of several units needs a `scale_factor`, a float since xarray can't mask otherwise.
 */
export function asTime(array: VirtualArray, type: Time, context: PortableContext): Member {
  const unit = CF_UNITS.get(type.unit)
  if (unit === undefined) {
    return skipped(
      `${type.kind === 'datetime' ? 'times' : 'durations'} in units of ${type.unit} have no CF spelling that readers know; codecs=native serves them`,
    )
  }
  const added: (readonly [string, Json])[] =
    type.kind === 'datetime'
      ? [
          ['units', `${unit.name} since 1970-01-01`],
          ['calendar', 'proleptic_gregorian'],
        ]
      : [
          ['units', unit.name],
          // Without it xarray leaves a duration an integer.
          ['dtype', `timedelta64[${unit.numpy}]`],
        ]
  const factor = type.scale * unit.factor
  if (factor !== 1) {
    added.push(['scale_factor', new Float(factor)])
    const message = `counts of ${factor} ${unit.name} are scaled by the reader in floating point`
    context.warn({ code: 'time-scaled', message, path: context.path })
  }
  const replaced = [...added.map(([name]) => name), 'scale_factor', 'add_offset'].filter((name) =>
    array.attributes.has(name),
  )
  if (replaced.length > 0) {
    const message = `attribute ${[...new Set(replaced)].join(', ')} is replaced by what says the time's unit`
    context.warn({ code: 'attribute-replaced', message, path: context.path })
  }
  const kept = [...array.attributes].filter(([name]) => !replaced.includes(name))
  return asCounts(array, new Map([...kept, ...added]))
}

function asCounts(array: VirtualArray, attributes: Attributes): VirtualArray {
  const notATime: Scalar = { kind: 'bigint', value: NOT_A_TIME }
  // Counts of NaT are read as NaT under any other sentinel too.
  const sentinels = { ...array.sentinels, fillValue: array.sentinels.fillValue ?? notATime }
  const spec = { ...array, dataType: { kind: 'int', bits: 64 }, sentinels, attributes } as const
  if (array.operation === undefined) return storedArray(spec, array)
  const change = {
    array: (part: VirtualArray) => asCounts(part, part.attributes),
    encoding: (stored: Encoding) => stored,
  }
  return composedArray(spec, withArrays(array.operation, change))
}

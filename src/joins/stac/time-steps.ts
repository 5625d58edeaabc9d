import type { VirtualArray } from '../../model/virtual-store.ts'
import { newCoordinate } from '../new-coordinate.ts'

/** Units of a count, in microseconds: the longest in which all times are whole counts. */
const UNITS = [
  ['seconds', 1_000_000],
  ['milliseconds', 1000],
  ['microseconds', 1],
] as const

/** The moments of Items in their order, each once, and at which of them each Item lies. */
export interface TimeSteps {
  readonly places: readonly number[]
  readonly length: number
  readonly coordinate: VirtualArray
}

/** Items of one moment lie in one step. */
export function timeSteps(times: readonly number[]): TimeSteps {
  const moments = [...new Set(times)].sort((one, other) => one - other)
  const placeOf = new Map(moments.map((moment, place) => [moment, place]))
  const [unit, size] = UNITS.find(([, micros]) => moments.every((moment) => moment % micros === 0)) ?? UNITS[2]
  const counted = newCoordinate(
    'time',
    moments.map((moment) => moment / size),
  )
  const attributes = new Map([
    ['standard_name', 'time'],
    ['units', `${unit} since 1970-01-01T00:00:00`],
    ['calendar', 'proleptic_gregorian'],
  ])
  return {
    places: times.map((time) => placeOf.get(time) ?? 0),
    length: moments.length,
    coordinate: { ...counted, attributes },
  }
}

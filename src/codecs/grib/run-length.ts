// Run-length packing with level values (5.200).

import type { Cursor } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { unpackRun } from './bits.ts'
import { integerPower, signMagnitude } from './scaling.ts'

/** What section 5 says after its template number. */
export interface RunLengthPacking {
  readonly bits: number
  /** Integers up to here are levels, those above are digits of the length of a run. */
  readonly mostLevel: number
  /** The value of each level; that of level 0 is missing. */
  readonly levels: Float64Array
}

/** Reads the template. */
export function readRunLength(cursor: Cursor): RunLengthPacking {
  const [bits, mostLevel, count] = [cursor.u8(), cursor.u16(), cursor.u16()]
  const factor = integerPower(10, -signMagnitude(cursor.u8(), 8))
  const levels = new Float64Array(count + 1).fill(Number.NaN)
  for (let level = 1; level <= count; level++) levels[level] = cursor.u16() * factor
  return { bits, mostLevel, levels }
}

/** Levels, each followed by the digits of how often it is repeated, the lowest one first. */
export function decodeRunLength(data: Uint8Array, packing: RunLengthPacking, count: number): Float64Array {
  const { bits, mostLevel, levels } = packing
  const values = new Float64Array(count).fill(Number.NaN)
  if (bits === 0) return values
  const codes = unpackRun(
    data,
    { start: 0, width: bits, count: Math.floor((data.length * 8) / bits) },
    'run-length codes',
  )
  const digits = 2 ** bits - 1 - mostLevel
  let at = 0
  for (let next = 0; at < count && next < codes.length; ) {
    const level = codes[next++] ?? 0
    if (level > mostLevel || level >= levels.length)
      throw malformed(`a run has level ${level}, expected at most ${mostLevel}`)
    let length = 1
    for (let unit = 1; next < codes.length && (codes[next] ?? 0) > mostLevel; unit *= digits) {
      length += unit * ((codes[next++] ?? 0) - mostLevel - 1)
    }
    if (length > count - at) throw malformed(`a run of ${length} values where ${count - at} are left`)
    values.fill(levels[level] ?? Number.NaN, at, at + length)
    at += length
  }
  if (at < count) throw malformed(`runs give ${at} values, ${count} are expected`)
  return values
}

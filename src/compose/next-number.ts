import type { Numbers } from '../codecs/numbers.ts'

type PlainNumbers = Exclude<Numbers, BigInt64Array | BigUint64Array>

/** The next number of a type that marks nothing: the larger one, where the type has it; the number itself where it has neither. */
export function nextNumber(mark: number, type: PlainNumbers, isMark: (value: number) => boolean): number {
  const probe = type.slice(0, 1)
  if (probe.length === 0 || Number.isNaN(mark)) return mark
  const step = isFloat(probe) ? floatStep(probe) : integerStep(probe)
  for (const direction of [1, -1] as const) {
    let next = step(mark, direction)
    while (next !== undefined && isMark(next)) next = step(next, direction)
    if (next !== undefined) return next
  }
  return mark
}

/** The neighbour of a number above or below it; undefined where the type has none. */
type Step = (value: number, direction: 1 | -1) => number | undefined

function isFloat(numbers: PlainNumbers): numbers is Float16Array | Float32Array | Float64Array {
  return numbers instanceof Float16Array || numbers instanceof Float32Array || numbers instanceof Float64Array
}

function integerStep(probe: PlainNumbers): Step {
  return (value, direction) => {
    probe[0] = value + direction
    return probe[0] === value + direction ? value + direction : undefined
  }
}

/** Bits of floats of one sign are in the order of their magnitude. */
function floatStep(probe: Float16Array | Float32Array | Float64Array): Step {
  const bits = bitsOf(probe)
  return (value, direction) => {
    probe[0] = value
    const isAway = value === 0 || value > 0 === direction > 0
    if (value === 0) probe[0] = direction > 0 ? 0 : -0
    bits.add(isAway ? 1 : -1)
    const next = probe[0] ?? Number.NaN
    return Number.isFinite(next) ? next : undefined
  }
}

function bitsOf(probe: Float16Array | Float32Array | Float64Array): { add(count: number): void } {
  if (probe instanceof Float64Array) {
    const long = new BigUint64Array(probe.buffer)
    return {
      add(count) {
        long[0] = (long[0] ?? 0n) + BigInt(count)
      },
    }
  }
  const short = probe instanceof Float32Array ? new Uint32Array(probe.buffer) : new Uint16Array(probe.buffer)
  return {
    add(count) {
      short[0] = (short[0] ?? 0) + count
    },
  }
}

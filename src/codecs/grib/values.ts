/** Values of a field. */
export type Values = Float32Array | Float64Array

/** How exactly values are wanted: cfgrib shows float32, ecCodes computes float64. */
export type ValueBits = 32 | 64

/** Zeros. */
export function emptyValues(count: number, bits: ValueBits): Values {
  return bits === 32 ? new Float32Array(count) : new Float64Array(count)
}

/** The same values, rounded where they were more exact. */
export function valuesAs(values: Values, bits: ValueBits): Values {
  return bits === 32 && values instanceof Float64Array ? new Float32Array(values) : values
}

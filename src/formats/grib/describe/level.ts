import type { KeyValue } from '../messages/field.ts'
import type { TemplateKeys } from '../tables/templates-table.ts'

const ISOBARIC = 100
const PASCALS_OF_HECTOPASCAL = 100
const POTENTIAL_VORTICITY = 109
/** Its levels are counted in 1e-9 K m2 kg-1 s-1. */
const VORTICITY_UNITS = 1e9
/** Layers between two surfaces of one of these kinds are named by their lower side. */
const BY_LOWER_SIDE: readonly number[] = [114, 151, 152, 168]

/** The level of a field, of the first surface: hectopascals from one on, as `pressureUnits` tells. */
export function levelOf(keys: TemplateKeys): number | undefined {
  const [first, second] = [typeOf(keys, 'First'), typeOf(keys, 'Second')]
  if (first === undefined) return undefined
  if (first === second && BY_LOWER_SIDE.includes(first)) return surface(keys, 'Second', second)
  return surface(keys, 'First', first)
}

/** Pressures below a hectopascal are in pascals. */
export function pressureUnits(keys: TemplateKeys): 'hPa' | 'Pa' {
  if (typeOf(keys, 'First') !== ISOBARIC) return 'hPa'
  return scaled(keys, 'First') < PASCALS_OF_HECTOPASCAL ? 'Pa' : 'hPa'
}

function surface(keys: TemplateKeys, which: 'First' | 'Second', type: number): number {
  const value = scaled(keys, which)
  if (type === POTENTIAL_VORTICITY) return value * VORTICITY_UNITS
  return type === ISOBARIC && pressureUnits(keys) === 'hPa' ? value / PASCALS_OF_HECTOPASCAL : value
}

function scaled(keys: TemplateKeys, which: 'First' | 'Second'): number {
  const factor = keys.get(`scaleFactorOf${which}FixedSurface`)?.[0]
  const value = keys.get(`scaledValueOf${which}FixedSurface`)?.[0]
  if (value === undefined || value.isMissing) return 0
  let result = Number(value.value)
  const exponent = isNumber(factor) ? factor.value : 0
  for (let i = 0; i < Math.abs(exponent); i++) result = exponent > 0 ? result / 10 : result * 10
  return result
}

function typeOf(keys: TemplateKeys, which: 'First' | 'Second'): number | undefined {
  const value = keys.get(`typeOf${which}FixedSurface`)?.[0]?.value
  return typeof value === 'number' ? value : undefined
}

function isNumber(key: KeyValue | undefined): key is { readonly value: number; readonly isMissing: false } {
  return key !== undefined && !key.isMissing && typeof key.value === 'number'
}

import type { ArrayInfo, Json } from '../service/types.ts'

/** What the stored numbers of an array mean: CF's `_FillValue`, `missing_value`, `scale_factor` and `add_offset`. */
export interface Meaning {
  /** The value that a stored one stands for; NaN for a missing point. */
  of(stored: number | bigint): number
  readonly units: string
  /** Names of whole numbers, where the file gives them. */
  readonly flags: ReadonlyMap<number, string>
}

export function meaningOf({ attributes, data_type: type }: Pick<ArrayInfo, 'attributes' | 'data_type'>): Meaning {
  const missing = new Set(
    [attributes['_FillValue'], attributes['missing_value']].flatMap((mark) => marksOf(mark, type)),
  )
  const scale = numberOf(attributes['scale_factor'], 1)
  const offset = numberOf(attributes['add_offset'], 0)
  const units = attributes['units']
  const change = signChange(attributes['_Unsigned'], type)
  return {
    of: (stored) => {
      const number = Number(stored)
      if (missing.has(number)) return Number.NaN
      return change(number) * scale + offset
    },
    units: typeof units === 'string' && units !== '1' ? units : '',
    flags: flagsOf(attributes),
  }
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

/** Marks as numbers. Floats have theirs as the base64 of 8 bytes, little-endian, as xarray's Zarr engine spells them. */
function marksOf(mark: Json | undefined, type: Json): readonly number[] {
  if (Array.isArray(mark)) return mark.flatMap((one: Json) => marksOf(one, type))
  if (typeof mark === 'number') return [type === 'float32' ? Math.fround(mark) : mark]
  if (typeof mark !== 'string' || typeof type !== 'string' || !type.startsWith('float')) return []
  return markOfBase64(mark)
}

function markOfBase64(text: string): readonly number[] {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return bytes.length === 8 ? [new DataView(bytes.buffer).getFloat64(0, true)] : []
  } catch {
    return []
  }
}

/** `_Unsigned` of NetCDF's classic types: what is stored has the other sign. */
function signChange(unsigned: Json | undefined, type: Json): (stored: number) => number {
  const bits = typeof type === 'string' ? Number(/^u?int(8|16|32)$/.exec(type)?.[1] ?? 0) : 0
  if (bits === 0) return (stored) => stored
  if (unsigned === 'true' && !String(type).startsWith('u'))
    return (stored) => (stored < 0 ? stored + 2 ** bits : stored)
  if (unsigned === 'false' && String(type).startsWith('u'))
    return (stored) => (stored >= 2 ** (bits - 1) ? stored - 2 ** bits : stored)
  return (stored) => stored
}

function flagsOf({
  flag_values: values,
  flag_meanings: meanings,
}: ArrayInfo['attributes']): ReadonlyMap<number, string> {
  if (!Array.isArray(values) || typeof meanings !== 'string') return new Map()
  const words = meanings.split(/\s+/)
  return new Map(values.flatMap((value: Json, at) => (typeof value === 'number' ? [[value, words[at] ?? '']] : [])))
}

/** A value as people read it. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'missing'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(4)
  return String(Number(value.toPrecision(7)))
}

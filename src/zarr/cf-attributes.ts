import { quoted } from '../fill-value/in-words.ts'
import { inSignedType } from '../fill-value/numbers.ts'
import { packingFactor } from '../fill-value/packing-factor.ts'
import { unsignedAttribute } from '../fill-value/raw-sentinel.ts'
import { Float, floatJson, type Json } from '../json/json.ts'
import type { DataType } from '../model/data-type.ts'
import type { Attributes, AttributeValue, Diagnostic } from '../model/virtual-store.ts'

interface Listener {
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

interface ArrayListener extends Listener {
  readonly dataType: DataType
}

const RANGES = ['valid_range', 'valid_min', 'valid_max']

/** Spells the attributes of an array that xarray acts on so that it can; `document` is changed in place. */
export function withCfSpelling(document: Map<string, Json>, attributes: Attributes, listener: ArrayListener): void {
  for (const name of ['scale_factor', 'add_offset']) spellPacking(document, name, attributes.get(name), listener)
  spellUnsigned(document, attributes.get('_Unsigned'), listener.dataType)
  spellMissingValue(document, attributes.get('missing_value'), listener)
  if (document.delete('_FillValue'))
    note(listener, 'sentinel-dropped', 'a raw _FillValue breaks readers: it is dropped')
  const ranges = RANGES.filter((name) => document.has(name))
  if (ranges.length > 0) note(listener, 'valid-range-kept', `masking by ${ranges.join(', ')} is left to the reader`)
}

/** PACK-8: one finite number, or nothing: xarray fails on anything else. */
function spellPacking(
  document: Map<string, Json>,
  name: string,
  raw: AttributeValue | undefined,
  listener: Listener,
): void {
  const value = document.get(name)
  if (value === undefined || raw === undefined) return
  const single = Array.isArray(value) && value.length === 1 ? (value[0] as Json) : value
  if (typeof single === 'number' || typeof single === 'bigint' || single instanceof Float) {
    document.set(name, single)
    noteNarrow(name, Number(single instanceof Float ? single.value : single), listener)
    return
  }
  const text = typeof single === 'string' ? single : ''
  const factor = packingFactor(text)
  if (factor !== undefined) {
    document.set(name, floatJson(factor))
    note(listener, 'packing-text', `${name} is the text ${quoted(text)}: written as a number`)
    return
  }
  document.delete(name)
  note(
    listener,
    'packing-dropped',
    `${name} is no finite number${text === '' ? '' : ` but ${quoted(text)}`}: it is dropped`,
  )
}

/** xarray computes in the type of a `scale_factor` that stands alone, and can't put NaN among integers: a point lets it mask. */
export function withScaleToMask(document: Map<string, Json>): void {
  const scale = document.get('scale_factor')
  const isMasked = document.has('_FillValue') || document.has('missing_value')
  if ((typeof scale !== 'number' && typeof scale !== 'bigint') || !isMasked || document.has('add_offset')) return
  document.set('scale_factor', floatJson(Number(scale)))
}

/** A number of 32 bits: readers of the source compute in it, those of JSON in 64 (docs/packing.md). */
function noteNarrow(name: string, value: number, listener: Listener): void {
  const short = shortestFloat32(value)
  if (Math.fround(value) !== value || short === value) return
  const said = 'readers of the source unpack in 32 bits, those of the store in 64, which differs in the last digits'
  note(listener, 'packing-narrow', `${name} is ${short} in 32 bits, exactly ${value}: ${said}`)
}

/** The shortest decimal that is this number in 32 bits. */
function shortestFloat32(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(9))
}

/**
 * PACK-4: text, since readers don't understand a boolean. Where an unsigned type holds signed numbers, so do the ranges; the
 * packed numbers stay what they are.
 */
function spellUnsigned(document: Map<string, Json>, raw: AttributeValue | undefined, type: DataType): void {
  const isUnsigned = unsignedAttribute(raw)
  if (isUnsigned === undefined) return
  document.set('_Unsigned', String(isUnsigned))
  if (isUnsigned) return
  for (const name of RANGES) {
    const range = document.get(name)
    if (Array.isArray(range))
      document.set(
        name,
        (range as readonly Json[]).map((end) => inSignedType(end, type)),
      )
    else if (range !== undefined) document.set(name, inSignedType(range, type))
  }
}

/** FV-12 for a list: a value without a JSON spelling would turn all of them into text. */
function spellMissingValue(document: Map<string, Json>, raw: AttributeValue | undefined, listener: Listener): void {
  if (!Array.isArray(raw) || !raw.some(isNotFinite)) return
  const finite = raw.filter((item) => !isNotFinite(item))
  if (finite.length === 0) document.delete('missing_value')
  else document.set('missing_value', finite as Json[])
  note(listener, 'missing-value-dropped', 'values of missing_value that JSON can not spell are left out')
}

function isNotFinite(value: Json | Uint8Array): boolean {
  const double = value instanceof Float ? value.value : value
  return typeof double === 'number' && !Number.isFinite(double)
}

function note({ path, warn }: Listener, code: string, message: string): void {
  warn({ code, message, path })
}

// numcodecs: what types its filters from array to array work on, and what they leave.
import { view } from '../../codecs/own/view.ts'
import { type ErrorContext, malformed, unsupported } from '../../errors.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import type { StoredCodec } from '../../model/encoding.ts'
import { spell } from './document.ts'

/** What numcodecs makes no such filter without. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  delta: ['dtype'],
  fixedscaleoffset: ['offset', 'scale', 'dtype'],
  quantize: ['digits', 'dtype'],
  bitround: ['keepbits'],
  astype: ['encode_dtype', 'decode_dtype'],
  categorize: ['labels', 'dtype'],
}

/** Throws for a configuration that numcodecs makes no filter of. */
export function checkFilter(id: string, configuration: JsonObject, context: ErrorContext): void {
  const missing = REQUIRED[id]?.find((member) => configuration[member] === undefined)
  if (missing !== undefined) throw malformed(`the filter ${id} has no "${missing}"`, context)
  const { dtype, astype, encode_dtype, decode_dtype, elementsize } = configuration
  if ([dtype, astype, encode_dtype, decode_dtype].some((type) => shortType(type)?.kind === 'b')) {
    throw unsupported(`filter ${id} of truth values`, `the filter ${id} calculates with truth values`, context)
  }
  if (id === 'quantize' && shortType(dtype)?.kind !== 'f') {
    throw malformed(`the filter quantize is of ${spell(dtype)}, expected floats`, context)
  }
  if (id === 'shuffle' && elementsize !== undefined && typeof elementsize !== 'number') {
    throw malformed(`elementsize of the filter shuffle is ${spell(elementsize)}, expected a number`, context)
  }
}

/**
 * How elements are taken for those that a filter gives, where these are of another type: Zarr v2 takes the bytes as they are, so that
 * a filter of integers may be on floats. Undefined where nothing changes.
 */
export function viewFor(id: string, configuration: JsonObject, current: Json | undefined): StoredCodec | undefined {
  const given = shortType(decodedType(id, configuration))
  const wanted = shortType(current)
  if (given === undefined || wanted === undefined || given.text === wanted.text) return undefined
  return view.stored({ dtype: given.text, endian: wanted.order === '>' ? 'big' : 'little' })
}

function decodedType(id: string, { dtype, decode_dtype }: JsonObject): Json | undefined {
  if (id === 'packbits') return '|b1'
  if (id === 'astype') return decode_dtype
  return id === 'delta' || id === 'fixedscaleoffset' || id === 'quantize' ? dtype : undefined
}

/** The type of the elements that a filter stores; that of those it is given where it doesn't say. */
export function storedType(id: string, configuration: JsonObject, before: Json | undefined): Json | undefined {
  const { dtype, astype, encode_dtype } = configuration
  if (id === 'packbits' || id === 'categorize') return id === 'packbits' ? '|u1' : (astype ?? '|u1')
  if (id === 'astype') return encode_dtype
  return astype ?? dtype ?? before
}

const SHORT = /^([<>|=]?)([biufcMm])([0-9]{1,2})(?:\[[^\]]*\])?$/
const LONG = /^(bool|u?int|float|complex)([0-9]{0,3})$/
const LETTERS: Readonly<Record<string, string>> = { bool: 'b', int: 'i', uint: 'u', float: 'f', complex: 'c' }

/** A type string as NumPy means it; undefined for all that is no number. */
function shortType(type: Json | undefined) {
  if (typeof type !== 'string') return undefined
  const [, name = '', bits = ''] = LONG.exec(type) ?? []
  const short = name === '' ? type : `<${LETTERS[name]}${name === 'bool' ? 1 : Number(bits) / 8}`
  const [, mark = '', kind = '', digits = ''] = SHORT.exec(short) ?? []
  if (kind === '') return undefined
  const size = Number(digits)
  const order = size === 1 ? '|' : mark === '>' ? '>' : '<'
  return { kind, size, order, text: order + short.replace(/^[<>|=]/, '') }
}

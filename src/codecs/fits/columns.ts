// FITS Standard 4.0, sections 7.2.1 and 7.3.3: values of table columns that are no plain numbers.

import { malformed, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { elementCount } from '../../model/shape.ts'
import type { ArrayCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { bytesOf, zeroNumbers } from '../numbers.ts'

const TRUE = 'T'.charCodeAt(0)
const BLANK = ' '.charCodeAt(0)

/** Logical values: T is true; F, and the NUL of values that were never set, are false. */
export const fitsLogical: ArrayCodec = {
  kind: 'array',
  name: 'vz.fits-logical',
  reach: 'internal',
  encodedLayout: ({ shape }) => ({ shape, dataType: { kind: 'uint', bits: 8 } }),
  decode: (elements) => ({
    kind: 'fixed',
    bytes: fixedBytes(elements, 'vz.fits-logical').map((byte) => (byte === TRUE ? 1 : 0)),
  }),
  encodeFill: () => ({ kind: 'number', value: 0 }),
}

/** Text of `length` characters: it ends at the first NUL, and blanks at its end mean nothing. Shorter text ends in NULs. */
export const fitsText: ArrayCodec = {
  kind: 'array',
  name: 'vz.fits-text',
  reach: 'internal',
  check: (configuration) => {
    lengthOf(configuration, 'length')
  },
  encodedLayout: ({ shape }, configuration) => ({
    shape,
    dataType: { kind: 'opaque', length: lengthOf(configuration, 'length') },
  }),
  decode: (elements, layout, configuration) => {
    const stored = fixedBytes(elements, 'vz.fits-text')
    const length = lengthOf(configuration, 'length')
    const bytes = new Uint8Array(elementCount(layout.shape) * length)
    for (let at = 0; at < bytes.length; at += length) bytes.set(textBytes(stored.subarray(at, at + length)), at)
    return { kind: 'fixed', bytes }
  },
}

function textBytes(field: Uint8Array): Uint8Array {
  const nul = field.indexOf(0)
  let end = nul < 0 ? field.length : nul
  while (end > 0 && field[end - 1] === BLANK) end--
  return field.subarray(0, end)
}

/** FORTRAN may leave out the letter of an exponent that has a sign. */
const NUMBER = /^([+-]?)(\d*)(\.?)(\d*)(?:[EeDd]([+-]?\d+)|([+-]\d+))?$/

/**
 * Numbers as text of `width` characters; where no point is written, the last `decimals` digits are behind it. A field that
 * is `missing` is NaN, or the smallest integer; an empty one is zero.
 */
export const fitsAscii: ArrayCodec = {
  kind: 'array',
  name: 'vz.fits-ascii',
  reach: 'internal',
  check: (configuration) => {
    fieldOf(configuration)
  },
  encodedLayout: ({ shape }, configuration) => ({
    shape,
    dataType: { kind: 'opaque', length: fieldOf(configuration).width },
  }),
  decode: (elements, layout, configuration) => {
    const stored = Buffer.from(fixedBytes(elements, 'vz.fits-ascii'))
    const field = fieldOf(configuration)
    const numbers = zeroNumbers(elementCount(layout.shape), layout.dataType)
    for (let i = 0; i < numbers.length; i++) {
      const text = stored.toString('latin1', i * field.width, (i + 1) * field.width).trim()
      const isMissing = text === field.missing
      if (numbers instanceof BigInt64Array) numbers[i] = isMissing ? -(2n ** 63n) : integerOf(text)
      else if (numbers instanceof Int32Array) numbers[i] = isMissing ? -(2 ** 31) : Number(integerOf(text))
      else if (numbers instanceof Float64Array) numbers[i] = isMissing ? Number.NaN : realOf(text, field.decimals)
      else throw unsupported('the type of an ASCII column', 'numbers of an ASCII table are int32, int64 or float64')
    }
    return { kind: 'fixed', bytes: bytesOf(numbers) }
  },
}

interface Field {
  readonly width: number
  readonly decimals: number
  readonly missing: string | undefined
}

function fieldOf(configuration: JsonObject): Field {
  const missing = configuration['missing']
  return {
    width: lengthOf(configuration, 'width'),
    decimals: integerMember(configuration, 'decimals', { least: 0, most: 1024, fallback: 0 }),
    missing: typeof missing === 'string' ? missing : undefined,
  }
}

function lengthOf(configuration: JsonObject, name: string): number {
  return integerMember(configuration, name, { least: 1, most: 2 ** 31 - 1 })
}

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

function integerOf(text: string): bigint {
  if (text === '') return 0n
  if (!/^[+-]?\d{1,30}$/.test(text)) throw malformed(`"${text.slice(0, 40)}" in an ASCII table is no integer`)
  const value = BigInt(text.replace(/^\+/, ''))
  if (value < LEAST || value > MOST) throw malformed(`${text} in an ASCII table is no integer of 64 bits`)
  return value
}

function realOf(text: string, decimals: number): number {
  if (text === '') return 0
  const [match, sign, whole = '', point, fraction = '', lettered, signed] = NUMBER.exec(text) ?? []
  if (match === undefined || whole + fraction === '') {
    throw malformed(`"${text.slice(0, 40)}" in an ASCII table is no number`)
  }
  const exponent = Number(lettered ?? signed ?? 0)
  const shift = point === '' ? decimals : 0
  return Number(`${sign}${whole || '0'}.${fraction || '0'}e${exponent - shift}`)
}

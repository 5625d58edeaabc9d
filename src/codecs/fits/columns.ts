// FITS Standard 4.0, sections 7.2.1 and 7.3.3: values of table columns that are no plain numbers.

import { malformed, unsupported } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { requireInteger } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { internalArray, type NoParameters } from '../internal.ts'
import { bytesOf, zeroNumbers } from '../numbers.ts'

const TRUE = 'T'.charCodeAt(0)
const BLANK = ' '.charCodeAt(0)
const MOST_LENGTH = 2 ** 31 - 1

/** Logical values: T is true; F, and the NUL of values that were never set, are false. */
export const fitsLogical = internalArray<NoParameters>({
  name: 'vz.fits-logical',
  prepare: (_parameters, { shape }) => ({
    encodedLayout: { shape, dataType: { kind: 'uint', bits: 8 } },
    decode: (elements) => ({
      kind: 'fixed',
      bytes: fixedBytes(elements, 'vz.fits-logical').map((byte) => (byte === TRUE ? 1 : 0)),
    }),
    encodeFill: () => ({ kind: 'number', value: 0 }),
  }),
})

/** Text of `length` characters: it ends at the first NUL, and blanks at its end mean nothing. Shorter text ends in NULs. */
export const fitsText = internalArray<{ readonly length: number }>({
  name: 'vz.fits-text',
  prepare: ({ length }, { shape }) => {
    requireInteger('length', length, 1, MOST_LENGTH)
    const count = elementCount(shape)
    return {
      encodedLayout: { shape, dataType: { kind: 'opaque', length } },
      decode: (elements) => {
        const stored = fixedBytes(elements, 'vz.fits-text')
        const bytes = new Uint8Array(count * length)
        for (let at = 0; at < bytes.length; at += length) bytes.set(textBytes(stored.subarray(at, at + length)), at)
        return { kind: 'fixed', bytes }
      },
    }
  },
})

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
export const fitsAscii = internalArray<AsciiParameters>({
  name: 'vz.fits-ascii',
  prepare: ({ width, decimals, missing }, { shape, dataType }) => {
    requireInteger('width', width, 1, MOST_LENGTH)
    requireInteger('decimals', decimals, 0, 1024)
    const count = elementCount(shape)
    return {
      encodedLayout: { shape, dataType: { kind: 'opaque', length: width } },
      decode: (elements) => {
        const stored = Buffer.from(fixedBytes(elements, 'vz.fits-ascii'))
        const numbers = zeroNumbers(count, dataType)
        for (let i = 0; i < count; i++) {
          const text = stored.toString('latin1', i * width, (i + 1) * width).trim()
          const isMissing = text === missing
          if (numbers instanceof BigInt64Array) numbers[i] = isMissing ? -(2n ** 63n) : integerOf(text)
          else if (numbers instanceof Int32Array) numbers[i] = isMissing ? -(2 ** 31) : Number(integerOf(text))
          else if (numbers instanceof Float64Array) numbers[i] = isMissing ? Number.NaN : realOf(text, decimals)
          else throw unsupported('the type of an ASCII column', 'numbers of an ASCII table are int32, int64 or float64')
        }
        return { kind: 'fixed', bytes: bytesOf(numbers) }
      },
    }
  },
})

interface AsciiParameters {
  readonly width: number
  readonly decimals: number
  readonly missing?: string
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

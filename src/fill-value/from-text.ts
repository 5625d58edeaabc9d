import type { DataType, IntegerType, Scalar } from '../model/data-type.ts'
import { bytesScalar, stringScalar } from './fixed-text.ts'
import { parseNumberText, trimmedText } from './number-text.ts'
import { integerScalar, partBits, roundToFloat } from './numbers.ts'

/** What a text means in a data type; `absent` when it is blank. */
export type ScalarText =
  | { readonly kind: 'ok'; readonly value: Scalar; readonly overflow: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'error'; readonly reason: 'not-a-number' | 'out-of-range' | 'not-representable' }

const COMPLEX = /^(?:(.*[^eE+-]))?([+-].*)j$/

/** Reads a value from text (FV-TIFF-3…5): nothing is wrapped, truncated or guessed. */
export function scalarFromText(text: string, type: DataType): ScalarText {
  switch (type.kind) {
    case 'string':
      return ok({ kind: 'string', value: text })
    case 'bytes':
      return ok({ kind: 'bytes', value: new TextEncoder().encode(text) })
    case 'fixed-text':
      return held(
        type.encoding === 'utf-32' ? stringScalar(text, type) : bytesScalar(new TextEncoder().encode(text), type),
      )
    case 'opaque':
    case 'structured':
      return error('not-representable')
    case 'bool':
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
    case 'datetime':
    case 'timedelta':
      return numberFromText(trimmedText(text), type)
  }
}

type NumberType = Extract<
  DataType,
  { readonly kind: 'bool' | 'int' | 'uint' | 'float' | 'complex' | 'datetime' | 'timedelta' }
>

function numberFromText(text: string, type: NumberType): ScalarText {
  if (text === '') return { kind: 'absent' }
  switch (type.kind) {
    case 'bool':
      return boolFromText(text)
    case 'int':
    case 'uint':
      return integerFromText(text, type)
    case 'float': {
      const parsed = parseNumberText(text)
      if (parsed === undefined) return error('not-a-number')
      const { value, overflow } = roundText(parsed.double, parsed.kind, type.bits)
      return ok({ kind: 'number', value }, overflow)
    }
    case 'complex':
      return complexFromText(text, partBits(type))
    case 'datetime':
    case 'timedelta':
      // The count that means "not a time" is the type's smallest.
      return integerFromText(text.toLowerCase() === 'nat' ? '-9223372036854775808' : text, { kind: 'int', bits: 64 })
  }
}

function boolFromText(text: string): ScalarText {
  const bit = integerFromText(text, { kind: 'uint', bits: 8 })
  if (bit.kind !== 'ok') return bit
  if (bit.value.value !== 0 && bit.value.value !== 1) return error('out-of-range')
  return ok({ kind: 'bool', value: bit.value.value === 1 })
}

function integerFromText(text: string, type: IntegerType): ScalarText {
  const parsed = parseNumberText(text)
  if (parsed === undefined) return error('not-a-number')
  if (parsed.kind === 'special' || parsed.integer === 'fraction') return error('not-representable')
  if (parsed.integer === 'beyond-64-bits') return error('out-of-range')
  const value = integerScalar(parsed.integer, type)
  return value === undefined ? error('out-of-range') : ok(value)
}

function complexFromText(text: string, bits: 32 | 64): ScalarText {
  const parts = text.endsWith('j') ? COMPLEX.exec(text) : null
  const real = parseNumberText(parts === null ? text : (parts[1] ?? '0'))
  const imaginary = parseNumberText(parts?.[2] ?? '0')
  if (real === undefined || imaginary === undefined) return error('not-a-number')
  const re = roundText(real.double, real.kind, bits)
  const im = roundText(imaginary.double, imaginary.kind, bits)
  return ok({ kind: 'complex', value: [re.value, im.value] }, re.overflow || im.overflow)
}

/** The text 1e400 overflows the double already. */
function roundText(
  double: number,
  kind: 'finite' | 'special',
  bits: 16 | 32 | 64,
): { value: number; overflow: boolean } {
  const { value } = roundToFloat(double, bits)
  return { value, overflow: kind === 'finite' && !Number.isFinite(value) }
}

function ok(value: Scalar, overflow = false): ScalarText {
  return { kind: 'ok', value, overflow }
}

function held(value: Scalar | undefined): ScalarText {
  return value === undefined ? error('not-representable') : ok(value)
}

function error(reason: 'not-a-number' | 'out-of-range' | 'not-representable'): ScalarText {
  return { kind: 'error', reason }
}

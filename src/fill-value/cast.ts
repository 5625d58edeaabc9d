import { utf8Text } from '../bytes/text.ts'
import { type DataType, itemSize, type Scalar } from '../model/data-type.ts'
import { bytesScalar, stringScalar } from './fixed-text.ts'
import { scalarFromText } from './from-text.ts'
import { type Held, integerOf, integerScalar, partBits, roundToFloat } from './numbers.ts'

/**
 * A value of one type as a value of another (FV-6); undefined when that type can't hold it, decided by value (FV-16): nothing
 * wraps and nothing is truncated. Text becomes a number where it says one.
 */
export function castScalar(scalar: Scalar, to: DataType): Held<Scalar> | undefined {
  switch (to.kind) {
    case 'string':
      return exact(asText(scalar))
    case 'bytes':
      return exact(asBytes(scalar))
    case 'fixed-text':
      return exact(to.encoding === 'utf-32' ? fixed(asText(scalar), to) : fixed(asBytes(scalar), to))
    case 'opaque':
    case 'structured':
      return scalar.kind === 'bytes' && scalar.value.length === itemSize(to) ? exact(scalar) : undefined
    case 'bool':
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
    case 'datetime':
    case 'timedelta':
      return scalar.kind === 'string' || scalar.kind === 'bytes' ? fromText(scalar, to) : numberAs(scalar, to)
  }
}

function fromText(scalar: Extract<Scalar, { kind: 'string' | 'bytes' }>, to: DataType): Held<Scalar> | undefined {
  const text = scalar.kind === 'string' ? scalar.value : utf8Text(scalar.value)
  if (text === undefined) return undefined
  const read = scalarFromText(text, to)
  return read.kind === 'ok' ? read : undefined
}

type NumberScalar = Extract<Scalar, { kind: 'number' | 'bigint' | 'bool' | 'complex' }>

function numberAs(scalar: NumberScalar, to: DataType): Held<Scalar> | undefined {
  switch (to.kind) {
    case 'bool': {
      const bit = wholeNumber(scalar)
      return bit === 0n || bit === 1n ? exact({ kind: 'bool', value: bit === 1n }) : undefined
    }
    case 'int':
    case 'uint': {
      const whole = wholeNumber(scalar)
      return exact(whole === undefined ? undefined : integerScalar(whole, to))
    }
    case 'datetime':
    case 'timedelta': {
      const count = wholeNumber(scalar)
      return exact(count === undefined ? undefined : integerScalar(count, { kind: 'int', bits: 64 }))
    }
    case 'float': {
      const real = realNumber(scalar)
      if (real === undefined) return undefined
      const { value, overflow } = roundToFloat(real, to.bits)
      return { value: { kind: 'number', value }, overflow }
    }
    case 'complex': {
      const [re, im] = scalar.kind === 'complex' ? scalar.value : [realNumber(scalar) ?? Number.NaN, 0]
      const real = roundToFloat(re, partBits(to))
      const imaginary = roundToFloat(im, partBits(to))
      const value: Scalar = { kind: 'complex', value: [real.value, imaginary.value] }
      return { value, overflow: real.overflow || imaginary.overflow }
    }
    case 'string':
    case 'bytes':
    case 'fixed-text':
    case 'opaque':
    case 'structured':
      return undefined
  }
}

/** Undefined for a complex number that is not real. */
function realNumber(scalar: NumberScalar): number | undefined {
  if (scalar.kind !== 'complex') return Number(scalar.value)
  return scalar.value[1] === 0 ? scalar.value[0] : undefined
}

/** Undefined for fractions, NaN and infinities. */
function wholeNumber(scalar: NumberScalar): bigint | undefined {
  if (scalar.kind === 'bigint') return scalar.value
  const real = realNumber(scalar)
  return real === undefined ? undefined : integerOf(real)
}

function asText(scalar: Scalar): Scalar | undefined {
  if (scalar.kind === 'string') return scalar
  const text = scalar.kind === 'bytes' ? utf8Text(scalar.value) : undefined
  return text === undefined ? undefined : { kind: 'string', value: text }
}

function asBytes(scalar: Scalar): Scalar | undefined {
  if (scalar.kind === 'bytes') return scalar
  return scalar.kind === 'string' ? { kind: 'bytes', value: new TextEncoder().encode(scalar.value) } : undefined
}

function fixed(scalar: Scalar | undefined, to: Extract<DataType, { kind: 'fixed-text' }>): Scalar | undefined {
  if (scalar?.kind === 'string') return stringScalar(scalar.value, to)
  return scalar?.kind === 'bytes' ? bytesScalar(scalar.value, to) : undefined
}

function exact(value: Scalar | undefined): Held<Scalar> | undefined {
  return value === undefined ? undefined : { value, overflow: false }
}

// The lowest and the highest value of floating-point types as programs print them: GDAL's tools write -3.4028234663852886e+38 as -3.40282e+38.
type FloatBits = 16 | 32 | 64

const MIN_DIGITS = 6
/** `toExponential` has no more. */
const MAX_DIGITS = 100

const HIGHEST: Readonly<Record<FloatBits, number>> = {
  16: 65_504,
  32: (2 - 2 ** -23) * 2 ** 127,
  64: Number.MAX_VALUE,
}

const DECIMAL = /^([+-]?)0*(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,4}))?$/

/** The lowest or highest finite value of a type where the text is that value rounded to its digits, at least six. */
export function roundedExtreme(text: string, bits: FloatBits): number | undefined {
  const parts = DECIMAL.exec(text)
  if (parts === null) return undefined
  const [, sign, whole = '', fraction, bare, exponent] = parts
  const hasPoint = fraction !== undefined || bare !== undefined
  const leading = whole.length - 1 + Number(exponent ?? 0)
  const all = whole + (fraction ?? bare ?? '')
  // Zeros at the end of an integer are places, not digits that were printed.
  const digits = hasPoint || exponent !== undefined ? all : all.replace(/0+$/, '')
  if (digits.startsWith('0') || whole === '' || digits.length < MIN_DIGITS || digits.length > MAX_DIGITS)
    return undefined
  const highest = HIGHEST[bits]
  const [mantissa = '', power = ''] = highest.toExponential(digits.length - 1).split('e')
  if (mantissa.replace('.', '') !== digits || Number(power) !== leading) return undefined
  return sign === '-' ? -highest : highest
}

/** A number as text says it; `double` is the nearest one, `integer` the exact value where it is integral. */
type NumberText =
  | { readonly kind: 'finite'; readonly double: number; readonly integer: bigint | 'fraction' | 'beyond-64-bits' }
  | { readonly kind: 'special'; readonly double: number }

/** No number that anyone means is longer; also what bounds the work. */
const MOST_LENGTH = 4096

const DECIMAL = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?$/
const WORD = /^([+-]?)(nan|inf|infinity)$/i
/** What C runtimes of Microsoft print (FV-TIFF-3); they may append zeros. */
const MSVC = /^([+-]?)1\.#(inf|qnan|snan|ind)[0-9]*$/i

/** Reads what FV-TIFF-4 accepts, without surrounding blanks; undefined for anything else. */
export function parseNumberText(text: string): NumberText | undefined {
  if (text.length > MOST_LENGTH) return undefined
  const special = WORD.exec(text) ?? MSVC.exec(text)
  if (special !== null) {
    if (!special[2]?.toLowerCase().startsWith('inf')) return { kind: 'special', double: Number.NaN }
    return { kind: 'special', double: special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY }
  }
  const parts = DECIMAL.exec(text)
  if (parts === null) return undefined
  const fraction = parts[3] ?? parts[4] ?? ''
  const digits = (parts[2] ?? '') + fraction
  const double = Number(text)
  return { kind: 'finite', double, integer: integerOf(double, digits, Number(parts[5] ?? 0) - fraction.length) }
}

/** Cuts at the first NUL and drops blanks of ASCII at both ends. */
export function trimmedText(text: string): string {
  const nul = text.indexOf('\0')
  let end = nul === -1 ? text.length : nul
  let start = 0
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/**
 * Exact, so that 254.99999999999999999 is not 255; the exponent can't make it allocate more than 20 digits. Digits that
 * stop before the units are a double as C prints it, and mean that double: GDAL writes -2^63 as -9.2233720368547758e+18.
 */
function integerOf(double: number, digits: string, exponent: number): bigint | 'fraction' | 'beyond-64-bits' {
  let first = 0
  while (digits[first] === '0') first++
  let last = digits.length
  while (last > first && digits[last - 1] === '0') last--
  if (last === first) return 0n
  const power = exponent + digits.length - last
  if (power < 0) return 'fraction'
  if (last - first + power > 20) return 'beyond-64-bits'
  if (exponent > 0) return BigInt(double)
  const magnitude = BigInt(digits.slice(first, last)) * 10n ** BigInt(power)
  return double < 0 ? -magnitude : magnitude
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

// Python's two ways to format text: `'%03d' % i` and `'{:03d}'.format(i)`.
import { bounded, refused, spelled, type Value } from './value.ts'

const PERCENT = /%(?:\((\w+)\))?([-+ 0#]*)(\d*)(?:\.(\d+))?([a-zA-Z%])/g
const BRACES = /\{\{|\}\}|\{([A-Za-z_]\w*|\d*)(?::([^{}]*))?\}/g
const FORMAT_SPEC = /^(?:(.)?([<>^=]))?([-+ ]?)(0?)(\d*)(?:\.(\d+))?([a-zA-Z]?)$/su
const MAX_WIDTH = 1024

interface Spec {
  readonly fill: string
  readonly align: '<' | '>' | '^' | '='
  readonly sign: string
  readonly width: number
  readonly precision: number | undefined
  readonly type: string
}

/** `text % values`. */
export function percentFormat(text: string, values: readonly Value[]): string {
  let next = 0
  const formatted = text.replace(
    PERCENT,
    (_all, name: string | undefined, flags: string, width: string, precision: string | undefined, type: string) => {
      if (type === '%') return '%'
      if (name !== undefined) throw refused('a format that names its values')
      const value = values[next++]
      if (value === undefined) throw refused('a format with more places than values')
      const isLeft = flags.includes('-')
      const isZero = flags.includes('0') && !isLeft
      return formatOne(value, {
        fill: isZero ? '0' : ' ',
        align: isLeft ? '<' : isZero ? '=' : '>',
        sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
        width: widthOf(width),
        precision: precision === undefined ? undefined : widthOf(precision),
        type: type === 'i' || type === 'u' ? 'd' : type,
      })
    },
  )
  if (next < values.length) throw refused('a format with fewer places than values')
  return bounded(formatted)
}

/** `text.format(...)`. */
export function braceFormat(text: string, positional: readonly Value[], named: ReadonlyMap<string, Value>): string {
  if (/[{}]/.test(text.replace(BRACES, ''))) throw refused('a format that is not understood')
  let next = 0
  return bounded(
    text.replace(BRACES, (all, name: string | undefined, spec: string | undefined) => {
      if (all === '{{' || all === '}}') return all.charAt(0)
      const isNumber = name === undefined || /^\d*$/.test(name)
      const value = isNumber ? positional[name ? Number(name) : next++] : named.get(name)
      if (value === undefined) throw refused('a format with more places than values')
      return formatValue(value, spec ?? '')
    }),
  )
}

/** `format(value, spec)`. */
function formatValue(value: Value, text: string): string {
  const match = FORMAT_SPEC.exec(text)
  if (match === null) throw refused(`a format "${text.slice(0, 20)}" that is not understood`)
  const [, fill, align, sign = '', zero, width = '', precision, type = ''] = match
  const isNumber = typeof value === 'bigint' || typeof value === 'number'
  return formatOne(value, {
    fill: fill ?? (zero === '0' ? '0' : ' '),
    align: (align as Spec['align'] | undefined) ?? (zero === '0' ? '=' : isNumber ? '>' : '<'),
    sign,
    width: widthOf(width),
    precision: precision === undefined ? undefined : widthOf(precision),
    type: type === '' ? (typeof value === 'bigint' ? 'd' : typeof value === 'number' ? 'r' : 's') : type,
  })
}

function formatOne(value: Value, spec: Spec): string {
  const body = bodyOf(value, spec)
  const isNegative = spec.type !== 's' && body.startsWith('-')
  const sign = isNegative ? '-' : spec.type === 's' ? '' : spec.sign === '-' ? '' : spec.sign
  const digits = isNegative ? body.slice(1) : body
  const missing = Math.max(0, spec.width - sign.length - digits.length)
  switch (spec.align) {
    case '<':
      return sign + digits + spec.fill.repeat(missing)
    case '>':
      return spec.fill.repeat(missing) + sign + digits
    case '^':
      return spec.fill.repeat(Math.floor(missing / 2)) + sign + digits + spec.fill.repeat(Math.ceil(missing / 2))
    case '=':
      return sign + spec.fill.repeat(missing) + digits
  }
}

function bodyOf(value: Value, { type, precision }: Spec): string {
  switch (type) {
    case 's':
      return precision === undefined ? spelled(value) : spelled(value).slice(0, precision)
    case 'r':
      return spelled(value)
    case 'd':
      return wholeOf(value).toString()
    case 'x':
      return wholeOf(value).toString(16)
    case 'X':
      return wholeOf(value).toString(16).toUpperCase()
    case 'o':
      return wholeOf(value).toString(8)
    case 'b':
      return wholeOf(value).toString(2)
    case 'f':
    case 'F':
      return Number(value).toFixed(Math.min(precision ?? 6, 100))
  }
  throw refused(`a format of type ${type}`)
}

function wholeOf(value: Value): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value))
  throw refused('a format for whole numbers with something else')
}

function widthOf(text: string): number {
  const width = Number(text)
  if (width > MAX_WIDTH) throw refused(`a format wider than ${MAX_WIDTH}`)
  return width
}

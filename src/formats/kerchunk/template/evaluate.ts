import type { Expression, Operator } from './parse-expression.ts'
import { bounded, refused, type Value } from './value.ts'

/** Conversions of `'…' % value` that names of files need: numbers, filled with zeros or blanks, and text as it is. */
const CONVERSION = /%(?:(0?)(\d{1,4})?d|s|%)/g
const MOST_WIDTH = 1024

/** What names stand for while a template is rendered. */
export interface Scope {
  value(name: string): Value
  /** A template called as a function. */
  call(name: string, args: ReadonlyMap<string, Value>): Value
  /** Called for every step, with the length of text that it made; throws when there were too many. */
  step(text?: number): void
}

/** The value of an expression; nothing of it runs as code. */
export function evaluate(expression: Expression, scope: Scope): Value {
  const made = bounded(evaluated(expression, scope))
  scope.step(typeof made === 'string' ? made.length : 0)
  return made
}

function evaluated(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'name':
      return scope.value(expression.name)
    case 'negative':
      return -wholeOf(evaluate(expression.operand, scope))
    case 'binary': {
      const left = evaluate(expression.left, scope)
      const right = evaluate(expression.right, scope)
      if (typeof left === 'string' && expression.operator === '%') return formatted(left, right)
      return arithmetic(expression.operator, wholeOf(left), wholeOf(right))
    }
    case 'call': {
      const args = new Map<string, Value>()
      for (const [name, argument] of expression.args) args.set(name, evaluate(argument, scope))
      return scope.call(expression.name, args)
    }
  }
}

function wholeOf(value: Value): bigint {
  if (typeof value === 'bigint') return value
  throw refused('arithmetic with a text')
}

/** Python's whole numbers: division and remainder go towards minus infinity. */
function arithmetic(operator: Operator, one: bigint, other: bigint): bigint {
  switch (operator) {
    case '+':
      return one + other
    case '-':
      return one - other
    case '*':
      return one * other
  }
  if (other === 0n) throw refused('a division by zero')
  const remainder = ((one % other) + other) % other
  return operator === '%' ? remainder : (one - remainder) / other
}

/** `text % value`, as in `'%03d' % i`. */
function formatted(text: string, value: Value): string {
  if (text.replace(CONVERSION, '').includes('%')) throw refused(`the format "${text.slice(0, 40)}"`)
  let places = 0
  const made = text.replace(CONVERSION, (conversion: string, zero: string | undefined, width = '0') => {
    if (conversion === '%%') return '%'
    places++
    if (conversion === '%s') return String(value)
    return padded(wholeOf(value), Number(width), zero === '0')
  })
  if (places !== 1) throw refused(`a format with ${places} places for one value`)
  return made
}

function padded(value: bigint, width: number, withZeros: boolean): string {
  if (width > MOST_WIDTH) throw refused(`a format wider than ${MOST_WIDTH}`)
  if (!withZeros) return String(value).padStart(width)
  const sign = value < 0n ? '-' : ''
  return (
    sign +
    String(value)
      .slice(sign.length)
      .padStart(width - sign.length, '0')
  )
}

import { braceFormat, percentFormat } from './format-text.ts'
import type { Arguments, Expression } from './parse-expression.ts'
import { bounded, isTrue, numberOf, refused, spelled, type Value } from './value.ts'

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
  const made = evaluated(expression, scope)
  scope.step(typeof made === 'string' ? made.length : 0)
  return made
}

function evaluated(expression: Expression, scope: Scope): Value {
  const value = (inner: Expression) => evaluate(inner, scope)
  switch (expression.kind) {
    case 'value':
      return bounded(expression.value)
    case 'name':
      return scope.value(expression.name)
    case 'list':
      return expression.items.map(value)
    case 'unary':
      return expression.operator === 'not'
        ? !isTrue(value(expression.operand))
        : signed(expression.operator, value(expression.operand))
    case 'binary':
      return binary(expression.operator, expression.left, expression.right, value)
    case 'choice':
      return isTrue(value(expression.test)) ? value(expression.then) : value(expression.other)
    case 'item':
      return item(value(expression.of), value(expression.index))
    case 'call':
      if (expression.args.positional.length > 0) throw refused('a call with values that have no names')
      return scope.call(expression.name, namedOf(expression.args, value))
    case 'method':
      return method(
        expression.name,
        value(expression.of),
        expression.args.positional.map(value),
        namedOf(expression.args, value),
      )
  }
}

type Evaluate = (expression: Expression) => Value

function namedOf(args: Arguments, value: Evaluate): ReadonlyMap<string, Value> {
  return new Map([...args.named].map(([name, expression]) => [name, value(expression)]))
}

function signed(operator: string, operand: Value): Value {
  const number = numberOf(operand)
  return operator === '-' ? -number : number
}

function binary(operator: string, left: Expression, right: Expression, value: Evaluate): Value {
  const first = value(left)
  if (operator === 'and') return isTrue(first) ? value(right) : first
  if (operator === 'or') return isTrue(first) ? first : value(right)
  const second = value(right)
  if (operator === '~') return bounded(spelled(first) + spelled(second))
  if (operator === '%' && typeof first === 'string') {
    const isTuple = right.kind === 'list' && right.isTuple && Array.isArray(second)
    return percentFormat(first, isTuple ? second : [second])
  }
  if (operator === '+' && typeof first === 'string' && typeof second === 'string') return bounded(first + second)
  if (operator === '==') return isEqual(first, second)
  if (operator === '!=') return !isEqual(first, second)
  if (operator.startsWith('<') || operator.startsWith('>')) return compared(operator, first, second)
  return arithmetic(operator, numberOf(first), numberOf(second))
}

function isEqual(one: Value, other: Value): boolean {
  const isNumber = (value: Value) => typeof value === 'bigint' || typeof value === 'number'
  // biome-ignore lint/suspicious/noDoubleEquals: the one comparison of bigint with number that is exact
  return isNumber(one) && isNumber(other) ? one == other : one === other
}

function compared(operator: string, first: Value, second: Value): boolean {
  const areTexts = typeof first === 'string' && typeof second === 'string'
  const [one, other] = areTexts ? [first, second] : [numberOf(first), numberOf(second)]
  if (operator === '<') return one < other
  if (operator === '<=') return one <= other
  return operator === '>' ? one > other : one >= other
}

function arithmetic(operator: string, one: bigint | number, other: bigint | number): Value {
  if (typeof one === 'bigint' && typeof other === 'bigint' && operator !== '/')
    return bounded(whole(operator, one, other))
  const [a, b] = [Number(one), Number(other)]
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '**':
      return a ** b
  }
  if (b === 0) throw refused('a division by zero')
  if (operator === '/') return a / b
  const quotient = Math.floor(a / b)
  return operator === '//' ? quotient : a - quotient * b
}

/** Python's whole numbers: division and remainder go towards minus infinity. */
function whole(operator: string, one: bigint, other: bigint): bigint | number {
  switch (operator) {
    case '+':
      return one + other
    case '-':
      return one - other
    case '*':
      return one * other
    case '**':
      if (other > 63n && one !== 0n && one !== 1n) throw refused('a power beyond 64 bits')
      return other < 0n ? Number(one) ** Number(other) : one ** other
  }
  if (other === 0n) throw refused('a division by zero')
  const remainder = ((one % other) + other) % other
  return operator === '%' ? remainder : (one - remainder) / other
}

function item(of: Value, index: Value): Value {
  const isSequence = typeof of === 'string' || Array.isArray(of)
  if (!isSequence || typeof index !== 'bigint') throw refused('an index into something that has none')
  const place = index < 0n ? BigInt(of.length) + index : index
  const found = (of as string | readonly Value[])[Number(place)]
  if (found === undefined) throw refused('an index behind the end')
  return found
}

function method(name: string, of: Value, args: readonly Value[], named: ReadonlyMap<string, Value>): Value {
  const [first] = args
  switch (name) {
    case 'format':
      // The filter is the `%` of text, the method is `str.format`; a text with braces is meant for the latter.
      return spelled(of).includes('{') ? braceFormat(spelled(of), args, named) : percentFormat(spelled(of), args)
    case 'int':
      return toWhole(of)
    case 'float':
      return Number(of)
    case 'string':
      return spelled(of)
    case 'abs': {
      const number = numberOf(of)
      return number < 0 ? -number : number
    }
    case 'upper':
      return spelled(of).toUpperCase()
    case 'lower':
      return spelled(of).toLowerCase()
    case 'length':
      if (typeof of === 'string' || Array.isArray(of)) return BigInt(of.length)
      throw refused('the length of something that has none')
    case 'zfill':
      return zeroFilled(spelled(of), Number(first ?? 0n))
    case 'replace':
      return bounded(spelled(of).replaceAll(spelled(first ?? ''), () => spelled(args[1] ?? '')))
  }
  throw refused(`"${name}", which is not known`)
}

function toWhole(of: Value): bigint {
  if (typeof of === 'string') {
    if (/^\s*[-+]?\d{1,19}\s*$/.test(of)) return bounded(BigInt(of.trim().replace(/^\+/, '')))
    throw refused('a text that is no whole number')
  }
  const number = numberOf(of)
  if (typeof number === 'bigint') return number
  if (!Number.isFinite(number)) throw refused('a number that is not finite')
  return bounded(BigInt(Math.trunc(number)))
}

function zeroFilled(text: string, width: number): string {
  if (!(width <= 1024)) throw refused('a width of more than 1024')
  const sign = /^[-+]/.test(text) ? text.charAt(0) : ''
  return sign + text.slice(sign.length).padStart(width - sign.length, '0')
}

import { refused, type Value } from './value.ts'

/** A parsed expression of a template. */
export type Expression =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'negative'; readonly operand: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: Operator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: ReadonlyMap<string, Expression> }

/** Python's arithmetic of whole numbers; `%` also formats a number into a text. */
export type Operator = '+' | '-' | '*' | '//' | '%'

const TOKEN =
  /\s*(?:(\d+(?![\w.]))|([A-Za-z_]\w*)|("(?:[^"\\]|\\["'\\])*"|'(?:[^'\\]|\\["'\\])*')|(\/\/|[-+*%(),=]))/suy
const MOST_TOKENS = 1000
const MOST_DEPTH = 40

interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'mark' | 'end'
  readonly text: string
}

/**
 * Parses what stands between `{{` and `}}`: names, calls of templates, whole numbers, text and arithmetic. That is what the
 * specification of references shows and what their writers use, of all that Jinja has.
 */
export function parseExpression(text: string): Expression {
  const parser = new ExpressionParser(tokensOf(text))
  const expression = parser.sum()
  parser.expect('end', 'the end')
  return expression
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  const kinds = ['number', 'name', 'text', 'mark'] as const
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex
    const match = pattern.exec(text)
    if (match === null) throw refused(`"${text.slice(at, at + 12).trim()}", which is not evaluated`)
    const group = match.slice(1).findIndex((part) => part !== undefined)
    tokens.push({ kind: kinds[group] ?? 'mark', text: match[group + 1] ?? '' })
    if (tokens.length > MOST_TOKENS) throw refused(`an expression of more than ${MOST_TOKENS} tokens`)
  }
  return [...tokens, { kind: 'end', text: 'the end' }]
}

class ExpressionParser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  sum(): Expression {
    return this.#chain(['+', '-'], () => this.#chain(['*', '//', '%'], () => this.#unary()))
  }

  #chain(operators: readonly Operator[], operand: () => Expression): Expression {
    let left = operand()
    while (true) {
      const operator = operators.find((mark) => this.#take(mark))
      if (operator === undefined) return left
      left = { kind: 'binary', operator, left, right: operand() }
    }
  }

  #unary(): Expression {
    if (++this.#depth > MOST_DEPTH) throw refused(`an expression nested more than ${MOST_DEPTH} levels deep`)
    const found: Expression = this.#take('-') ? { kind: 'negative', operand: this.#unary() } : this.#primary()
    this.#depth--
    return found
  }

  #primary(): Expression {
    if (this.#take('(')) {
      const inner = this.sum()
      this.expect('mark', ')')
      return inner
    }
    const { kind, text } = this.#next
    this.#at++
    switch (kind) {
      case 'number':
        return { kind: 'value', value: BigInt(text.slice(0, 40)) }
      case 'text':
        return { kind: 'value', value: text.slice(1, -1).replace(/\\(.)/gsu, '$1') }
      case 'name':
        return this.#take('(') ? { kind: 'call', name: text, args: this.#arguments() } : { kind: 'name', name: text }
      default:
        throw refused(`"${text}" where a value is expected`)
    }
  }

  /** `name=value, …)`: templates are called with names. */
  #arguments(): ReadonlyMap<string, Expression> {
    const args = new Map<string, Expression>()
    while (!this.#take(')')) {
      if (args.size > 0) this.expect('mark', ',')
      const name = this.expect('name', 'the name of an argument')
      this.expect('mark', '=')
      args.set(name, this.sum())
    }
    return args
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'the end' }
  }

  #take(mark: string): boolean {
    const isHere = this.#next.kind === 'mark' && this.#next.text === mark
    if (isHere) this.#at++
    return isHere
  }

  /** Takes the next token, which for a mark is `what`, or refuses it. */
  expect(kind: Token['kind'], what: string): string {
    const { kind: found, text } = this.#next
    if (found !== kind || (kind === 'mark' && text !== what)) throw refused(`"${text}" where ${what} is expected`)
    this.#at++
    return text
  }
}

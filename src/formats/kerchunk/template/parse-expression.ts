// Jinja's expression grammar, as far as templates of references need it: no statements, no attributes but methods of text.
import { refused, type Value } from './value.ts'

export type Expression =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'name'; readonly name: string }
  /** A list; a tuple gives its items to `%` one by one. */
  | { readonly kind: 'list'; readonly isTuple: boolean; readonly items: readonly Expression[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'choice'; readonly test: Expression; readonly then: Expression; readonly other: Expression }
  | { readonly kind: 'item'; readonly of: Expression; readonly index: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: Arguments }
  /** `value.method(...)`, and `value | method(...)`, which differ in spelling only. */
  | { readonly kind: 'method'; readonly name: string; readonly of: Expression; readonly args: Arguments }

export interface Arguments {
  readonly positional: readonly Expression[]
  readonly named: ReadonlyMap<string, Expression>
}

const TOKEN =
  /\s*(?:(\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(\d+)|([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\*\*|\/\/|==|!=|<=|>=|[-+*/%~<>()[\],.|=]))/suy
const MAX_TOKENS = 1000
const MAX_DEPTH = 40
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['~'],
  ['*', '/', '//', '%'],
  ['**'],
]

interface Token {
  readonly kind: 'float' | 'integer' | 'name' | 'text' | 'mark' | 'end'
  readonly text: string
}

/** Parses what stands between `{{` and `}}`. */
export function parseExpression(text: string): Expression {
  const parser = new ExpressionParser(tokensOf(text))
  const expression = parser.choice()
  if (parser.next.kind !== 'end') throw refused(`an expression that is not understood at "${parser.next.text}"`)
  return expression
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  const kinds = ['float', 'integer', 'name', 'text', 'mark'] as const
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex
    const match = pattern.exec(text)
    if (match === null) throw refused(`an expression that is not understood at "${text.slice(at, at + 12).trim()}"`)
    const group = match.slice(1).findIndex((part) => part !== undefined)
    tokens.push({ kind: kinds[group] ?? 'mark', text: match[group + 1] ?? '' })
    if (tokens.length > MAX_TOKENS) throw refused(`an expression of more than ${MAX_TOKENS} tokens`)
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

  get next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'the end' }
  }

  choice(): Expression {
    if (++this.#depth > MAX_DEPTH) throw refused(`an expression nested more than ${MAX_DEPTH} levels deep`)
    const then = this.#level(0)
    let whole = then
    if (this.#takeName('if')) {
      const test = this.#level(0)
      const other = this.#takeName('else') ? this.choice() : ({ kind: 'value', value: '' } as const)
      whole = { kind: 'choice', test, then, other }
    }
    this.#depth--
    return whole
  }

  #level(level: number): Expression {
    const operators = LEVELS[level]
    if (operators === undefined) return this.#unary(true)
    if (level === 2 && this.#takeName('not')) return { kind: 'unary', operator: 'not', operand: this.#level(level) }
    let left = this.#level(level + 1)
    while (this.next.kind !== 'text' && operators.includes(this.next.text)) {
      const operator = this.#advance().text
      left = { kind: 'binary', operator, left, right: this.#level(level + 1) }
    }
    return left
  }

  #unary(withFilters: boolean): Expression {
    if (++this.#depth > MAX_DEPTH) throw refused(`an expression nested more than ${MAX_DEPTH} levels deep`)
    const sign = this.next.kind === 'mark' && (this.next.text === '-' || this.next.text === '+') && this.#advance().text
    let found: Expression = sign
      ? { kind: 'unary', operator: sign, operand: this.#unary(false) }
      : this.#postfix(this.#primary())
    while (withFilters && this.#take('|')) {
      const name = this.#name()
      found = { kind: 'method', name, of: found, args: this.#take('(') ? this.#arguments() : NO_ARGUMENTS }
    }
    this.#depth--
    return found
  }

  #postfix(primary: Expression): Expression {
    let found = primary
    while (true) {
      if (this.#take('[')) {
        found = { kind: 'item', of: found, index: this.choice() }
        this.#expect(']')
      } else if (this.#take('.')) {
        const name = this.#name()
        this.#expect('(')
        found = { kind: 'method', name, of: found, args: this.#arguments() }
      } else if (this.next.kind === 'mark' && this.next.text === '(') {
        if (found.kind !== 'name') throw refused('a call of something that has no name')
        this.#advance()
        found = { kind: 'call', name: found.name, args: this.#arguments() }
      } else return found
    }
  }

  #primary(): Expression {
    const token = this.#advance()
    switch (token.kind) {
      case 'integer':
        return { kind: 'value', value: BigInt(token.text.slice(0, 40)) }
      case 'float':
        return { kind: 'value', value: Number(token.text) }
      case 'text':
        return { kind: 'value', value: unquoted(token.text) }
      case 'name':
        return named(token.text)
      case 'mark':
        if (token.text === '(') return this.#parenthesised()
        if (token.text === '[') return { kind: 'list', isTuple: false, items: this.#arguments(']').positional }
        throw refused(`an expression that is not understood at "${token.text}"`)
      case 'end':
        throw refused('an expression that ends too soon')
    }
  }

  #parenthesised(): Expression {
    const first = this.choice()
    if (!this.#take(',')) return this.#closed(first, ')')
    return { kind: 'list', isTuple: true, items: [first, ...this.#arguments().positional] }
  }

  #arguments(close = ')'): Arguments {
    const positional: Expression[] = []
    const args = new Map<string, Expression>()
    while (!this.#take(close)) {
      const after = this.#tokens[this.#at + 1]
      if (this.next.kind === 'name' && after?.kind === 'mark' && after.text === '=') {
        const name = this.#name()
        this.#expect('=')
        args.set(name, this.choice())
      } else positional.push(this.choice())
      if (!this.#take(',')) return this.#closed({ positional, named: args }, close)
    }
    return { positional, named: args }
  }

  #closed<T>(value: T, mark: string): T {
    this.#expect(mark)
    return value
  }

  #advance(): Token {
    const token = this.next
    this.#at++
    return token
  }

  #take(mark: string): boolean {
    if (this.next.kind !== 'mark' || this.next.text !== mark) return false
    this.#at++
    return true
  }

  #takeName(word: string): boolean {
    if (this.next.kind !== 'name' || this.next.text !== word) return false
    this.#at++
    return true
  }

  #name(): string {
    const token = this.#advance()
    if (token.kind !== 'name') throw refused(`an expression that is not understood at "${token.text}"`)
    return token.text
  }

  #expect(mark: string): void {
    if (!this.#take(mark)) throw refused(`"${this.next.text}" where "${mark}" is expected`)
  }
}

const NO_ARGUMENTS: Arguments = { positional: [], named: new Map() }
const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
])

function named(name: string): Expression {
  const word = WORDS.get(name)
  return word === undefined ? { kind: 'name', name } : { kind: 'value', value: word }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
])

function unquoted(token: string): string {
  return token.slice(1, -1).replace(/\\(.)/gsu, (_all, letter: string) => ESCAPES.get(letter) ?? letter)
}

// "templates" of references, version 1: text with expressions in double braces, plain or called with arguments.
import { type ErrorContext, malformed, overLimit } from '../../../errors.ts'
import { isJsonObject, type Json } from '../../../json/json.ts'
import { writeJson } from '../../../json/write.ts'
import { NotWritten, recipe, withRecipe } from '../../../model/recipe.ts'
import { mayHoldSecret } from '../../../model/text-table.ts'
import { evaluate, type Scope } from './evaluate.ts'
import { type Expression, parseExpression } from './parse-expression.ts'
import { bounded, refused, type Value } from './value.ts'

const EXPRESSION = /\{\{(.*?)\}\}/gs
const MOST_TEMPLATE = 16_384
/** Templates may use each other, and one another's arguments. */
const MOST_NESTING = 16
/** Steps of one rendering: each nested call counts. */
const MOST_STEPS = 10_000
/** Steps of all renderings of one document. */
const MOST_ALL_STEPS = 5_000_000
/** Copying so much text costs as much as a step. */
const STEP_TEXT = 64

/** A text with expressions in it, parsed once. */
export type Template = readonly (string | Expression)[]
type Variables = ReadonlyMap<string, Value>

export interface Templates {
  /** Whether there are none, so that double braces mean nothing. */
  readonly isEmpty: boolean
  render(template: Template, variables: Variables): string
}

/** Parses a text with expressions; `{%` and `{#` are Jinja's too, and are not served. */
export function parseTemplate(text: string): Template {
  if (text.length > MOST_TEMPLATE) throw refused(`more than ${MOST_TEMPLATE} characters`)
  if (/\{[%#]/.test(text)) throw refused('statements or comments')
  const parts: (string | Expression)[] = []
  let end = 0
  for (const match of text.matchAll(EXPRESSION)) {
    parts.push(text.slice(end, match.index), parseExpression(match[1] ?? ''))
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)].filter((part) => part !== '')
}

/** The templates of a document. */
export function parseTemplates(json: Json | undefined, place: ErrorContext): Templates {
  const made = templates({ json, place })
  return withRecipe(made, templates.recipe, () => {
    if (json !== undefined && mayHoldSecret(Buffer.from(writeJson(json))))
      throw new NotWritten('templates with queries')
    return [{ json, place }]
  })
}

interface TemplatesInput {
  readonly json: Json | undefined
  readonly place: ErrorContext
}

export const templates = recipe('kerchunk.templates', templatesOf)

function templatesOf({ json, place }: TemplatesInput): Templates {
  if (json !== undefined && json !== null && !isJsonObject(json)) throw malformed('templates is no object', place)
  const texts = new Map<string, string>()
  for (const [name, text] of Object.entries(json ?? {})) {
    if (typeof text !== 'string') throw malformed(`the template ${name.slice(0, 60)} is no text`, place)
    texts.set(name, text)
  }
  const parsed = new Map<string, Template>()
  const templateOf = (name: string) => {
    const known = parsed.get(name)
    if (known !== undefined) return known
    const text = texts.get(name)
    const template = text === undefined ? undefined : parseTemplate(text)
    if (template !== undefined) parsed.set(name, template)
    return template
  }
  let left = MOST_ALL_STEPS
  return {
    isEmpty: texts.size === 0,
    render(template, variables) {
      let steps = 0
      const step = (text = 0) => {
        if (++steps > MOST_STEPS) throw refused(`more than ${MOST_STEPS} steps`)
        left -= 1 + text / STEP_TEXT
        if (left < 0) throw overLimit(`the templates take more than ${MOST_ALL_STEPS} steps`, place)
      }
      return rendered(template, scopeOf(templateOf, variables, step, 0))
    },
  }
}

function scopeOf(
  templateOf: (name: string) => Template | undefined,
  variables: Variables,
  step: Scope['step'],
  depth: number,
): Scope {
  const inner = (name: string, args: Variables): string => {
    const template = templateOf(name)
    if (template === undefined) throw refused(`the name "${name.slice(0, 60)}", which is not defined`)
    if (depth === MOST_NESTING) throw refused(`templates nested more than ${MOST_NESTING} levels deep`)
    return rendered(template, scopeOf(templateOf, new Map([...variables, ...args]), step, depth + 1))
  }
  return {
    step,
    value: (name) => variables.get(name) ?? inner(name, new Map()),
    call: inner,
  }
}

function rendered(template: Template, scope: Scope): string {
  let text = ''
  for (const part of template) text = bounded(text + (typeof part === 'string' ? part : String(evaluate(part, scope))))
  return text
}

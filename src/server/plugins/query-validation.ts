import type { FastifyInstance, FastifySchemaValidationError } from 'fastify'
import { invalidRequest } from '../../errors.ts'

/** How Fastify's validator (Ajv) checks queries by the schemas of routes. */
export const VALIDATION_OPTIONS = {
  // Texts of a query become numbers where the schema says so, and never lists.
  coerceTypes: true,
  removeAdditional: false,
  // A URL may be a pattern of many files, which is no URI.
  validateFormats: false,
  // Errors carry the value and its schema.
  verbose: true,
} as const

type ValidationError = FastifySchemaValidationError & {
  readonly data?: unknown
  readonly parentSchema?: { readonly examples?: readonly unknown[] }
}

/** Answers a query that its route's schema refuses with a problem in our words, and JSON as it is. */
export function validateQueries(http: FastifyInstance): void {
  http.setSchemaErrorFormatter(([error]) => problemOf(error as ValidationError))
  // Schemas of answers describe them. Fastify's own serializers would leave out what a schema doesn't name.
  http.setSerializerCompiler(() => (value) => JSON.stringify(value))
}

function problemOf({ keyword, instancePath, params, data, parentSchema }: ValidationError): Error {
  if (keyword === 'required') {
    const name = String(params['missingProperty'])
    return invalidRequest(`the parameter ${name} is missing`, { option: name })
  }
  const name = decodePointer(instancePath.slice(1))
  const refused = (text: string) => invalidRequest(text.slice(0, 500), { option: name.slice(0, 100) })
  if (Array.isArray(data)) return refused(`${name} is given more than once`)
  const found = JSON.stringify(String(data).slice(0, 100))
  return refused(`${name} is ${found}, expected ${expectation(keyword, params, parentSchema?.examples)}`)
}

/** What a keyword of JSON Schema asks for, in words. */
function expectation(keyword: string, params: ValidationError['params'], examples: readonly unknown[] = []): string {
  switch (keyword) {
    case 'enum':
      return `one of ${(params['allowedValues'] as readonly string[]).join(', ')}`
    case 'type':
      return params['type'] === 'integer' ? 'a whole number' : `a ${String(params['type'])}`
    case 'minimum':
      return `at least ${String(params['limit'])}`
    case 'minLength':
      return 'a text that is not empty'
    case 'pattern':
      return examples.length > 0
        ? `a value such as ${examples.join(' or ')}`
        : `a match of ${String(params['pattern'])}`
    default:
      return `what the schema says (${keyword})`
  }
}

/** A name of a JSON pointer (RFC 6901, section 4). */
function decodePointer(text: string): string {
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

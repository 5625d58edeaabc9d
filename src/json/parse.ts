import { invalidRequest } from '../errors.ts'
import type { Json } from './json.ts'

/** Placeholder until the fill-value helper's exact parser lands. */
export function parseJson(text: string, _options: { readonly lenient?: boolean } = {}): Json {
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw invalidRequest(`not JSON: ${cause instanceof Error ? cause.message : ''}`)
  }
}

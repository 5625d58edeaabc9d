import type { Json } from './json.ts'

/** Placeholder until the fill-value helper's exact writer lands. */
export function writeJson(value: Json): string {
  return JSON.stringify(value)
}

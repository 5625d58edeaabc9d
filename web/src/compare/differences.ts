import type { Inspection, Json } from '../service/types.ts'

/** Something that two sources say differently; undefined where one doesn't have it. */
export interface Difference {
  readonly place: string
  readonly one: string | undefined
  readonly other: string | undefined
}

/** What of their trees differs, member by member, in the order of the first. */
export function differences(one: Inspection, other: Inspection): readonly Difference[] {
  const parts = ['format', 'version', 'groups', 'arrays', 'skipped'] as const
  return parts.flatMap((part) => between(one[part] as Json, other[part] as Json, part))
}

function between(one: Json | undefined, other: Json | undefined, place: string): readonly Difference[] {
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...names].flatMap((name) => between(one[name], other[name], `${place} › ${name === '' ? '/' : name}`))
  }
  const [a, b] = [textOf(one), textOf(other)]
  return a === b ? [] : [{ place, one: a, other: b }]
}

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const LONG = 300

function textOf(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined
  if (isObject(value) && 'shape' in value) return `array (${(value['shape'] as readonly number[]).join(', ')})`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text
}

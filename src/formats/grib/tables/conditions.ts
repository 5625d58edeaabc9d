import type { KeyValue } from '../messages/field.ts'

/** Asks a field for a key; undefined where it has none of that name. */
export type KeyOf = (name: string) => KeyValue | undefined

/** A key and what it must be; `m` is missing. */
export interface Condition {
  readonly key: string
  readonly value: string
}

const MISSING = 'm'

/** Whether a field is as a definition wants it. */
function holds(conditions: readonly Condition[], keyOf: KeyOf): boolean {
  return conditions.every(({ key, value }) => {
    const found = keyOf(key)
    if (found === undefined) return false
    return value === MISSING ? found.isMissing : String(found.value) === value
  })
}

/** Of all definitions that hold, the one with most conditions; of several such, the last one. */
export function mostSpecific<Definition extends { readonly conditions: readonly Condition[] }>(
  definitions: Iterable<Definition>,
  keyOf: KeyOf,
): Definition | undefined {
  let best: Definition | undefined
  for (const definition of definitions) {
    if (definition.conditions.length < (best?.conditions.length ?? 0)) continue
    if (holds(definition.conditions, keyOf)) best = definition
  }
  return best
}

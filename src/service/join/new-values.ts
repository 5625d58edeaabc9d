import { malformed } from '../../errors.ts'
import type { NewValues } from '../../joins/document.ts'
import type { OpenPart } from '../../joins/parts.ts'
import { valueInName } from '../../joins/read-along.ts'
import { Float } from '../../json/json.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { Level } from './join-level.ts'

/** The coordinate of a new dimension: a value for each source; undefined where nobody says any. */
export function newValues(
  from: NewValues,
  { count, urlOf }: Pick<Level, 'count' | 'urlOf'>,
  read: ReadonlyMap<number, OpenPart | undefined>,
): readonly (string | number)[] | undefined {
  switch (from.kind) {
    case 'count':
      return undefined
    case 'list':
      if (from.values.length === count) return from.values
      throw malformed(`along.values has ${from.values.length} members, and the join ${count} sources`)
    case 'name':
      return oneKind(
        Array.from({ length: count }, (_none, position) => inName(urlOf(position), from.pattern, position)),
      )
    case 'attribute':
      return oneKind(Array.from({ length: count }, (_none, position) => attributeOf(read.get(position), from.name)))
  }
}

function inName(
  url: string | undefined,
  pattern: Parameters<typeof valueInName>[1],
  position: number,
): string | number {
  const value = url === undefined ? undefined : valueInName(url, pattern)
  if (value !== undefined) return value
  throw malformed(`along.from finds nothing in the name of ${url ?? `row ${position}`}`)
}

function attributeOf(part: OpenPart | undefined, name: string): string | number {
  const value = part === undefined ? undefined : plainValue(part.tree.attributes.get(name))
  if (value !== undefined) return value
  throw malformed(`${part?.tree.url ?? 'an absent source'} has no attribute ${name} that is a number or text`)
}

function plainValue(value: AttributeValue | undefined): string | number | undefined {
  const single = Array.isArray(value) && value.length === 1 ? (value[0] as AttributeValue) : value
  if (single instanceof Float) return single.value
  return typeof single === 'string' || typeof single === 'number' ? single : undefined
}

/** Numbers among texts are texts. */
function oneKind(values: readonly (string | number)[]): readonly (string | number)[] {
  return values.every((value) => typeof value === 'number') ? values : values.map(String)
}

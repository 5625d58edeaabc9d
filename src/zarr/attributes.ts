import { floatSpelling } from '../fill-value/to-zarr.ts'
import { Float, type Json, type JsonObject } from '../json/json.ts'
import type { DataType } from '../model/data-type.ts'
import type { Attributes, AttributeValue, Diagnostic, Sentinels } from '../model/virtual-store.ts'
import { withCfSpelling } from './cf-attributes.ts'
import { type MissingOutput, sentinelAttributes } from './sentinel-attributes.ts'

export type { MissingOutput } from './sentinel-attributes.ts'

export interface AttributesOptions {
  readonly path: string
  warn(diagnostic: Diagnostic): void
  /** What an array adds to its attributes; absent for groups. */
  readonly array?:
    | { readonly dataType: DataType; readonly sentinels: Sentinels; readonly output: MissingOutput }
    | undefined
}

/**
 * Attributes as the `attributes` member of a document (JSON-6, JSON-7), those of an array with its sentinels. Lists stay
 * lists: a typed source hands a one-element attribute over as a scalar and an empty one as `""`.
 */
export function attributesDocument(attributes: Attributes, options: AttributesOptions): JsonObject {
  const document = new Map<string, Json>()
  const undecodable: string[] = []
  const nonFinite: string[] = []
  for (const [name, value] of attributes) {
    const text = decoded(value)
    if (text === undefined) undecodable.push(name)
    else
      document.set(
        name,
        strict(text, () => nonFinite.push(name)),
      )
  }
  report('attribute-undecodable', 'is no UTF-8 text: dropped', undecodable, options)
  report(
    'attribute-not-finite',
    'has values without a JSON spelling: written as text',
    [...new Set(nonFinite)],
    options,
  )
  if (options.array !== undefined) {
    withCfSpelling(document, attributes, options)
    for (const [name, value] of sentinelAttributes(options.array, options)) document.set(name, value)
  }
  return nullPrototypeObject(document)
}

/** Byte strings as text; undefined when one of them is not UTF-8. */
function decoded(value: AttributeValue): Json | undefined {
  if (value instanceof Uint8Array) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(value)
    } catch {
      return undefined
    }
  }
  if (!isList(value)) return value
  if (!value.some((item) => item instanceof Uint8Array)) return value as readonly Json[]
  const items: Json[] = []
  for (const item of value) {
    const text = decoded(item)
    if (text === undefined) return undefined
    items.push(text)
  }
  const [first] = items
  return items.length === 1 && first !== undefined ? first : items
}

/** JSON-6: the same value with words for what has no JSON spelling. */
function strict(value: Json, found: () => void): Json {
  if (value instanceof Float || typeof value === 'number') {
    const double = value instanceof Float ? value.value : value
    if (Number.isFinite(double)) return value
    found()
    return floatSpelling(double)
  }
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((item) => strict(item as Json, found))
  return nullPrototypeObject(Object.entries(value).map(([name, item]) => [name, strict(item, found)] as const))
}

function isList(value: AttributeValue): value is readonly (Json | Uint8Array)[] {
  return Array.isArray(value)
}

function nullPrototypeObject(entries: Iterable<readonly [string, Json]>): JsonObject {
  const object: Record<string, Json> = Object.create(null)
  for (const [name, value] of entries) object[name] = value
  return object
}

function report(code: string, what: string, names: readonly string[], { path, warn }: AttributesOptions): void {
  if (names.length === 0) return
  warn({ code, message: `attribute ${names.join(', ')} ${what}`, path, values: names })
}

import { anyText } from '../bytes/text.ts'
import { unsignedAttribute } from '../fill-value/raw-sentinel.ts'
import { floatSpelling } from '../fill-value/to-zarr.ts'
import { Float, type Json, type JsonObject } from '../json/json.ts'
import type { DataType } from '../model/data-type.ts'
import { encodingGuessed } from '../model/guessed-text.ts'
import type { Attributes, AttributeValue, Diagnostic, Sentinels } from '../model/virtual-store.ts'
import { withCfSpelling, withScaleToMask } from './cf-attributes.ts'
import { type MissingOutput, sentinelAttributes, spellDeclared } from './sentinel-attributes.ts'

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
  const guessed = new Set<string>()
  const nonFinite = new Set<string>()
  for (const [name, value] of attributes) {
    document.set(name, jsonOf(value, { nonFinite: () => nonFinite.add(name), guessed: () => guessed.add(name) }))
  }
  const { path, warn } = options
  if (guessed.size > 0) warn(encodingGuessed('text', `attribute ${[...guessed].join(', ')}`, path, [...guessed]))
  if (nonFinite.size > 0) {
    const message = `attribute ${[...nonFinite].join(', ')} has values without a JSON spelling: written as text`
    warn({ code: 'attribute-not-finite', message, path, values: [...nonFinite] })
  }
  if (options.array !== undefined) {
    const { array } = options
    const isSigned = unsignedAttribute(attributes.get('_Unsigned')) === false
    withCfSpelling(document, attributes, { ...options, dataType: array.dataType })
    spellDeclared(document, array.sentinels, array.dataType)
    for (const [name, value] of sentinelAttributes({ ...array, isSigned }, options)) document.set(name, value)
    withScaleToMask(document)
  }
  return nullPrototypeObject(document)
}

/** What is to be told of a value. */
interface Told {
  nonFinite(): void
  guessed(): void
}

/** The same value with text for bytes (JSON-7), and words for what has no JSON spelling (JSON-6). */
function jsonOf(value: AttributeValue, told: Told): Json {
  if (value instanceof Uint8Array) return anyText(value, told.guessed)
  if (value instanceof Float || typeof value === 'number') {
    const double = value instanceof Float ? value.value : value
    if (Number.isFinite(double)) return value
    told.nonFinite()
    return floatSpelling(double)
  }
  if (typeof value !== 'object' || value === null) return value
  if (!isList(value)) {
    return nullPrototypeObject(Object.entries(value).map(([name, item]) => [name, jsonOf(item, told)] as const))
  }
  const [first] = value
  if (value.length === 1 && first instanceof Uint8Array) return jsonOf(first, told)
  return value.map((item) => jsonOf(item, told))
}

/** `Array.isArray` does not narrow readonly lists. */
function isList(value: AttributeValue): value is readonly AttributeValue[] {
  return Array.isArray(value)
}

function nullPrototypeObject(entries: Iterable<readonly [string, Json]>): JsonObject {
  const object: Record<string, Json> = Object.create(null)
  for (const [name, value] of entries) object[name] = value
  return object
}

import type { Json } from './json.ts'

// JSON Schema that carries the TypeScript type of its values, so that what validates, describes and types an API is written once.

export type SchemaNode = { readonly [name: string]: SchemaValue }
type SchemaValue = string | number | boolean | null | readonly SchemaValue[] | SchemaNode

declare const VALUE: unique symbol

/** A JSON Schema of values of this type. The type is for the compiler alone. */
export type Schema<Value> = SchemaNode & { readonly [VALUE]?: Value }

/** The values that a schema describes. */
export type ValueOf<Described> = Described extends Schema<infer Value> ? Exclude<Value, undefined> : never

/** Further keywords: `description`, `pattern`, `minimum`, … */
type Keywords = SchemaNode

export const text = (keywords: Keywords = {}): Schema<string> => ({ type: 'string', ...keywords })
export const integer = (keywords: Keywords = {}): Schema<number> => ({ type: 'integer', ...keywords })
export const number = (keywords: Keywords = {}): Schema<number> => ({ type: 'number', ...keywords })
export const boolean = (keywords: Keywords = {}): Schema<boolean> => ({ type: 'boolean', ...keywords })
export const anyJson = (keywords: Keywords = {}): Schema<Json> => keywords
export const anyObject = <Value extends object = { readonly [name: string]: Json }>(
  keywords: Keywords = {},
): Schema<Value> => ({ type: 'object', ...keywords })

/** A value of JSON that never is another one. */
export const constant = <const Value extends string | number | boolean>(value: Value): Schema<Value> => ({
  type: typeof value === 'number' ? 'integer' : typeof value,
  const: value,
})

export const oneOf = <const Value extends string>(
  values: readonly Value[],
  keywords: Keywords = {},
): Schema<Value> => ({
  type: 'string',
  enum: values,
  ...keywords,
})

export const orNull = <Value>(schema: Schema<Value>, keywords: Keywords = {}): Schema<Value | null> => {
  const { type, ...rest } = schema
  return { type: [type ?? '', 'null'], ...rest, ...keywords }
}

export const listOf = <Value>(items: Schema<Value>, keywords: Keywords = {}): Schema<readonly Value[]> => ({
  type: 'array',
  items,
  ...keywords,
})

export const mapOf = <Value>(
  values: Schema<Value>,
  keywords: Keywords = {},
): Schema<{ readonly [name: string]: Value }> => ({ type: 'object', additionalProperties: values, ...keywords })

type Members = { readonly [name: string]: Schema<unknown> }

type ObjectOf<M extends Members, Optional extends keyof M> = {
  readonly [Name in Exclude<keyof M, Optional>]: ValueOf<M[Name]>
} & { readonly [Name in Optional]?: ValueOf<M[Name]> }

/** An object that has all of these members but the optional ones, and no others. */
export function object<const M extends Members, const Optional extends keyof M & string = never>(
  members: M,
  optional: readonly Optional[] = [],
  keywords: Keywords = {},
): Schema<Simplified<ObjectOf<M, Optional>>> {
  const required = Object.keys(members).filter((name) => !optional.some((other) => other === name))
  return { type: 'object', ...keywords, properties: members, required, additionalProperties: false }
}

/** The same type as one object, as error messages show it. */
type Simplified<T> = { readonly [Name in keyof T]: T[Name] }

/** A reference to a schema by its name among `components.schemas` of the API's description. */
export function refTo<Value>(name: string, _schema?: Schema<Value>): Schema<Value> {
  return { $ref: `#/components/schemas/${name}` }
}

/**
 * JSON without its losses. An integer is a safe `number` or, beyond 2^53, a `bigint`; a number that is not integral is a
 * `number`; `Float` is a number that must keep its point (5.0 is not 5 to a Python reader, and -0.0 is not 0).
 */
export type Json = null | boolean | string | number | bigint | Float | readonly Json[] | JsonObject

/** Names come from files: objects built from input have no prototype, so that `__proto__` is a name like any other. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** A floating-point number that is spelled as one whatever its value. Non-finite values have no JSON spelling. */
export class Float {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** The JSON value of a floating-point number: keeps the point of integral values. */
export function floatJson(value: number): number | Float {
  return Number.isInteger(value) ? new Float(value) : value
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float)
}

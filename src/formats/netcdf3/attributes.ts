import { utf8Text } from '../../bytes/text.ts'
import { scalarFromBytes } from '../../fill-value/from-bytes.ts'
import { integerJson } from '../../fill-value/numbers.ts'
import { floatJson, type Json } from '../../json/json.ts'
import type { DataType, Scalar } from '../../model/data-type.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { Attribute } from './header.ts'

/**
 * An attribute's value: text, one number, or a list of them. Text that is not UTF-8 stays bytes: the format says nothing about
 * its encoding, and `zarr/attributes.ts` guesses it with a diagnostic.
 */
export function attributeValue(attribute: Attribute): AttributeValue {
  if (isText(attribute)) return textOf(attribute.bytes)
  const values = scalarsOf(attribute).map((scalar) => scalarJson(attribute.type.dataType, scalar))
  // An empty list becomes empty text, a list of one its member (JSON-7).
  return values.length > 1 ? values : (values[0] ?? '')
}

/** Whether an attribute is of characters, which are one text together. */
export function isText(attribute: Attribute): boolean {
  return attribute.type.name === 'char'
}

/** The values of an attribute in its own type. */
function scalarsOf({ type, bytes }: Attribute): Scalar[] {
  const scalars: Scalar[] = []
  for (let at = 0; at < bytes.length; at += type.size) {
    const scalar = scalarFromBytes(bytes.subarray(at, at + type.size), type.dataType, 'big')
    if (scalar !== undefined) scalars.push(scalar)
  }
  return scalars
}

function scalarJson(type: DataType, scalar: Scalar): Json {
  if (scalar.kind === 'number') return type.kind === 'float' ? floatJson(scalar.value) : scalar.value
  return scalar.kind === 'bigint' ? integerJson(scalar.value) : null
}

/**
 * NUL characters are left out, wherever they are: users of the netCDF libraries see none (C programs count the final one in,
 * others fill up with them), and some JSON readers refuse them.
 */
function textOf(bytes: Uint8Array): string | Uint8Array {
  const visible = bytes.filter((byte) => byte !== 0)
  return utf8Text(visible) ?? visible
}

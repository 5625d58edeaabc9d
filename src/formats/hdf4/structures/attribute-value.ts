import { anyText, utf8Text } from '../../../bytes/text.ts'
import { scalarFromBytes } from '../../../fill-value/from-bytes.ts'
import { integerJson } from '../../../fill-value/numbers.ts'
import { floatJson, type Json } from '../../../json/json.ts'
import type { DataType, Scalar } from '../../../model/data-type.ts'
import type { AttributeValue } from '../../../model/virtual-store.ts'
import type { NumberType } from './number-type.ts'
import { fieldType, type Vdata } from './vdata.ts'

/** An attribute is a vdata of one field, whose values are its own: one of them, a list, or characters that are one text. */
export function attributeValue(vdata: Vdata, content: Uint8Array): AttributeValue {
  const [field] = vdata.fields
  if (field === undefined) return ''
  return valuesIn(content.subarray(0, vdata.records * vdata.recordBytes), fieldType(field))
}

/** Values of a type as an attribute (JSON-7). */
export function valuesIn(bytes: Uint8Array, type: NumberType): AttributeValue {
  if (type.isText) return textOf(bytes)
  const values: Json[] = []
  for (let at = 0; at + type.size <= bytes.length; at += type.size) {
    const scalar = scalarFromBytes(bytes.subarray(at, at + type.size), type.dataType, type.endian)
    if (scalar !== undefined) values.push(scalarJson(scalar, type.dataType))
  }
  return values.length > 1 ? values : (values[0] ?? '')
}

function scalarJson(scalar: Scalar, type: DataType): Json {
  if (scalar.kind === 'number') return type.kind === 'float' ? floatJson(scalar.value) : scalar.value
  return scalar.kind === 'bigint' ? integerJson(scalar.value) : null
}

/** NULs end and fill texts: nobody means them. Text that is not UTF-8 stays bytes, as it is with other formats. */
export function textOf(bytes: Uint8Array): string | Uint8Array {
  const visible = bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes.slice()
  return utf8Text(visible) ?? visible
}

/** A name that its writer chose. */
export function nameOf(bytes: Uint8Array): string {
  return anyText(bytes)
}

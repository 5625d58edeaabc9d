import type { DataType, Scalar } from '../model/data-type.ts'

/** A data type as messages name it. */
export function typeInWords(type: DataType): string {
  switch (type.kind) {
    case 'bool':
    case 'string':
    case 'bytes':
      return type.kind
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
      return `${type.kind}${type.bits}`
    case 'fixed-text':
      return type.encoding === 'utf-32' ? `text of ${type.length / 4} characters` : `text of ${type.length} bytes`
    case 'opaque':
      return `${type.length} opaque bytes`
    case 'datetime':
    case 'timedelta':
      return `${type.kind} in ${type.scale === 1 ? '' : type.scale}${type.unit}`
    case 'structured':
      return `a record of ${type.fields.length} fields`
  }
}

/** A scalar as messages name it: a foreign one is cut where it gets long. */
export function scalarInWords(scalar: Scalar): string {
  switch (scalar.kind) {
    case 'number':
      return Object.is(scalar.value, -0) ? '-0' : String(scalar.value)
    case 'bigint':
    case 'bool':
      return String(scalar.value)
    case 'complex':
      return `${scalar.value[0]}+${scalar.value[1]}j`
    case 'string':
      return quoted(scalar.value)
    case 'bytes':
      return `bytes 0x${Buffer.from(scalar.value.subarray(0, 16)).toString('hex')}${scalar.value.length > 16 ? '…' : ''}`
  }
}

/** Text of a file in a message: in quotes, escaped, and at most 60 characters of it. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

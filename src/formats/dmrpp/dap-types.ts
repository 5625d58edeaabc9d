import type { DataType } from '../../model/data-type.ts'

const NUMBERS: ReadonlyMap<string, DataType> = new Map<string, DataType>([
  ['Byte', { kind: 'uint', bits: 8 }],
  ['UInt8', { kind: 'uint', bits: 8 }],
  ['Char', { kind: 'uint', bits: 8 }],
  ['Int8', { kind: 'int', bits: 8 }],
  ['Int16', { kind: 'int', bits: 16 }],
  ['UInt16', { kind: 'uint', bits: 16 }],
  ['Int32', { kind: 'int', bits: 32 }],
  ['UInt32', { kind: 'uint', bits: 32 }],
  ['Int64', { kind: 'int', bits: 64 }],
  ['UInt64', { kind: 'uint', bits: 64 }],
  ['Float32', { kind: 'float', bits: 32 }],
  ['Float64', { kind: 'float', bits: 64 }],
])
const TEXTS: ReadonlySet<string> = new Set(['String', 'URL', 'URI', 'Url'])

/** The data type of a DAP4 number; undefined for any other type. */
export function numberType(name: string): DataType | undefined {
  return NUMBERS.get(name)
}

export function isText(type: string): boolean {
  return TEXTS.has(type)
}

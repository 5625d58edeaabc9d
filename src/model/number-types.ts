import type { DataType } from './data-type.ts'

/** Number types by the names that Zarr v3 and NumPy share. */
export const NUMBER_TYPES: ReadonlyMap<string, DataType> = new Map([
  ['bool', { kind: 'bool' }],
  ['int8', { kind: 'int', bits: 8 }],
  ['int16', { kind: 'int', bits: 16 }],
  ['int32', { kind: 'int', bits: 32 }],
  ['int64', { kind: 'int', bits: 64 }],
  ['uint8', { kind: 'uint', bits: 8 }],
  ['uint16', { kind: 'uint', bits: 16 }],
  ['uint32', { kind: 'uint', bits: 32 }],
  ['uint64', { kind: 'uint', bits: 64 }],
  ['float16', { kind: 'float', bits: 16 }],
  ['float32', { kind: 'float', bits: 32 }],
  ['float64', { kind: 'float', bits: 64 }],
])

import { elementCount } from './shape.ts'

/** The type of an array's elements. Byte order is not part of it: that is a property of how chunks are stored (DM-10). */
export type DataType =
  | { readonly kind: 'bool' }
  | { readonly kind: 'int'; readonly bits: 8 | 16 | 32 | 64 }
  | { readonly kind: 'uint'; readonly bits: 8 | 16 | 32 | 64 }
  | { readonly kind: 'float'; readonly bits: 16 | 32 | 64 }
  | { readonly kind: 'complex'; readonly bits: 64 | 128 }
  /** Text of any length. */
  | { readonly kind: 'string' }
  /** Byte strings of any length. */
  | { readonly kind: 'bytes' }
  /**
   * `length` bytes of text: UTF-32, or bytes padded with NUL (Zarr's `null_terminated_bytes`). `padding` is there where the source
   * ends shorter text in another way: at the first NUL, whatever follows, or by blanks (HDF5).
   */
  | {
      readonly kind: 'fixed-text'
      readonly encoding: 'utf-32' | 'bytes'
      readonly length: number
      readonly padding?: 'terminated' | 'space'
    }
  /** `length` bytes that mean nothing to us (opaque). */
  | { readonly kind: 'opaque'; readonly length: number }
  | { readonly kind: 'datetime' | 'timedelta'; readonly unit: string; readonly scale: number }
  | { readonly kind: 'structured'; readonly fields: readonly StructField[] }

/** Fields of a structured type are packed: each begins where the one before it ends. */
export interface StructField {
  readonly name: string
  readonly type: DataType
  /** Lengths of a field that is itself an array. */
  readonly shape?: readonly number[]
}

export type IntegerType = Extract<DataType, { readonly kind: 'int' | 'uint' }>

/** The smallest and largest value of an integer type. */
export function integerRange({ kind, bits }: IntegerType): readonly [least: bigint, most: bigint] {
  if (kind === 'uint') return [0n, 2n ** BigInt(bits) - 1n]
  const half = 2n ** BigInt(bits - 1)
  return [-half, half - 1n]
}

/** One value of a data type; it carries its kind, so that it cannot be written under the wrong type. */
export type Scalar =
  /** int and uint up to 32 bits, float (the value widened to a double). */
  | { readonly kind: 'number'; readonly value: number }
  /** int64, uint64, datetime, timedelta. */
  | { readonly kind: 'bigint'; readonly value: bigint }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'complex'; readonly value: readonly [number, number] }
  /** string and fixed text in UTF-32. */
  | { readonly kind: 'string'; readonly value: string }
  /** bytes, fixed text in bytes (without padding), opaque, structured (packed, little-endian). */
  | { readonly kind: 'bytes'; readonly value: Uint8Array }

/** Bytes an element takes; undefined for types of varying length. */
export function itemSize(type: DataType): number | undefined {
  switch (type.kind) {
    case 'bool':
      return 1
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
      return type.bits / 8
    case 'string':
    case 'bytes':
      return undefined
    case 'fixed-text':
    case 'opaque':
      return type.length
    case 'datetime':
    case 'timedelta':
      return 8
    case 'structured':
      return structSize(type.fields)
  }
}

function structSize(fields: readonly StructField[]): number | undefined {
  let total = 0
  for (const field of fields) {
    const size = itemSize(field.type)
    if (size === undefined) return undefined
    total += size * elementCount(field.shape ?? [])
  }
  return total
}

/** The zero of a type: what FV-3 takes when a source defines no storage fill. */
export function zeroOf(type: DataType): Scalar {
  switch (type.kind) {
    case 'bool':
      return { kind: 'bool', value: false }
    case 'int':
    case 'uint':
      return type.bits === 64 ? { kind: 'bigint', value: 0n } : { kind: 'number', value: 0 }
    case 'float':
      return { kind: 'number', value: 0 }
    case 'complex':
      return { kind: 'complex', value: [0, 0] }
    case 'string':
      return { kind: 'string', value: '' }
    case 'fixed-text':
      return type.encoding === 'utf-32' ? { kind: 'string', value: '' } : { kind: 'bytes', value: new Uint8Array(0) }
    case 'bytes':
      return { kind: 'bytes', value: new Uint8Array(0) }
    case 'opaque':
      return { kind: 'bytes', value: new Uint8Array(type.length) }
    case 'datetime':
    case 'timedelta':
      return { kind: 'bigint', value: NOT_A_TIME }
    case 'structured':
      return { kind: 'bytes', value: new Uint8Array(structSize(type.fields) ?? 0) }
  }
}

/** Whether elements are numbers, truth values included: what CF attributes describe. */
export function isNumeric(type: DataType): boolean {
  return (
    type.kind === 'bool' ||
    type.kind === 'int' ||
    type.kind === 'uint' ||
    type.kind === 'float' ||
    type.kind === 'complex'
  )
}

/** The count that means "not a time" in datetime and timedelta. */
export const NOT_A_TIME = -(2n ** 63n)

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

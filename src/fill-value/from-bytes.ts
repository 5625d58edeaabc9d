import type { Endian } from '../bytes/cursor.ts'
import { utf8Text } from '../bytes/text.ts'
import { type DataType, itemSize, type Scalar } from '../model/data-type.ts'
import { elementCount } from '../model/shape.ts'
import { fromUtf32, withoutPadding } from './fixed-text.ts'

/** Reads one element as a file stores it; undefined when the length is not the type's or the bytes are no value of it. */
export function scalarFromBytes(bytes: Uint8Array, type: DataType, endian: Endian): Scalar | undefined {
  const size = itemSize(type)
  if (size !== undefined && bytes.length !== size) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const little = endian === 'little'
  switch (type.kind) {
    case 'bool':
      return { kind: 'bool', value: view.getUint8(0) !== 0 }
    case 'int':
      return type.bits === 64 ? big(view.getBigInt64(0, little)) : number(readInt(view, type.bits, little))
    case 'uint':
      return type.bits === 64 ? big(view.getBigUint64(0, little)) : number(readUint(view, type.bits, little))
    case 'float':
      return number(readFloat(view, 0, type.bits, little))
    case 'complex':
      return type.bits === 64
        ? { kind: 'complex', value: [view.getFloat32(0, little), view.getFloat32(4, little)] }
        : { kind: 'complex', value: [view.getFloat64(0, little), view.getFloat64(8, little)] }
    case 'datetime':
    case 'timedelta':
      return big(view.getBigInt64(0, little))
    case 'string':
      return text(utf8Text(bytes))
    case 'bytes':
    case 'opaque':
      return { kind: 'bytes', value: bytes.slice() }
    case 'fixed-text':
      return type.encoding === 'utf-32'
        ? text(fromUtf32(bytes, endian))
        : { kind: 'bytes', value: withoutPadding(bytes) }
    case 'structured':
      return { kind: 'bytes', value: little ? bytes.slice() : swapped(bytes, type) }
  }
}

function readFloat(view: DataView, at: number, bits: 16 | 32 | 64, little: boolean): number {
  if (bits === 64) return view.getFloat64(at, little)
  return bits === 32 ? view.getFloat32(at, little) : view.getFloat16(at, little)
}

function readInt(view: DataView, bits: 8 | 16 | 32, little: boolean): number {
  if (bits === 8) return view.getInt8(0)
  return bits === 16 ? view.getInt16(0, little) : view.getInt32(0, little)
}

function readUint(view: DataView, bits: 8 | 16 | 32, little: boolean): number {
  if (bits === 8) return view.getUint8(0)
  return bits === 16 ? view.getUint16(0, little) : view.getUint32(0, little)
}

/** One big-endian element as a little-endian one: numbers are reversed, records field by field. */
function swapped(bytes: Uint8Array, type: DataType): Uint8Array {
  const copy = bytes.slice()
  const unit = swapUnit(type)
  if (type.kind === 'structured') {
    let at = 0
    for (const { type: fieldType, shape } of type.fields) {
      const size = itemSize(fieldType) ?? 0
      const count = elementCount(shape ?? [])
      for (let i = 0; i < count; i++, at += size) copy.set(swapped(bytes.subarray(at, at + size), fieldType), at)
    }
  } else if (unit > 1) {
    for (let at = 0; at + unit <= copy.length; at += unit) copy.subarray(at, at + unit).reverse()
  }
  return copy
}

/** Bytes that byte order moves together. */
function swapUnit(type: DataType): number {
  if (type.kind === 'complex') return type.bits / 16
  if (type.kind === 'fixed-text') return type.encoding === 'utf-32' ? 4 : 1
  return type.kind === 'opaque' || type.kind === 'structured' ? 1 : (itemSize(type) ?? 1)
}

function number(value: number): Scalar {
  return { kind: 'number', value }
}

function big(value: bigint): Scalar {
  return { kind: 'bigint', value }
}

function text(value: string | undefined): Scalar | undefined {
  return value === undefined ? undefined : { kind: 'string', value }
}

import { unsupported } from '../errors.ts'
import { type DataType, itemSize } from '../model/data-type.ts'
import { chunkMemory } from './kernels/chunk-memory.ts'

/** Numbers of one type, as the machine holds them (every machine that Node runs on is little-endian). */
export type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float16Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array

/** Packed little-endian bytes seen as numbers; copies only when they are not aligned. */
export function numbersOf(bytes: Uint8Array, type: DataType): Numbers {
  const size = itemSize(type) ?? 1
  const aligned = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes)
  const place = [aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / size)] as const
  switch (type.kind) {
    case 'bool':
      return new Uint8Array(...place)
    case 'datetime':
    case 'timedelta':
      return new BigInt64Array(...place)
    case 'int':
      if (type.bits === 8) return new Int8Array(...place)
      if (type.bits === 16) return new Int16Array(...place)
      return type.bits === 32 ? new Int32Array(...place) : new BigInt64Array(...place)
    case 'uint':
      if (type.bits === 8) return new Uint8Array(...place)
      if (type.bits === 16) return new Uint16Array(...place)
      return type.bits === 32 ? new Uint32Array(...place) : new BigUint64Array(...place)
    case 'float':
      if (type.bits === 16) return new Float16Array(...place)
      return type.bits === 32 ? new Float32Array(...place) : new Float64Array(...place)
    case 'complex':
    case 'string':
    case 'bytes':
    case 'fixed-text':
    case 'opaque':
    case 'structured':
      throw unsupported(
        `arithmetic on ${type.kind}`,
        `a codec that computes with numbers is applied to ${type.kind} values`,
      )
  }
}

/** As many zeros. */
export function zeroNumbers(count: number, type: DataType): Numbers {
  return numbersOf(chunkMemory.zeros(count * (itemSize(type) ?? 1)), type)
}

/** The bytes of numbers. */
export function bytesOf(numbers: Numbers): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** Fills `target` from a function; integers wrap around and fractions are cut off, as C and numpy do. */
export function mapInto(target: Numbers, value: (index: number) => number | bigint): Numbers {
  if (target instanceof BigInt64Array || target instanceof BigUint64Array) {
    for (let i = 0; i < target.length; i++) target[i] = bigIntegerOf(value(i))
  } else {
    for (let i = 0; i < target.length; i++) target[i] = Number(value(i))
  }
  return target
}

function bigIntegerOf(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : -(2n ** 63n)
}

/** Values in another number type (C casts). */
export function castNumbers(bytes: Uint8Array, from: DataType, to: DataType): Uint8Array {
  const source = numbersOf(bytes, from)
  const target = zeroNumbers(source.length, to)
  const isBool = to.kind === 'bool'
  return bytesOf(mapInto(target, (i) => (isBool ? Number(Number(source[i]) !== 0) : (source[i] ?? 0))))
}

/** How one operation rounds in a floating-point type (numpy computes float16 by way of float32). */
export function rounding(type: DataType): (value: number) => number {
  if (type.kind !== 'float' || type.bits === 64) return (value) => value
  return type.bits === 32 ? Math.fround : (value) => Math.f16round(Math.fround(value))
}

/** Numbers that are no `number`s. */
export function isLong(numbers: Numbers): numbers is BigInt64Array | BigUint64Array {
  return numbers instanceof BigInt64Array || numbers instanceof BigUint64Array
}

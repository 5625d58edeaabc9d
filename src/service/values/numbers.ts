import type { DataType } from '../../model/data-type.ts'

/** Numbers of one type, as they lie in memory. */
export type Numbers =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float16Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array

type View = new (buffer: ArrayBufferLike, offset: number, length: number) => Numbers

const VIEWS: Readonly<Record<string, View>> = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Float16Array,
  float32: Float32Array,
  float64: Float64Array,
  datetime: BigInt64Array,
  timedelta: BigInt64Array,
}

const WIDEST = 8

/** Decoded elements as numbers; undefined for types that are no numbers. */
export function numbersOf(bytes: Uint8Array, type: DataType): Numbers | undefined {
  const hasBits = type.kind === 'int' || type.kind === 'uint' || type.kind === 'float'
  const view = VIEWS[hasBits ? `${type.kind}${type.bits}` : type.kind]
  if (view === undefined) return undefined
  const { buffer, byteOffset, length } = bytes.byteOffset % WIDEST === 0 ? bytes : bytes.slice()
  const itemBytes = hasBits ? type.bits / 8 : type.kind === 'bool' ? 1 : WIDEST
  return new view(buffer, byteOffset, length / itemBytes)
}

/** Numbers that JSON texts spell, as numbers of a type: one of the other sign is that of the same bits. */
export function numbersNamed(texts: Iterable<string>, type: DataType): ReadonlySet<number | bigint> {
  const found = new Set<number | bigint>()
  for (const text of texts) {
    const plain = text.replaceAll('"', '')
    if (plain === 'true' || plain === 'false') found.add(plain === 'true' ? 1 : 0)
    else if (type.kind === 'float') found.add(Number(plain))
    else if (/^-?\d+$/.test(plain)) found.add(wrapped(BigInt(plain), type))
  }
  return found
}

function wrapped(value: bigint, type: DataType): number | bigint {
  if (type.kind !== 'int' && type.kind !== 'uint') return value
  const same = type.kind === 'int' ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value)
  return type.bits === 64 ? same : Number(same)
}

import { type Numbers, numbersOf } from '../../codecs/numbers.ts'
import type { DataType } from '../../model/data-type.ts'

/** Types whose values are one number each. */
const ORDERED: readonly DataType['kind'][] = ['bool', 'int', 'uint', 'float', 'datetime', 'timedelta']

/** Decoded elements as numbers; undefined for types whose values have no order. */
export function orderedNumbers(bytes: Uint8Array, type: DataType): Numbers | undefined {
  return ORDERED.includes(type.kind) ? numbersOf(bytes, type) : undefined
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

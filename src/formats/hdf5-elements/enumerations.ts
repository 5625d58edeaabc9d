import type { AttributeValue } from '../../model/virtual-store.ts'

/** FALSE and TRUE as 0 and 1: what h5py and its relatives write for booleans, in one byte. */
export function isBooleanEnum(names: readonly string[], values: ArrayLike<number | bigint>, size: number): boolean {
  const at = (name: string) => Number(values[names.indexOf(name)] ?? -1)
  return size === 1 && names.length === 2 && at('FALSE') === 0 && at('TRUE') === 1
}

/** What CF says of an enumeration. */
export function flagAttributes(
  names: readonly string[],
  values: readonly AttributeValue[],
): readonly (readonly [string, AttributeValue])[] {
  // Blanks separate the words of this attribute.
  const meanings = names.map((name) => name.replace(/\s+/g, '_')).join(' ')
  return [
    ['flag_values', values],
    ['flag_meanings', meanings],
  ]
}

import type { Datatype } from '../messages/datatype.ts'

/** An enum of one byte with the names FALSE and TRUE: what h5py and its relatives write for booleans. */
export function isBooleanEnum(type: Datatype): boolean {
  if (type.class !== 'enum' || type.size !== 1 || type.names.length !== 2) return false
  return valueOfName(type, 'FALSE') === 0 && valueOfName(type, 'TRUE') === 1
}

function valueOfName(type: Extract<Datatype, { class: 'enum' }>, name: string): number | undefined {
  const index = type.names.indexOf(name)
  return index < 0 ? undefined : type.values[index]
}

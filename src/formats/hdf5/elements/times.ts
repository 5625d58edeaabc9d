// The class time: H5T_UNIX_D32 and H5T_UNIX_D64 are the only types of it that the library has.
import { unsupported } from '../../../errors.ts'
import type { AttributeValue } from '../../../model/virtual-store.ts'
import type { Datatype } from '../messages/datatype.ts'
import type { Attribute } from '../objects.ts'

/** Times of 64 bits: seconds; but PyTables puts seconds into their upper half and microseconds into the lower one. */
export function isWideTime(type: Datatype): boolean {
  return type.class === 'integer' && type.isTime === true && type.size > 4
}

/** PyTables marks its files, and what is in them. */
export function isPytables(rootAttributes: readonly Attribute[]): boolean {
  return rootAttributes.some(({ name }) => name === 'PYTABLES_FORMAT_VERSION')
}

/** Throws for times whose bits are not what their type says. */
export function checkTimes(type: Datatype, isPytablesFile: boolean): void {
  if (isPytablesFile && isWideTime(type))
    throw unsupported('PyTables time', "PyTables' times of 64 bits, which are no integers")
}

/** CF's words for what the type means, where the file has none of its own. */
export function timeAttributes(type: Datatype, attributes: ReadonlyMap<string, AttributeValue>): [string, string][] {
  const isTime = type.class === 'integer' && type.isTime === true
  return isTime && !attributes.has('units') ? [['units', 'seconds since 1970-01-01']] : []
}

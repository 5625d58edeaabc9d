// HDF5 File Format Specification, section IV.A.2.d "Class 7: Reference"; revised references as H5T__ref_disk_write encodes them.

import type { Datatype } from '../messages/datatype.ts'
import type { GlobalHeaps } from '../structures/global-heap.ts'
import { cursorOver, type Hdf5File } from '../structures/hdf5-file.ts'

const OBJECT = 0
const REVISED_OBJECT = 2

/** Whether references are to whole objects. */
export function isObjectReference({ referenceType }: Extract<Datatype, { class: 'reference' }>): boolean {
  return referenceType === OBJECT || referenceType === REVISED_OBJECT
}

/** The address of the object that a reference names; undefined for null references and those to regions and attributes. */
export async function referenceAddress(
  bytes: Uint8Array,
  type: Extract<Datatype, { class: 'reference' }>,
  { file, heaps }: { readonly file: Hdf5File; readonly heaps: GlobalHeaps },
): Promise<number | undefined> {
  const cursor = cursorOver(file, { bytes, offset: 0 })
  if (type.referenceType === OBJECT) {
    const address = cursor.address()
    return address === 0 ? undefined : address
  }
  if (type.referenceType !== REVISED_OBJECT || cursor.u8() !== REVISED_OBJECT) return undefined
  cursor.skip(1)
  const length = cursor.u32()
  // The token is here, or in the global heap.
  if (length === 0) return undefined
  const heap = cursor.address()
  const index = cursor.u32()
  if (heap === undefined || index === 0) return undefined
  const token = cursorOver(file, { bytes: await heaps.object(heap, index), offset: file.base + heap })
  const size = token.u8()
  return size === file.offsetSize ? token.address() : undefined
}

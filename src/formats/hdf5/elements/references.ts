// HDF5 File Format Specification, section IV.A.2.d "Class 7: Reference"; revised references as H5T__ref_disk_write encodes them.

import { inlineTexts } from '../../../codecs/own/inline-texts.ts'
import { type ErrorContext, unsupported } from '../../../errors.ts'
import { elementCount } from '../../../model/shape.ts'
import type { Attributes, VirtualArray } from '../../../model/virtual-store.ts'
import type { Datatype } from '../messages/datatype.ts'
import type { FileCursor } from '../structures/file-cursor.ts'
import type { GlobalHeaps } from '../structures/global-heap.ts'
import { cursorOver, type Hdf5File } from '../structures/hdf5-file.ts'
import type { Hdf5World, NamedDataset } from '../world.ts'
import { readWhole, storedValues } from './whole-values.ts'

const OBJECT = 0
const REVISED_OBJECT = 2

/** Whether references are to whole objects. */
function isObjectReference({ referenceType }: Extract<Datatype, { class: 'reference' }>): boolean {
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
  const isExternal = (cursor.u8() & 1) !== 0
  if (isExternal) return undefined
  // The token lies in the global heap; in sequences, whose elements are as long as references in memory, it is here.
  const isInHeap = type.size === HEADER_BYTES + 4 + file.offsetSize + 4
  if (!isInHeap) return tokenAddress(cursor, file)
  const length = cursor.u32()
  if (length === 0) return undefined
  const heap = cursor.address()
  const index = cursor.u32()
  if (heap === undefined || index === 0) return undefined
  return tokenAddress(cursorOver(file, { bytes: await heaps.object(heap, index), offset: file.base + heap }), file)
}

/** Of a reference, what it refers to and flags. */
const HEADER_BYTES = 2

function tokenAddress(token: FileCursor, file: Hdf5File): number | undefined {
  const size = token.u8()
  return size === file.offsetSize ? token.address() : undefined
}

type Reference = Extract<Datatype, { class: 'reference' }>

interface ReferenceInput {
  readonly named: NamedDataset
  readonly type: Reference
  readonly attributes: Attributes
  readonly place: ErrorContext
}

/** They are read when the file is opened: what they are is the paths of its objects. */
const MOST_REFERENCES = 65_536

/** References to objects as their paths in the file (cells of MATLAB's files are such); empty text for null references. */
export async function pathArray(input: ReferenceInput, world: Hdf5World): Promise<VirtualArray> {
  const { named, type, attributes, place } = input
  if (!isObjectReference(type))
    throw unsupported('HDF5 reference', 'references to parts of objects mean nothing outside of their file')
  const { file } = world
  const stored = storedValues(named, MOST_REFERENCES, world, place)
  const bytes = await readWhole(stored, file)
  const paths: string[] = []
  for (let i = 0; i < elementCount(stored.shape); i++) {
    const address = await referenceAddress(bytes.subarray(i * type.size, (i + 1) * type.size), type, world)
    const path = address === undefined ? '' : (world.pathOf(address) ?? '')
    file.budget.spend(32 + 4 * path.length)
    paths.push(path)
  }
  return { ...inlineTexts(paths, stored.shape), attributes, dimensionNames: world.dimensions.namesOf(named) }
}

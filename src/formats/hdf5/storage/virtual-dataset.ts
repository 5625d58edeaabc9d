// HDF5 File Format Specification, section III.E "Global Heap Block for Virtual Datasets".
import { anyText } from '../../../bytes/text.ts'
import { unsupported } from '../../../errors.ts'
import type { PlacedArray } from '../../../model/composed-array.ts'
import type { DataType } from '../../../model/data-type.ts'
import type { VirtualArray } from '../../../model/virtual-store.ts'
import { parseSelection, type Selection } from '../elements/selection.ts'
import { type StoredText, storedText } from '../messages/link.ts'
import type { FileCursor } from '../structures/file-cursor.ts'
import { cursorOver, verifyChecksum } from '../structures/hdf5-file.ts'
import type { Hdf5World, ValueWorld } from '../world.ts'
import { memberAt } from './external-links.ts'
import { inSource } from './in-source.ts'
import { placedParts } from './virtual-placement.ts'

/** Where a part of a virtual dataset comes from. */
interface Mapping {
  readonly file: string
  readonly dataset: StoredText
  readonly from: Selection
  readonly to: Selection
}

const MOST_MAPPINGS = 4096
/** The virtual dataset's own file. */
const SAME_FILE = '.'

/** What a virtual dataset is put together from. */
export interface VirtualInput {
  readonly heapAddress: number | undefined
  readonly heapIndex: number
  readonly shape: readonly number[]
  readonly dataType: DataType
  isUnlimited(axis: number): boolean
}

/** A virtual dataset put together: as long as its sources along unlimited dimensions. */
export interface VirtualArrayParts {
  readonly shape: readonly number[]
  readonly parts: readonly PlacedArray[]
  /** Undefined where none of its sources is there. */
  readonly chunkShape: readonly number[] | undefined
}

/** The sources of a virtual dataset, each where it is seen. */
export async function virtualParts(input: VirtualInput, world: Hdf5World): Promise<VirtualArrayParts> {
  const mappings = await readMappings(input, world)
  const parts: PlacedArray[] = []
  let chunkShape: readonly number[] | undefined
  for (const mapping of mappings) {
    const array = await sourceArray(mapping, world)
    if (array === undefined) continue
    if (JSON.stringify(array.dataType) !== JSON.stringify(input.dataType)) {
      throw unsupported('HDF5 virtual dataset', `${mapping.dataset.text} of ${mapping.file} has another type`)
    }
    const placement = placedParts(array, mapping.from, mapping.to, input)
    chunkShape ??= placement.chunkShape
    parts.push(...placement.parts)
    if (parts.length > MOST_MAPPINGS)
      throw unsupported('HDF5 virtual dataset', `more than ${MOST_MAPPINGS} virtual sources`)
  }
  const shape = input.shape.map((length, axis) => {
    if (!input.isUnlimited(axis)) return length
    return parts.reduce(
      (most, { array, origin }) => Math.max(most, (origin[axis] ?? 0) + (array.shape[axis] ?? 0)),
      length,
    )
  })
  return { shape, parts, chunkShape }
}

async function readMappings(input: VirtualInput, { file, heaps }: ValueWorld): Promise<readonly Mapping[]> {
  const { heapAddress, heapIndex } = input
  if (heapAddress === undefined) return []
  const bytes = await heaps.object(heapAddress, heapIndex)
  const offset = file.base + heapAddress
  const cursor = cursorOver(file, { bytes, offset })
  const version = cursor.oneOf('version of a list of virtual sources', [0, 1])
  verifyChecksum(bytes, 'a list of virtual sources', offset)
  const count = cursor.length()
  if (count > MOST_MAPPINGS)
    throw unsupported('HDF5 virtual dataset', `${count} virtual sources, at most ${MOST_MAPPINGS}`)
  const mappings: Mapping[] = []
  for (let i = 0; i < count; i++) {
    const names = version === 0 ? parseNames(cursor) : parseSharedNames(cursor, mappings)
    mappings.push({ ...names, from: parseSelection(cursor), to: parseSelection(cursor) })
  }
  return mappings
}

type Names = Pick<Mapping, 'file' | 'dataset'>

function parseNames(cursor: FileCursor): Names {
  const file = anyText(cursor.terminated())
  return { file, dataset: storedText(cursor.terminated()) }
}

/** Version 1, of HDF5 2.0: a name that was there before is the number of the entry that has it. */
function parseSharedNames(cursor: FileCursor, before: readonly Mapping[]): Names {
  const flags = cursor.u8()
  const earlier = (): Mapping => {
    const index = cursor.length()
    const mapping = before[index]
    if (mapping === undefined) throw cursor.fail(`a name shared with virtual source ${index}, which is not before it`)
    return mapping
  }
  const ownFile = (flags & SHARED_FILE) === 0 ? () => anyText(cursor.terminated()) : () => earlier().file
  const file = (flags & IN_SAME_FILE) === 0 ? ownFile() : SAME_FILE
  return { file, dataset: (flags & SHARED_DATASET) === 0 ? storedText(cursor.terminated()) : earlier().dataset }
}

const SHARED_FILE = 1
const SHARED_DATASET = 2
const IN_SAME_FILE = 4

/** Undefined for a source that is not there: the library shows the fill value in its place. */
async function sourceArray(mapping: Mapping, world: Hdf5World): Promise<VirtualArray | undefined> {
  const { file, dataset } = mapping
  // The library fills in numbers here, for as many files as it finds.
  if (/%\d*b/.test(file + dataset.text))
    throw unsupported('HDF5 virtual dataset', `a pattern of sources: ${file} ${dataset.text}`)
  if (file === SAME_FILE) {
    const member = await world.sameFile(dataset)
    if (member?.kind === 'array') return member
    throw unsupported(
      'HDF5 virtual dataset',
      `its source ${dataset.text} is no array of this file that could be served`,
    )
  }
  const other = await world.others.parsedIfPresent(file)
  const member = other === undefined ? undefined : memberAt(other.root, dataset.text)
  if (other === undefined || member === undefined) {
    const what = other === undefined ? JSON.stringify(file) : `${dataset.text} in ${JSON.stringify(file)}`
    const message = `${what}, a source of virtual datasets, is not there: its part reads as the fill value`
    world.context.warn({ code: 'virtual-source-absent', message })
    return undefined
  }
  if (member?.kind !== 'array')
    throw unsupported('HDF5 virtual dataset', `its source ${dataset.text} is no array of ${file}`)
  return inSource(member, other.reference)
}

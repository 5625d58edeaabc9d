// HDF5 File Format Specification, section III.E "Global Heap Block for Virtual Datasets".
import { malformed, unsupported } from '../../errors.ts'
import type { ChunkIndex } from '../../model/chunk-index.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import type { DataType } from '../../model/data-type.ts'
import type { Member, StoredPart, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import type { ValueWorld } from './attribute-value.ts'
import { cursorOver, verifyChecksum } from './hdf5-file.ts'
import { linkText } from './messages/link.ts'
import type { OtherFiles } from './other-files.ts'
import { parseSelection, type Selection } from './selection.ts'

/** Where a part of a virtual dataset comes from. */
interface Mapping {
  readonly file: string
  readonly dataset: string
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
}

/** The world of a file in which virtual datasets are resolved. */
export interface VirtualWorld {
  readonly values: ValueWorld
  readonly others: OtherFiles
  /** A dataset of the same file; undefined where there is none, or a virtual one. */
  sameFile(path: string): Promise<Member | undefined>
}

/** The sources of a virtual dataset, each where it is seen; sources of which only a part is seen are not served. */
export async function virtualParts(input: VirtualInput, world: VirtualWorld): Promise<readonly StoredPart[]> {
  const mappings = await readMappings(input, world.values)
  const parts: StoredPart[] = []
  for (const mapping of mappings) {
    const array = await sourceArray(mapping, world)
    if (JSON.stringify(array.dataType) !== JSON.stringify(input.dataType)) {
      throw unsupported('HDF5 virtual dataset', `${mapping.dataset} of ${mapping.file} has another type`)
    }
    parts.push(placed(array, mapping, input.shape))
  }
  return parts
}

async function readMappings(input: VirtualInput, { file, heaps }: ValueWorld): Promise<readonly Mapping[]> {
  const { heapAddress, heapIndex } = input
  if (heapAddress === undefined) return []
  const bytes = await heaps.object(heapAddress, heapIndex)
  const offset = file.base + heapAddress
  const cursor = cursorOver(file, { bytes, offset })
  const version = cursor.u8()
  if (version !== 0) throw unsupported('HDF5 virtual dataset', `a list of virtual sources of version ${version}`)
  verifyChecksum(bytes, 'a list of virtual sources', offset)
  const count = cursor.length()
  if (count > MOST_MAPPINGS)
    throw unsupported('HDF5 virtual dataset', `${count} virtual sources, at most ${MOST_MAPPINGS}`)
  const mappings: Mapping[] = []
  for (let i = 0; i < count; i++) {
    const name = linkText(cursor.terminated())
    const dataset = linkText(cursor.terminated())
    const from = parseSelection(cursor)
    if (from.kind === 'scattered') throw scattered()
    const to = parseSelection(cursor)
    if (to.kind === 'scattered') throw scattered()
    mappings.push({ file: name, dataset, from, to })
  }
  return mappings
}

function scattered(): Error {
  return unsupported('HDF5 virtual dataset', 'virtual sources that are not whole boxes')
}

async function sourceArray(mapping: Mapping, world: VirtualWorld): Promise<VirtualArray> {
  const { file, dataset } = mapping
  // The library fills in numbers here, for as many files as it finds.
  if (/%\d*b/.test(file + dataset))
    throw unsupported('HDF5 virtual dataset', `a pattern of sources: ${file} ${dataset}`)
  if (file === SAME_FILE) {
    const member = await world.sameFile(dataset)
    if (member?.kind === 'array') return member
    throw unsupported('HDF5 virtual dataset', `its source ${dataset} is no array of this file that could be served`)
  }
  const { root, reference } = await world.others.parsed(file)
  const member = find(root, dataset)
  if (member?.kind !== 'array')
    throw unsupported('HDF5 virtual dataset', `its source ${dataset} is no array of ${file}`)
  return inSource(member, reference)
}

function find(root: VirtualGroup, path: string): Member | undefined {
  let member: Member | undefined = root
  for (const name of path.split('/').filter((part) => part !== '')) {
    member = member?.kind === 'group' ? member.members.get(name) : undefined
  }
  return member
}

/** The array as its own file gives it, with references that say which file that is. */
function inSource(array: VirtualArray, reference: number): VirtualArray {
  const { chunks } = array
  const moved = (ref: ChunkRef): ChunkRef => ('source' in ref ? { ...ref, source: reference } : ref)
  return withChunks(array, {
    ...chunks,
    at: (coords, signal) => {
      const ref = chunks.at(coords, signal)
      return ref instanceof Promise ? ref.then(moved) : moved(ref)
    },
  })
}

function withChunks(array: VirtualArray, chunks: ChunkIndex): VirtualArray {
  return { ...array, chunks }
}

function placed(array: VirtualArray, { from, to }: Mapping, shape: readonly number[]): StoredPart {
  if (array.stored !== undefined) throw unsupported('HDF5 virtual dataset', 'a virtual source that is virtual itself')
  if (!isWhole(from, array.shape)) throw unsupported('HDF5 virtual dataset', 'only a part of a virtual source is used')
  if (to.kind !== 'box') return { array: reshaped(array, shape), origin: shape.map(() => 0) }
  const extent = to.extent.map((length, axis) => length ?? (shape[axis] ?? 0) - (to.start[axis] ?? 0))
  if (to.start.length !== shape.length) throw malformed('a virtual selection of another rank than its dataset')
  return { array: reshaped(array, extent), origin: to.start }
}

function isWhole(selection: Selection, shape: readonly number[]): boolean {
  if (selection.kind !== 'box') return selection.kind === 'all'
  return shape.every((length, axis) => selection.start[axis] === 0 && (selection.extent[axis] ?? length) >= length)
}

/** A source of fewer dimensions, with dimensions of length 1 where the virtual dataset has them. */
function reshaped(array: VirtualArray, extent: readonly number[]): VirtualArray {
  if (array.shape.length === extent.length) {
    // An unlimited selection may reach further than its source does now.
    if (array.shape.every((length, axis) => length <= (extent[axis] ?? 0))) return array
    throw unsupported('HDF5 virtual dataset', `a source of shape [${array.shape}] seen as [${extent}]`)
  }
  const axes: (number | undefined)[] = []
  let next = 0
  for (const length of extent) axes.push(next < array.shape.length && array.shape[next] === length ? next++ : undefined)
  const fits = next === array.shape.length && axes.every((axis, i) => axis !== undefined || extent[i] === 1)
  if (!fits) throw unsupported('HDF5 virtual dataset', `a source of shape [${array.shape}] seen as [${extent}]`)
  const spread = (lengths: readonly number[]) => axes.map((axis) => (axis === undefined ? 1 : (lengths[axis] ?? 1)))
  const kept = axes.flatMap((axis, i) => (axis === undefined ? [] : [i]))
  return {
    ...array,
    shape: spread(array.shape),
    chunkShape: spread(array.chunkShape),
    dimensionNames: undefined,
    chunks: {
      ...array.chunks,
      gridShape: spread(array.chunks.gridShape),
      at: (coords, signal) =>
        array.chunks.at(
          kept.map((axis) => coords[axis] ?? 0),
          signal,
        ),
    },
  }
}

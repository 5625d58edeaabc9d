import { fileURLToPath } from 'node:url'
import type { Dataset, Group, Metadata } from 'h5wasm/node'
import { ORIGINAL_NAME } from '../../model/original-name.ts'
import type { Box } from '../../model/virtual-store.ts'
import { faultOfH5wasm } from './h5wasm-faults.ts'
import { FLOAT, INTEGER, isKnown, TEXT, typeOf } from './hdf5-types.ts'
import { withVersion } from './package-version.ts'
import type { Found, IndependentReader, ReaderFile, Values, Wanted } from './reader.ts'

/** The HDF5 library itself, in WebAssembly, with the usual filters. In Node it reads files where they lie, those of the filters too. */
export async function hdf5Reader(): Promise<IndependentReader> {
  const { default: h5wasm } = await import('h5wasm/node')
  const module = await h5wasm.ready
  // It would tell the terminal of all that fails.
  module.activate_throwing_error_handler()
  module.insert_plugin_search_path(fileURLToPath(new URL('plugins', import.meta.resolve('h5wasm-plugins'))), 0)
  const library: Library = { Dataset: h5wasm.Dataset, spoiled: spoiler(module as unknown as Memory) }
  return {
    name: withVersion('h5wasm'),
    async open(path) {
      const file = new h5wasm.File(path, 'r')
      if (file.file_id < 0) throw new Error('the HDF5 library does not open it')
      return { ...fileOf(file, library), close: () => file.close() }
    },
  }
}

type H5wasm = typeof import('h5wasm/node')

interface Library extends Pick<H5wasm, 'Dataset'> {
  /** Reads numbers into memory that holds others each time. */
  spoiled<T>(read: () => T): T
}

/** Of the module: where the memory comes from into which values are read. */
interface Memory {
  _malloc(bytes: number): number
  readonly HEAPU8: Uint8Array
}

/**
 * Of chunks that were never written, in a file that wants no fill values written either, the library leaves what memory held before. Such values are
 * told by being others when they are read again.
 */
function spoiler(module: Memory): Library['spoiled'] {
  const { _malloc: taken } = module
  let pattern = 0
  return (read) => {
    pattern = (pattern + 0x55) & 0xff
    module._malloc = (bytes) => {
      const at = taken(bytes)
      if (at !== 0) module.HEAPU8.fill(pattern, at, at + bytes)
      return at
    }
    try {
      return read()
    } finally {
      module._malloc = taken
    }
  }
}

function fileOf(root: Group, library: Library): ReaderFile {
  const at = (wanted: Wanted) => place(root, wanted, library)
  return {
    async find(wanted) {
      const found = at(wanted)
      if (found === undefined) return 'the reader has no such array'
      const { dataset, member } = found
      const metadata = member === undefined ? dataset.metadata : found.metadata
      const type = typeOf(metadata)
      if (dataset.shape === null) return 'the reader gives no shape'
      if (!isKnown(metadata))
        return `the reader gives values of HDF5's class ${metadata.type} and of ${metadata.size} bytes in a form of its own`
      const fault = faultOfH5wasm(dataset, metadata, member)
      return { ...shapesOf(dataset, dataset.shape, wanted), type, sentinels: sentinelsOf(dataset, member), fault }
    },
    async read(wanted, box) {
      const found = at(wanted)
      if (found === undefined) throw new Error(`${wanted.path} is gone`)
      const length = joinedLength(found.dataset, wanted)
      const { metadata, member, dataset } = found
      // Texts of any length are places in memory, which must be none where there are none.
      const isNumber = member === undefined && (metadata.type === INTEGER || metadata.type === FLOAT)
      if (isNumber) return library.spoiled(() => valuesOf(dataset, member, box))
      if (length === undefined) return valuesOf(dataset, member, box)
      const characters = { origin: [...box.origin, 0], shape: [...box.shape, length] }
      return joined(valuesOf(found.dataset, found.member, characters), length)
    },
  }
}

/** In NetCDF-4 a variable is as long as its unlimited dimension, whatever was written of it: HDF5 knows only what was. */
function shapesOf(dataset: Dataset, shape: readonly number[], wanted: Wanted): Pick<Found, 'shape' | 'only'> {
  if (joinedLength(dataset, wanted) !== undefined) return { shape: shape.slice(0, -1) }
  const grows = dataset.metadata.maxshape ?? []
  const isShorter = shape.length === wanted.shape.length && shape.join() !== wanted.shape.join()
  const mayGrow = shape.every((length, axis) => {
    const asked = wanted.shape[axis] ?? 0
    return length === asked || (length < asked && (grows[axis] ?? 0) > 2 ** 53)
  })
  if (!isShorter || !mayGrow) return { shape }
  const why = `the HDF5 library has ${shape.join(' x ')} of it: NetCDF-4 extends it to the length of its dimension by fill values`
  return { shape: wanted.shape, only: { shape, why } }
}

interface ValuesPlace {
  readonly dataset: Dataset
  /** Of a record: which of its members, and what that is. */
  readonly member: number | undefined
  readonly metadata: Metadata
}

/** A data set by its path, or a member of records, which the store has as arrays of a group. */
function place(root: Group, { path, attributes }: Wanted, { Dataset }: Library): ValuesPlace | undefined {
  const original = attributes[ORIGINAL_NAME]
  const own = typeof original === 'string' ? path.replace(/[^/]*$/, original) : path
  // NetCDF-4 has another name for a variable that is named as a dimension whose coordinate it is not.
  const direct = entityAt(root, own.replace(/[^/]*$/, '_nc4_non_coord_$&')) ?? entityAt(root, own)
  if (direct instanceof Dataset) return { dataset: direct, member: undefined, metadata: direct.metadata }
  const slash = own.lastIndexOf('/')
  const parent = slash < 0 ? undefined : entityAt(root, own.slice(0, slash))
  if (!(parent instanceof Dataset)) return undefined
  const members = parent.metadata.compound_type?.members ?? []
  const member = members.findIndex(({ name }) => name === own.slice(slash + 1))
  const metadata = members[member]
  return metadata === undefined ? undefined : { dataset: parent, member, metadata }
}

/** Step by step, since the library complains aloud of what is not there. */
function entityAt(root: Group, path: string): unknown {
  let found: unknown = root
  for (const name of path.split('/')) {
    const group = found as Partial<Group> | null
    if (typeof group?.keys !== 'function' || typeof group.get !== 'function' || !group.keys().includes(name))
      return undefined
    found = group.get(name)
  }
  return found
}

/** Of characters that the store has as texts along their last dimension: how long that is. */
function joinedLength({ metadata, shape }: Dataset, wanted: Wanted): number | undefined {
  const isJoined = metadata.type === TEXT && metadata.size === 1 && shape?.length === wanted.shape.length + 1
  return isJoined ? shape?.at(-1) : undefined
}

function joined(characters: Values, length: number): Values {
  const all = Array.from(characters as ArrayLike<string>)
  return Array.from({ length: all.length / length }, (_, at) => all.slice(at * length, (at + 1) * length).join(''))
}

/** Of a member of records, its part of the record that marks missing points. */
function sentinelsOf(dataset: Dataset, member: number | undefined): Found['sentinels'] {
  const sentinels: Record<string, number | bigint> = {}
  for (const name of ['_FillValue', 'missing_value']) {
    const attribute = dataset.attrs[name]
    if (attribute === undefined) continue
    const value: unknown = member === undefined ? attribute.value : memberOf(attribute.value, member)
    const first: unknown = isListLike(value) ? value[0] : value
    if (typeof first === 'number' || typeof first === 'bigint') sentinels[name] = first
  }
  return sentinels
}

function isListLike(value: unknown): value is ArrayLike<unknown> {
  return typeof value === 'object' && value !== null && 'length' in value
}

/** The library gives a record as a list, and one that is alone in a list as such. */
function memberOf(record: unknown, member: number): unknown {
  if (!Array.isArray(record)) return undefined
  const [first] = record
  return Array.isArray(first) && record.length === 1 ? first[member] : record[member]
}

function valuesOf(dataset: Dataset, member: number | undefined, { origin, shape }: Box): Values {
  const ranges = origin.map((from, axis): [number, number] => [from, from + (shape[axis] ?? 0)])
  const value = ranges.length === 0 ? dataset.value : dataset.slice(ranges)
  if (member === undefined) return listOf(value)
  // A record that is the only one is given without a list around it.
  const records = ranges.length === 0 ? [value] : listOf(value)
  return Array.from(records as ArrayLike<never>, (record) => record[member] as never)
}

function listOf(value: unknown): Values {
  if (typeof value === 'object' && value !== null && 'length' in value) return value as Values
  return [value as number]
}

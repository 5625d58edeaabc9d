import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Dataset, Group, Metadata } from 'h5wasm/node'
import type { Box } from '../../model/virtual-store.ts'
import { withVersion } from './package-version.ts'
import type { Found, IndependentReader, ReaderFile, Values, Wanted } from './reader.ts'

/** The HDF5 library itself, in WebAssembly, with the usual filters. */
export async function hdf5Reader(): Promise<IndependentReader> {
  const { h5wasm, module } = await started()
  return {
    name: withVersion('h5wasm'),
    async open(path) {
      const name = `/${basename(path)}`
      module.FS.writeFile(name, readFileSync(path))
      return fileOf(new h5wasm.File(name, 'r'), h5wasm)
    },
  }
}

type H5wasm = typeof import('h5wasm/node')

async function started() {
  const { default: h5wasm } = await import('h5wasm/node')
  const module = await h5wasm.ready
  const folder = module.get_plugin_search_paths()[0] ?? '/plugins'
  module.FS.mkdirTree(folder)
  // Its own function fetches them, which Node does not do of files.
  const plugins = new URL('plugins/', import.meta.resolve('h5wasm-plugins'))
  for (const name of readdirSync(plugins))
    module.FS.writeFile(`${folder}/${name}`, readFileSync(new URL(name, plugins)))
  return { h5wasm, module }
}

function fileOf(root: Group, h5wasm: Pick<H5wasm, 'Dataset'>): ReaderFile {
  const at = (wanted: Wanted) => place(root, wanted, h5wasm)
  return {
    async find(wanted) {
      const found = at(wanted)
      if (found === undefined) return 'the reader has no such array'
      const { dataset, member } = found
      const metadata = member === undefined ? dataset.metadata : found.metadata
      const type = typeOf(metadata)
      if (dataset.shape === null) return 'the reader gives no shape'
      if (type === undefined) return `the reader gives values of HDF5's class ${metadata.type} in a form of its own`
      const fault = faultOf(metadata, member)
      return { ...shapesOf(dataset, dataset.shape, wanted), type, sentinels: sentinelsOf(dataset), fault }
    },
    async read(wanted, box) {
      const found = at(wanted)
      if (found === undefined) throw new Error(`${wanted.path} is gone`)
      const length = joinedLength(found.dataset, wanted)
      if (length === undefined) return valuesOf(found.dataset, found.member, box)
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

interface Place {
  readonly dataset: Dataset
  /** Of a record: which of its members, and what that is. */
  readonly member: number | undefined
  readonly metadata: Metadata
}

/** A data set by its path, or a member of records, which the store has as arrays of a group. */
function place(root: Group, { path, attributes }: Wanted, { Dataset }: Pick<H5wasm, 'Dataset'>): Place | undefined {
  const original = attributes['original_name']
  const own = typeof original === 'string' ? path.replace(/[^/]*$/, original) : path
  const direct = entityAt(root, own)
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

/** Kinds of values for which a difference is laid to h5wasm 0.10. */
function faultOf(metadata: Metadata, member: number | undefined): string | undefined {
  if (member !== undefined && !metadata.littleEndian && metadata.size > 1)
    return 'h5wasm takes big-endian members of records for little-endian'
  if (metadata.type === TEXT && metadata.cset !== 1)
    return 'h5wasm takes text that is no UTF-8 for windows-1252, and leaves out NUL'
  return undefined
}

/** H5T_class_t. */
const INTEGER = 0
const FLOAT = 1
const TEXT = 3
const ENUM = 8

function typeOf({ type, size, signed, enum_type }: Metadata): string | undefined {
  if (type === INTEGER) return `${signed ? 'int' : 'uint'}${size * 8}`
  if (type === FLOAT && [2, 4, 8].includes(size)) return `float${size * 8}`
  if (type === TEXT) return 'text'
  if (type !== ENUM) return undefined
  const names = Object.keys(enum_type?.members ?? {})
  if (size === 1 && names.length === 2 && names.includes('FALSE') && names.includes('TRUE')) return 'bool'
  return enum_type?.type === INTEGER ? `${signed ? 'int' : 'uint'}${size * 8}` : undefined
}

function sentinelsOf(dataset: Dataset): Found['sentinels'] {
  const sentinels: Record<string, number | bigint> = {}
  for (const name of ['_FillValue', 'missing_value']) {
    const attribute = dataset.attrs[name]
    if (attribute === undefined) continue
    const value = attribute.value
    const first = typeof value === 'object' && value !== null && 'length' in value ? value[0] : value
    if (typeof first === 'number' || typeof first === 'bigint') sentinels[name] = first
  }
  return sentinels
}

function valuesOf(dataset: Dataset, member: number | undefined, { origin, shape }: Box): Values {
  const ranges = origin.map((from, axis): [number, number] => [from, from + (shape[axis] ?? 0)])
  const value = ranges.length === 0 ? dataset.value : dataset.slice(ranges)
  const values = listOf(value)
  return member === undefined ? values : Array.from(values as ArrayLike<never>, (record) => record[member] as never)
}

function listOf(value: unknown): Values {
  if (typeof value === 'object' && value !== null && 'length' in value) return value as Values
  return [value as number]
}

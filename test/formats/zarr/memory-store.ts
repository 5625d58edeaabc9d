import { VirtualZarrError } from '../../../src/errors.ts'
import { DEFAULT_PARSE_OPTIONS, type ParseContext, type ParseOptions } from '../../../src/formats/format.ts'
import { zarr } from '../../../src/formats/zarr/index.ts'
import type { Member, VirtualArray, VirtualGroup, VirtualNode } from '../../../src/model/virtual-store.ts'
import { memorySource } from '../../../src/source/memory.ts'
import type { Source } from '../../../src/source/source.ts'
import { ALONE } from '../../helpers/parse-context.ts'

export type Content = string | Uint8Array | object

/** A folder of an imaginary origin: what it holds by key, and what was asked of it. */
export interface MemoryStore {
  readonly url: string
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly references: string[]
  /** Codes of the diagnostics, with their paths. */
  readonly warnings: string[]
  /** URLs opened and folders listed, in order. */
  readonly requests: string[]
  readonly reads: { offset: number; length: number }[]
  open(key: string, options?: Partial<ParseOptions>): Promise<VirtualNode>
}

export interface MemoryStoreSettings {
  readonly url?: string
  readonly lists?: boolean
}

/** A store whose documents are written in the test; objects become JSON. */
export function memoryStore(contents: Record<string, Content>, settings: MemoryStoreSettings = {}): MemoryStore {
  const { url = 'https://data.example/some/store/', lists = true } = settings
  const files = new Map(Object.entries(contents).map(([key, content]) => [key, bytesOf(content)]))
  const store = {
    url,
    files,
    references: [] as string[],
    warnings: [] as string[],
    requests: [] as string[],
    reads: [] as { offset: number; length: number }[],
  }
  const source = (address: string): Source => {
    const key = decodeURIComponent(
      address.startsWith(url) ? address.slice(url.length) : `outside of the store: ${address}`,
    )
    const bytes = files.get(key)
    if (bytes === undefined) throw new VirtualZarrError('source-not-found', `${key} is not there`)
    const inner = memorySource(address, bytes)
    return {
      ...inner,
      read: (range, options) => {
        store.reads.push(range)
        return inner.read(range, options)
      },
    }
  }
  const context = (options: Partial<ParseOptions>): ParseContext => ({
    ...ALONE,
    options: { ...DEFAULT_PARSE_OPTIONS, ...options },
    signal: undefined,
    open: async (address) => {
      store.requests.push(address.slice(url.length))
      return source(address)
    },
    list: async (folder) => {
      store.requests.push(`list ${folder.slice(url.length)}`)
      return lists ? namesBelow(files, decodeURIComponent(folder.slice(url.length))) : undefined
    },
    reference: (address) => {
      const known = store.references.indexOf(address)
      return known === -1 ? store.references.push(address) - 1 : known
    },
    warn: ({ code, path }) => store.warnings.push(path === undefined ? code : `${code} ${path}`),
  })
  return { ...store, open: async (key, options = {}) => zarr.parse(source(url + key), context(options)) }
}

function bytesOf(content: Content): Uint8Array {
  if (content instanceof Uint8Array) return content
  return new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content))
}

function namesBelow(files: ReadonlyMap<string, Uint8Array>, folder: string): string[] {
  const names = new Set<string>()
  for (const key of files.keys()) {
    if (!key.startsWith(folder)) continue
    const [name = '', rest] = key.slice(folder.length).split(/\/(.*)/s)
    names.add(rest === undefined ? name : `${name}/`)
  }
  return [...names]
}

/** The member at a path; it must be there. */
export function at(node: VirtualNode, path: string): Member {
  let member: Member = node
  for (const name of path === '' ? [] : path.split('/')) {
    const next: Member | undefined = member.kind === 'group' ? member.members.get(name) : undefined
    if (next === undefined) throw new Error(`${path} is not there: no ${name}`)
    member = next
  }
  return member
}

/** The array at a path; it must be one. */
export function arrayAt(node: VirtualNode, path: string): VirtualArray {
  const member = at(node, path)
  if (member.kind !== 'array') throw new Error(`${path} is ${JSON.stringify(member)}`)
  return member
}

/** The group at a path; it must be one. */
export function groupAt(node: VirtualNode, path: string): VirtualGroup {
  const member = at(node, path)
  if (member.kind !== 'group') throw new Error(`${path} is a ${member.kind}`)
  return member
}

/** The paths of everything that is no group. */
export function leaves(node: Member, path = ''): string[] {
  if (node.kind !== 'group') return [path]
  return [...node.members].flatMap(([name, member]) => leaves(member, path === '' ? name : `${path}/${name}`))
}

/** A small v3 array document. */
export function v3Array(members: object = {}): object {
  return {
    zarr_format: 3,
    node_type: 'array',
    shape: [4, 5],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 3] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 'NaN',
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    attributes: {},
    ...members,
  }
}

/** A small v2 array document. */
export function v2Array(members: object = {}): object {
  return {
    zarr_format: 2,
    shape: [4, 5],
    chunks: [2, 3],
    dtype: '<f4',
    compressor: null,
    fill_value: 'NaN',
    order: 'C',
    filters: null,
    ...members,
  }
}

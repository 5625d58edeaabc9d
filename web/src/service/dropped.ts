import { addressOfSegment } from '../state/address.ts'
import { SERVICE } from './place.ts'
import { Problem } from './problem.ts'
import type { Inspection, Json } from './types.ts'

// Files that a person dropped: the page reads them itself, with the package for browsers that the service has beside it.

/** A store as zarrita wants it. */
export interface DroppedStore {
  get(key: `/${string}`): Promise<Uint8Array | undefined>
  getRange(key: `/${string}`, range: unknown): Promise<Uint8Array | undefined>
}

interface OpenedFile {
  readonly store: DroppedStore
  inspect(): unknown
}

interface Library {
  openVirtual(input: File, settings: { readonly options: Readonly<Record<string, string>> }): Promise<OpenedFile>
}

const SCHEME = 'dropped:'

/** The files of this visit, by the sources that name them; and what is open of them, by segment. */
const files = new Map<string, File>()
const opened = new Map<string, Promise<OpenedFile>>()

/** Keeps a file for this visit; the source that names it. Another file of the same name has another. */
export function keepDropped(file: File): string {
  for (let turn = 1; ; turn++) {
    const source = `${SCHEME}${file.name}${turn === 1 ? '' : ` (${turn})`}`
    const known = files.get(source)
    if (known !== undefined && !isSame(known, file)) continue
    files.set(source, file)
    return source
  }
}

function isSame(one: File, other: File): boolean {
  return one.size === other.size && one.lastModified === other.lastModified
}

/** The name of a dropped file; undefined for what the service reads. */
export function droppedName(segment: string): string | undefined {
  const source = addressOfSegment(segment)?.source
  return source?.startsWith(SCHEME) === true ? source.slice(SCHEME.length) : undefined
}

/** Whether the service has the package that reads files in a page: a checkout may not have built it. */
export async function canReadFiles(): Promise<boolean> {
  return await library().then(
    () => true,
    () => false,
  )
}

async function library(): Promise<Library> {
  return (await import(/* @vite-ignore */ new URL('library/index.js', SERVICE).href)) as Library
}

export async function inspectDropped(segment: string): Promise<Inspection> {
  const { inspect } = await openDropped(segment)
  return plain(inspect()) as unknown as Inspection
}

/** What zarrita reads of a dropped file. */
export function droppedStore(segment: string): DroppedStore {
  return {
    get: async (key) => await told((await openDropped(segment)).store.get(key)),
    getRange: async (key, range) => await told((await openDropped(segment)).store.getRange(key, range)),
  }
}

function openDropped(segment: string): Promise<OpenedFile> {
  const known = opened.get(segment)
  if (known !== undefined) return known
  const opening = told(openFile(segment))
  opened.set(segment, opening)
  opening.catch(() => opened.delete(segment))
  return opening
}

async function openFile(segment: string): Promise<OpenedFile> {
  const { source = '', options = '' } = addressOfSegment(segment) ?? {}
  const file = files.get(source)
  if (file === undefined)
    throw new Problem('The file is not at hand', 'A page forgets files when it is loaded again.', 0, 'dropped')
  const pairs = options.split(';').filter((pair) => pair !== '')
  const split = (pair: string): [string, string] => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]
  }
  return await (await library()).openVirtual(file, { options: Object.fromEntries(pairs.map(split)) })
}

/** The package's errors, as the service would tell them. */
async function told<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (error instanceof DOMException && /^Not(?:Readable|Found)Error$/.test(error.name))
      throw new Problem('The file is not what it was', 'It was changed or moved after it was dropped.', 0, 'dropped')
    if (!(error instanceof Error) || error instanceof Problem) throw error
    // A decoder in WebAssembly that the package has no copy of.
    if (/wasm|WebAssembly/.test(error.message))
      throw new Problem(
        'The page has no decoder for this',
        'Its codec is decoded by the service only.',
        0,
        'no-decoder',
      )
    const { code } = error as { readonly code?: unknown }
    throw typeof code === 'string' ? new Problem('The file can’t be read', error.message, 0, code) : error
  }
}

/** JSON of the package, which keeps what JavaScript's loses, as the service's answers are read here. */
function plain(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value as Json
  if (isFloat(value)) return value.value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/** A number of a class of its own. */
function isFloat(value: object): value is { readonly value: number } {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && prototype !== Object.prototype && 'value' in value
}

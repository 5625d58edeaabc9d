import { openAsBlob, statSync } from 'node:fs'
import type * as zarr from 'zarrita'
import { ORIGINAL_NAME } from '../../model/original-name.ts'
import { valuesIn } from '../zarr-values.ts'
import { withVersion } from './package-version.ts'
import type { Found, IndependentReader, ReaderFile, Wanted } from './reader.ts'
import { type ArrayDocument, faultOfZarrita } from './zarrita-faults.ts'

/** Zarr by zarrita, from the source itself: a folder, a zip file, or a URL. */
export async function zarrReader(): Promise<IndependentReader> {
  const zarrita = await import('zarrita')
  return { name: withVersion('zarrita'), open: async (place) => zarrFile(await storeAt(place, zarrita), zarrita) }
}

type Zarrita = typeof zarr

async function storeAt(place: string, zarrita: Zarrita): Promise<zarr.AsyncReadable> {
  const own = await plainStoreAt(place, zarrita)
  // Some hierarchies have the documents of their arrays in that of the root alone.
  return await zarrita.withMaybeConsolidatedMetadata(own)
}

async function plainStoreAt(place: string, { FetchStore }: Zarrita): Promise<zarr.AsyncReadable> {
  if (/^https?:/.test(place)) return new FetchStore(place)
  const { FileSystemStore, ZipFileStore } = await import('@zarrita/storage')
  if (statSync(place).isDirectory()) return new FileSystemStore(place)
  return ZipFileStore.fromBlob(await openAsBlob(place))
}

interface OpenArray {
  readonly path: string
  readonly array: zarr.Array<zarr.DataType, zarr.Readable>
  readonly document: ArrayDocument
}

/** The arrays of a store, by their paths. */
export function zarrFile(store: zarr.Readable, zarrita: Zarrita): ReaderFile {
  /** Chunks are asked for array by array: the last one is kept. */
  let last: OpenArray | undefined
  async function opened({ path, attributes }: Wanted): Promise<OpenArray> {
    const original = attributes[ORIGINAL_NAME]
    const own = typeof original === 'string' ? path.replace(/[^/]*$/, original) : path
    if (last?.path !== own) last = await openArray(store, own, zarrita)
    return last
  }
  return {
    async find(wanted) {
      const { array, document } = await opened(wanted)
      const type = typeOf(array.dtype)
      if (type === undefined) return `the reader gives ${array.dtype} in a form of its own`
      const { shape, attrs, fillValue } = array
      return { shape, type, sentinels: sentinelsOf(attrs ?? {}, fillValue), fault: faultOfZarrita(document) }
    },
    read: async (wanted, box) => await valuesIn((await opened(wanted)).array, box),
  }
}

/** By the version that its document is of: where that can't be read, the reader's own search would only say that there is none. */
async function openArray(store: zarr.Readable, path: string, { open, root }: Zarrita): Promise<OpenArray> {
  const location = path === '' ? root(store) : root(store).resolve(path)
  const folder: `/${string}` = path === '' ? '/' : `/${path}/`
  const second = await store.get(`${folder}.zarray`)
  const array =
    second === undefined ? await open.v3(location, { kind: 'array' }) : await open.v2(location, { kind: 'array' })
  const bytes = second ?? (await store.get(`${folder}zarr.json`))
  const document = JSON.parse(new TextDecoder().decode(bytes)) as ArrayDocument
  return { path, array, document }
}

function typeOf(dtype: string): string | undefined {
  if (dtype === 'string' || /^v2:(?:object|[US])/.test(dtype)) return 'text'
  return dtype.startsWith('v2:') ? undefined : dtype
}

/** In Zarr v2 the fill value is what xarray takes for `_FillValue`, unless there is an attribute of that name. */
function sentinelsOf(attributes: Readonly<Record<string, unknown>>, fillValue: unknown): Found['sentinels'] {
  const sentinels: Record<string, number | bigint> = {}
  for (const name of ['_FillValue', 'missing_value']) {
    const value = attributes[name] ?? (name === '_FillValue' ? fillValue : undefined)
    if (typeof value === 'number' || typeof value === 'bigint') sentinels[name] = value
  }
  return sentinels
}

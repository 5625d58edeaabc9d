import * as zarr from 'zarrita'
import { storeUrl } from '../service/api.ts'
import { ask } from '../service/ask.ts'
import { droppedName, droppedStore } from '../service/dropped.ts'
import { problemOf } from '../service/problem.ts'

type ZarrArray = zarr.Array<zarr.DataType, zarr.Readable>

/** Numbers, or texts, of one chunk, with the distance between neighbours on each axis. */
export interface DecodedChunk {
  readonly data: ArrayLike<number | bigint | string>
  readonly stride: readonly number[]
  readonly shape: readonly number[]
}

/** A store as any client of zarrita opens it. Its arrays are opened once, and decoded chunks are kept for a while. */
export interface ZarrStore {
  open(path: string): Promise<ZarrArray>
  chunk(path: string, coords: readonly number[], signal?: AbortSignal): Promise<DecodedChunk>
  /** What came over the wire so far. */
  readonly bytes: number
}

/** Decoded bytes that are kept. */
const MOST_KEPT_BYTES = 192 * 2 ** 20

export function openZarrStore(segment: string): ZarrStore {
  let bytes = 0
  const count = (length: number) => {
    bytes += length
  }
  const store = droppedName(segment) === undefined ? servedStore(segment, count) : droppedStore(segment)
  const root = zarr.root(store)
  const arrays = new Map<string, Promise<ZarrArray>>()
  const chunks = new ChunkCache(MOST_KEPT_BYTES)
  const open = (path: string) => {
    const known = arrays.get(path)
    if (known !== undefined) return known
    const opened = zarr.open.v3(path === '' ? root : root.resolve(path), { kind: 'array' })
    arrays.set(path, opened)
    opened.catch(() => arrays.delete(path))
    return opened
  }
  return {
    open,
    chunk: (path, coords, signal) =>
      chunks.get(`${path} ${coords.join('.')}`, signal, async () => {
        const array = await open(path)
        const { data, stride, shape } = await array.getChunk([...coords], signal === undefined ? {} : { signal })
        return { data: plain(data), stride, shape }
      }),
    get bytes() {
      return bytes
    },
  }
}

/** 404 is a chunk that was never written; anything else is told in full. */
function servedStore(segment: string, count: (bytes: number) => void): zarr.FetchStore {
  return new zarr.FetchStore(storeUrl(segment), {
    fetch: async (request) => {
      const answer = await ask(request)
      if (!answer.ok && answer.status !== 404) throw await problemOf(answer)
      count(Number(answer.headers.get('content-length') ?? 0))
      return answer
    },
  })
}

/** Booleans as 0 and 1; everything else is indexed as it is. */
function plain(data: unknown): ArrayLike<number | bigint | string> {
  if (data instanceof zarr.BoolArray) return Array.from(data, Number)
  if (data instanceof zarr.ByteStringArray || data instanceof zarr.UnicodeStringArray) return Array.from(data)
  return data as ArrayLike<number | bigint | string>
}

/** Decoded chunks, those used last kept longest; what is under way is shared. */
class ChunkCache {
  readonly #kept = new Map<string, { readonly chunk: Promise<DecodedChunk>; bytes: number }>()
  readonly #most: number
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  get(key: string, signal: AbortSignal | undefined, read: () => Promise<DecodedChunk>): Promise<DecodedChunk> {
    const known = this.#kept.get(key)
    if (known !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      // Whoever asked first may have left, which is no failure for those who wait on.
      return known.chunk.catch((error: unknown) => {
        if (signal?.aborted === true || !(error instanceof Error) || error.name !== 'AbortError') throw error
        return this.get(key, signal, read)
      })
    }
    const entry = { chunk: read(), bytes: 0 }
    this.#kept.set(key, entry)
    entry.chunk.then(
      ({ data }) => {
        entry.bytes = 'byteLength' in data ? Number(data.byteLength) : data.length * 16
        this.#bytes += entry.bytes
        this.#shrink()
      },
      () => this.#kept.delete(key),
    )
    return entry.chunk
  }

  #shrink(): void {
    for (const [key, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#most) return
      this.#kept.delete(key)
      this.#bytes -= bytes
    }
  }
}

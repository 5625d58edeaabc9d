import { bytesOfBody } from '../bytes/feed.ts'
import type { Answer, ChunkBody } from '../service/store-request.ts'
import type { ObjectPart } from '../source/source.ts'
import type { Beginning } from './library.ts'

/** A part of a value, as Zarr clients ask for it. */
export type RangeQuery = { readonly offset: number; readonly length: number } | { readonly suffixLength: number }

export interface GetOptions {
  readonly signal?: AbortSignal | undefined
}

/** What zarrita takes for a store (`AsyncReadable`): keys begin with a slash, and what is absent is undefined. */
export interface VirtualStore {
  get(key: `/${string}`, options?: GetOptions): Promise<Uint8Array | undefined>
  getRange(key: `/${string}`, range: RangeQuery, options?: GetOptions): Promise<Uint8Array | undefined>
  /** Ends what still runs for it. */
  close(): Promise<void>
}

/** The keys of a store: its documents, and chunks that are read when they are asked for. */
export function zarrStore({ stores, address, close }: Beginning): VirtualStore {
  const answer = async (key: string, part: ObjectPart | undefined, { signal }: GetOptions) =>
    await bytesOf(await stores.get({ address, key: key.replace(/^\//, ''), part, signal }))
  return {
    get: (key, options = {}) => answer(key, undefined, options),
    getRange: (key, range, options = {}) => answer(key, partOf(range), options),
    close,
  }
}

function partOf(range: RangeQuery): ObjectPart {
  if ('suffixLength' in range) return { kind: 'last', length: range.suffixLength }
  return { kind: 'from', offset: range.offset, length: range.length }
}

async function bytesOf(answer: Answer): Promise<Uint8Array | undefined> {
  switch (answer.kind) {
    case 'document': {
      const { bytes } = answer.content
      const { offset, length } = answer.part ?? { offset: 0, length: bytes.length }
      return new Uint8Array(bytes.subarray(offset, offset + length))
    }
    case 'chunk':
      return answer.body === undefined ? undefined : await ownBytes(answer.body, answer.length)
    case 'unsatisfiable':
      return new Uint8Array(0)
    default:
      return undefined
  }
}

/** Memory of the caller's own, aligned for elements of any size: what is cached here must not change. */
async function ownBytes(body: ChunkBody, length: number): Promise<Uint8Array> {
  const bytes = await bytesOfBody(body, length)
  // Not by `slice`, which of Node's buffers is a view.
  return body instanceof Uint8Array || bytes.byteOffset % 8 !== 0 ? new Uint8Array(bytes) : bytes
}

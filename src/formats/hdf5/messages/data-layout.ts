// HDF5 File Format Specification, section IV.A.2.i "The Data Layout Message"; version 5 as HDF5 2.0 writes it.
import { elementCount } from '../../../model/shape.ts'
import type { FileCursor } from '../structures/file-cursor.ts'

/** How chunks are found. */
type ChunkIndexKind =
  | { readonly kind: 'btree-v1' }
  /** `filtered` is absent where the one chunk is stored as it is. */
  | { readonly kind: 'single'; readonly filtered: { readonly size: number; readonly mask: number } | undefined }
  | { readonly kind: 'implicit' }
  | { readonly kind: 'fixed-array' }
  | { readonly kind: 'extensible-array' }
  | { readonly kind: 'btree-v2' }

export interface ChunkedLayout {
  readonly kind: 'chunked'
  /** Lengths of a chunk, in elements. */
  readonly chunkShape: readonly number[]
  readonly elementSize: number
  readonly index: ChunkIndexKind
  /** Undefined while nothing has been written. */
  readonly address: number | undefined
  /** Chunks over the edge of the array are stored without filters. */
  readonly hasRawEdges: boolean
}

export type DataLayout =
  | { readonly kind: 'compact'; readonly bytes: Uint8Array }
  | { readonly kind: 'contiguous'; readonly address: number | undefined; readonly size: number | undefined }
  | ChunkedLayout
  | { readonly kind: 'virtual'; readonly heapAddress: number | undefined; readonly heapIndex: number }

export function parseDataLayout(cursor: FileCursor): DataLayout {
  const version = cursor.oneOf('data layout version', [1, 2, 3, 4, 5])
  if (version <= 2) return parseOldLayout(cursor)
  const kind = cursor.oneOf('data layout class', version === 3 ? [0, 1, 2] : [0, 1, 2, 3])
  if (kind === 0) {
    const size = cursor.u16()
    return { kind: 'compact', bytes: cursor.take(size).slice() }
  }
  if (kind === 1) return { kind: 'contiguous', address: cursor.address(), size: cursor.roughLength() }
  if (kind === 3) return { kind: 'virtual', heapAddress: cursor.address(), heapIndex: cursor.u32() }
  return version === 3 ? parseChunked3(cursor) : parseChunked4(cursor)
}

function parseOldLayout(cursor: FileCursor): DataLayout {
  const rank = rankOf(cursor)
  const kind = cursor.oneOf('data layout class', [0, 1, 2])
  cursor.skip(5)
  const address = kind === 0 ? undefined : cursor.address()
  const lengths = Array.from({ length: rank }, () => cursor.u32())
  if (kind === 1) return { kind: 'contiguous', address, size: undefined }
  if (kind === 2) return chunked(cursor, lengths, { kind: 'btree-v1' }, address, false)
  const size = cursor.u32()
  return { kind: 'compact', bytes: cursor.take(size).slice() }
}

function parseChunked3(cursor: FileCursor): DataLayout {
  const rank = rankOf(cursor)
  const address = cursor.address()
  const lengths = Array.from({ length: rank }, () => cursor.u32())
  return chunked(cursor, lengths, { kind: 'btree-v1' }, address, false)
}

function parseChunked4(cursor: FileCursor): DataLayout {
  const flags = cursor.u8()
  const rank = rankOf(cursor)
  const lengthBytes = cursor.u8()
  if (lengthBytes === 0 || lengthBytes > 8) throw cursor.fail(`chunk lengths of ${lengthBytes} bytes, expected 1 to 8`)
  const lengths = Array.from({ length: rank }, () => cursor.uint(lengthBytes))
  const index = parseIndex(cursor, flags)
  return chunked(cursor, lengths, index, cursor.address(), (flags & 1) !== 0)
}

function parseIndex(cursor: FileCursor, flags: number): ChunkIndexKind {
  const type = cursor.oneOf('chunk index type', [1, 2, 3, 4, 5])
  switch (type) {
    case 1:
      return { kind: 'single', filtered: (flags & 2) === 0 ? undefined : { size: cursor.length(), mask: cursor.u32() } }
    case 2:
      return { kind: 'implicit' }
    case 3:
      cursor.skip(1)
      return { kind: 'fixed-array' }
    case 4:
      cursor.skip(5)
      return { kind: 'extensible-array' }
  }
  cursor.skip(6)
  return { kind: 'btree-v2' }
}

/** The last length of a chunk is that of an element, in bytes. */
function chunked(
  cursor: FileCursor,
  lengths: readonly number[],
  index: ChunkIndexKind,
  address: number | undefined,
  hasRawEdges: boolean,
): DataLayout {
  const bytes = elementCount(lengths)
  if (bytes === 0) throw cursor.fail(`a chunk of shape [${lengths}] has no bytes`)
  // The libraries' own limit, where chunk sizes take four bytes; nothing larger could be served in one answer either.
  if (bytes > 0xffff_ffff) throw cursor.fail(`a chunk of shape [${lengths}] takes 4 GiB or more`)
  const elementSize = lengths.at(-1) ?? 1
  return { kind: 'chunked', chunkShape: lengths.slice(0, -1), elementSize, index, address, hasRawEdges }
}

function rankOf(cursor: FileCursor): number {
  const rank = cursor.u8()
  if (rank > 33) throw cursor.fail(`a layout of ${rank} dimensions, expected at most 33`)
  return rank
}

// `manifest.fbs` of Icechunk's specification.
import type { SourceCondition } from '../../../source/source.ts'
import { FILE_ID_BYTES, idOf, NODE_ID_BYTES } from './files.ts'
import { FlatLayout, FlatWriter } from './flat-writer.ts'

/** Where a chunk is: in the manifest, in a file of the repository, in a file elsewhere. */
export type WrittenChunk =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'native'; readonly id: Uint8Array; readonly length: number }
  | {
      readonly kind: 'virtual'
      readonly location: string
      readonly offset: number
      readonly length: number
      readonly condition: SourceCondition | undefined
    }

export interface WrittenRef {
  readonly coords: readonly number[]
  readonly chunk: WrittenChunk
}

// By slot: index, inline, offset, length, chunk_id, location, checksum_etag, checksum_last_modified.
const OF_INLINE = new FlatLayout([4, 4])
const OF_NATIVE = new FlatLayout([4, 0, 8, 8, FILE_ID_BYTES])
const OF_FILE = new FlatLayout([4, 0, 8, 8, 0, 4])
const OF_TAGGED = new FlatLayout([4, 0, 8, 8, 0, 4, 4])
const OF_DATED = new FlatLayout([4, 0, 8, 8, 0, 4, 0, 4])
const MANIFEST = new FlatLayout([FILE_ID_BYTES, 4])
const ARRAY = new FlatLayout([NODE_ID_BYTES, 4])

/** The references of one array, in C order, as a manifest; its id is made of them. */
export function manifestOf(nodeId: Uint8Array, refs: readonly WrittenRef[]): { id: Uint8Array; content: Uint8Array } {
  const writer = new FlatWriter('Ichk')
  const manifest = writer.table(MANIFEST)
  const arrays = writer.vector(manifest + (MANIFEST.places[1] ?? 0), 1, 4)
  const array = writer.table(ARRAY)
  writer.link(arrays, array)
  writer.bytes(array + (ARRAY.places[0] ?? 0), nodeId)
  const list = writer.vector(array + (ARRAY.places[1] ?? 0), refs.length, 4)
  for (const [index, { coords, chunk }] of refs.entries()) {
    const layout = layoutOf(chunk)
    const table = writer.table(layout)
    writer.link(list + index * 4, table)
    const numbers = writer.vector(table + (layout.places[0] ?? 0), coords.length, 4)
    for (const [axis, at] of coords.entries()) writer.u32(numbers + axis * 4, at)
    putChunk(writer, (slot) => table + (layout.places[slot] ?? 0), chunk)
  }
  const content = writer.finished()
  const id = idOf(content, FILE_ID_BYTES)
  content.set(id, manifest + (MANIFEST.places[0] ?? 0))
  return { id, content }
}

function layoutOf(chunk: WrittenChunk): FlatLayout {
  if (chunk.kind === 'inline') return OF_INLINE
  if (chunk.kind === 'native') return OF_NATIVE
  if (chunk.condition?.etag !== undefined) return OF_TAGGED
  return chunk.condition?.unmodifiedSince === undefined ? OF_FILE : OF_DATED
}

function putChunk(writer: FlatWriter, slot: (number: number) => number, chunk: WrittenChunk): void {
  if (chunk.kind === 'inline') {
    writer.blob(slot(1), chunk.bytes)
    return
  }
  writer.u64(slot(3), chunk.length)
  if (chunk.kind === 'native') {
    writer.bytes(slot(4), chunk.id)
    return
  }
  writer.u64(slot(2), chunk.offset)
  writer.blob(slot(5), Buffer.from(chunk.location))
  const { etag, unmodifiedSince } = chunk.condition ?? {}
  if (etag !== undefined) writer.blob(slot(6), Buffer.from(etag))
  // Whole seconds: a file that was changed within one was not changed after its end.
  else if (unmodifiedSince !== undefined) writer.u32(slot(7), Math.ceil(unmodifiedSince))
}

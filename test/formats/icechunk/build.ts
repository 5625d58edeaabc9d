import type { Json } from '../../../src/json/json.ts'
import { idText, metadataFile } from '../../../src/service/export/icechunk/files.ts'
import { manifestOf, type WrittenChunk, type WrittenRef } from '../../../src/service/export/icechunk/manifest.ts'
import { nodeIdOf, snapshotOf } from '../../../src/service/export/icechunk/snapshot.ts'
import { v3Array } from '../../helpers/zarr-store.ts'

/** A chunk of one axis for each of these, at its place. */
export function refsOf(chunks: Iterable<WrittenChunk>): WrittenRef[] {
  return Array.from(chunks, (chunk, at) => ({ coords: [at], chunk }))
}

/** A repository of format 1 with one array, `a`, of bytes in chunks of one length, all in one manifest. */
export async function repositoryOf(
  chunkBytes: number,
  chunks: readonly WrittenChunk[],
): Promise<Map<string, Uint8Array>> {
  const { id, content } = manifestOf(nodeIdOf('a'), refsOf(chunks))
  const manifest = await metadataFile('manifests', content)
  const shape = [chunks.length * chunkBytes]
  const document = v3Array({
    shape,
    data_type: 'uint8',
    fill_value: 255,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [chunkBytes] } },
    codecs: [{ name: 'bytes' }],
  }) as Json
  const refs = { id, bytes: manifest.length, refs: chunks.length, extents: [[0, chunks.length] as const] }
  const array = { shape, chunkShape: [chunkBytes], dimensionNames: ['x'], manifests: [refs] }
  const group = { zarr_format: 3, node_type: 'group', attributes: {} }
  const nodes = [
    { path: '', document: group },
    { path: 'a', document, array },
  ]
  const snapshot = snapshotOf(nodes, 'built', new Date(0))
  return new Map([
    [`manifests/${idText(id)}`, manifest],
    [`snapshots/${idText(snapshot.id)}`, await metadataFile('snapshots', snapshot.content)],
    ['refs/branch.main/ref.json', Buffer.from(JSON.stringify({ snapshot: idText(snapshot.id) }))],
  ])
}

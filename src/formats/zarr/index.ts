import type { ChunkIndex } from '../../model/chunk-index.ts'
import { recipe } from '../../model/recipe.ts'
import type { VirtualNode } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import type { Format, ParseContext } from '../format.ts'
import { type PlaceArrays, treeOf } from '../zarr-documents/to-tree.ts'
import { type ChunkKeys, chunkKey, gridOf, type PlacedChunks, type ZarrArray } from '../zarr-documents/zarr-array.ts'
import { isZip, zarrMark } from './mark.ts'
import { placeInZip, zipMembers } from './place-zip.ts'
import { readFolder } from './read-folder.ts'
import { readZip } from './read-zip.ts'
import { folderBelow, folderOf } from './urls.ts'
import { readZipDirectory } from './zip-directory.ts'

interface Objects {
  readonly gridShape: readonly number[]
  readonly keys: ChunkKeys
  readonly folder: number
}

const objects = recipe(
  'zarr.objects',
  ({ gridShape, keys, folder }: Objects): ChunkIndex => ({
    gridShape,
    at: (coords) => ({ kind: 'object', source: folder, key: chunkKey(keys, coords), encoding: 0 }),
    weight: () => 0,
  }),
)

/** Zarr version 2 and 3, in a folder or in a zip archive. */
export const zarr: Format = {
  ...zarrMark,
  parse,
  makers: [objects, zipMembers],
}

async function parse(source: Source, context: ParseContext): Promise<VirtualNode> {
  const options = { signal: context.signal }
  const head = await source.read({ offset: 0, length: Math.min(4, source.size) }, options)
  if (!isZip(head)) {
    return treeOf(await readFolder(source, context), source.url, context, placeInFolder(source, context))
  }
  const directory = await readZipDirectory(source, options)
  const nodes = await readZip(source, directory, context)
  return treeOf(nodes, source.url, context, placeInZip(source, directory))
}

function placeInFolder(source: Source, context: ParseContext): PlaceArrays {
  const root = folderOf(source.url)
  return async () => (path, array) => objectChunks(array, context.reference(folderBelow(root, path)))
}

/** Chunks that are objects below a folder: arithmetic only, nothing is asked when a store is opened. */
function objectChunks(array: ZarrArray, folder: number): PlacedChunks {
  const { keys } = array
  return {
    encodings: [array.encoding],
    chunks: objects({ gridShape: gridOf(array), keys, folder }),
  }
}

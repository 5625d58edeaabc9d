// Kerchunk's Parquet sets, as fsspec's LazyReferenceMapper reads them: `.zmetadata`, and `<array>/refs.<n>.parq`.

import { type ErrorContext, malformed, overLimit } from '../../../errors.ts'
import { isJsonObject } from '../../../json/json.ts'
import { elementCount } from '../../../model/shape.ts'
import type { SkippedArray, VirtualNode } from '../../../model/virtual-store.ts'
import type { Source } from '../../../source/source.ts'
import type { ParseContext } from '../../format.ts'
import { MOST_DOCUMENT_BYTES, readObjectDocument } from '../../zarr-documents/node-documents.ts'
import { type PlaceArrays, treeOf } from '../../zarr-documents/to-tree.ts'
import { gridOf } from '../../zarr-documents/zarr-array.ts'
import { nodesOf } from '../nodes.ts'
import { withTexts } from '../text-members.ts'
import { parquetIndex } from './parquet-index.ts'

const MOST_RECORD_SIZE = 2 ** 24

/** Parses the metadata of a set; its references are read when chunks are. */
export async function readParquetSet(source: Source, context: ParseContext): Promise<VirtualNode> {
  const place: ErrorContext = { url: source.url, format: 'kerchunk' }
  if (source.size > MOST_DOCUMENT_BYTES)
    throw overLimit(`metadata of ${source.size} bytes, at most ${MOST_DOCUMENT_BYTES} are read`, place)
  const bytes = await source.read({ offset: 0, length: source.size }, { signal: context.signal })
  const document = await readObjectDocument(bytes, place)
  const { metadata, record_size: recordSize } = document
  if (!isJsonObject(metadata)) throw malformed('a Parquet set has no metadata', place)
  if (
    typeof recordSize !== 'number' ||
    !Number.isInteger(recordSize) ||
    recordSize < 1 ||
    recordSize > MOST_RECORD_SIZE
  ) {
    throw malformed(`record_size is no whole number from 1 to ${MOST_RECORD_SIZE}`, place)
  }
  const nodes = nodesOf(new Map(Object.entries(metadata)), place, context.warn.bind(context))
  if (nodes.size === 0) throw malformed('the metadata of a Parquet set holds no .zgroup and no .zarray', place)
  return withTexts(await treeOf(nodes, source.url, context, placeRecords(source, recordSize, context)))
}

function placeRecords(source: Source, recordSize: number, context: ParseContext): PlaceArrays {
  const root = new URL('.', source.url).href
  return async () => (path, array) => {
    const gridShape = gridOf(array)
    const count = elementCount(gridShape)
    if (!Number.isSafeInteger(count)) return tooMany(count)
    const folder = path === '' ? root : `${root}${path.split('/').map(encodeURIComponent).join('/')}/`
    return {
      encodings: [array.encoding],
      chunks: parquetIndex({ path, gridShape, recordSize, folder, source, context }),
    }
  }
}

function tooMany(count: number): SkippedArray {
  return { kind: 'skipped', code: 'limit-exceeded', reason: `a grid of ${count} chunks, at most 2^53 are served` }
}

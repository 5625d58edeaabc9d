import { zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { unsupported } from '../../errors.ts'
import type { Json } from '../../json/json.ts'
import { writeJson } from '../../json/write.ts'
import { elementCount } from '../../model/shape.ts'
import type { ArrayNode } from '../open-store.ts'
import type { StoreDescription } from '../store-service.ts'
import { type ArrayExport, type ExportTools, withArrayExport } from './array.ts'
import { loadIndexes } from './load-indexes.ts'
import { InlineRoom } from './made.ts'
import { aboutExport, groupAttributes, leaveOut, refuseIfNothingIsExported } from './plan.ts'
import { ExportProgress } from './progress.ts'
import { type ExportedReference, ReferenceExporter } from './references.ts'

/** References a file: fsspec reads a file whole to find one of them. */
const RECORD_SIZE = 10_000

/** fastparquet takes integers without statistics for floats, since some might be missing: and fsspec then asks for bytes "0.0-8.0". */
const WHOLE_NUMBERS = { type: 'INT64', nullable: false, statistics: true } as const

/** One file of a set, by its path below the set's folder. */
export type SetFile = readonly [path: string, bytes: Uint8Array]

/**
 * The store as a Parquet set for fsspec's `LazyReferenceMapper`, file by file, so that a set of any size takes the memory of
 * one. Its readers know Zarr v2 alone. `.zmetadata` comes last: it describes only what was written whole.
 */
export async function* exportParquet(
  description: StoreDescription,
  progress: ExportProgress = new ExportProgress(description),
): AsyncGenerator<SetFile> {
  const tools = { references: new ReferenceExporter(description), room: new InlineRoom(), progress }
  const metadata: Record<string, Json> = {}
  const left = progress.leftOut
  await loadIndexes(description.store)
  for (const [path, node] of description.store.nodes) {
    const prefix = path === '' ? '' : `${path}/`
    if (node.kind === 'skipped') left[path] = node.skipped.reason
    if (node.kind === 'group') {
      metadata[`${prefix}.zgroup`] = { zarr_format: 2 }
      metadata[`${prefix}.zattrs`] = groupAttributes(node)
    }
    if (node.kind !== 'array') continue
    try {
      const array = yield* recordsOf(node, path, tools)
      const { zarray, zattrs } = array.documents()
      metadata[`${prefix}.zarray`] = zarray
      metadata[`${prefix}.zattrs`] = zattrs
    } catch (error) {
      leaveOut(left, path, error, description)
    }
  }
  refuseIfNothingIsExported(description, left)
  yield ['.zmetadata', Buffer.from(writeJson({ metadata, record_size: RECORD_SIZE, ...aboutExport(left) }))]
}

/** The first file shows most of what can't be exported, before anything of the array is written. */
async function* recordsOf(node: ArrayNode, path: string, tools: ExportTools): AsyncGenerator<SetFile, ArrayExport> {
  if (path === '') throw unsupported('array at the root', 'readers of Parquet sets know no array at the root')
  const { array, first } = await withArrayExport(node, tools, async (exporting) => ({
    array: exporting,
    first: await recordOf(exporting, 0),
  }))
  if (first !== undefined) yield [`${path}/refs.0.parq`, first]
  for (let record = 1; record * RECORD_SIZE < elementCount(array.gridShape); record++) {
    const file = await recordOf(array, record)
    if (file !== undefined) yield [`${path}/refs.${record}.parq`, file]
  }
  return array
}

/** One file; undefined where nothing was written, which fsspec leaves out too. */
async function recordOf(array: ArrayExport, record: number): Promise<Uint8Array | undefined> {
  const first = record * RECORD_SIZE
  const references: (ExportedReference | undefined)[] = []
  const end = Math.min(elementCount(array.gridShape), first + RECORD_SIZE)
  for await (const some of array.references(first, end)) references.push(...some.map(({ reference }) => reference))
  return references.some((reference) => reference !== undefined) ? recordFile(references) : undefined
}

/** Every file has as many rows as a record: readers look them up by position. */
function recordFile(references: readonly (ExportedReference | undefined)[]): Uint8Array {
  const rows = Array.from({ length: RECORD_SIZE }, (_, row) => references[row])
  const number = (of: (reference: ExportedReference) => number) =>
    BigInt64Array.from(rows, (reference) => BigInt(reference === undefined ? 0 : of(reference)))
  const buffer = parquetWriteBuffer({
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    statistics: false,
    rowGroupSize: RECORD_SIZE,
    columnData: [
      { name: 'path', type: 'STRING', nullable: true, data: rows.map((row) => urlOf(row) ?? null) },
      { name: 'offset', ...WHOLE_NUMBERS, data: number((row) => (row.kind === 'range' ? row.offset : 0)) },
      { name: 'size', ...WHOLE_NUMBERS, data: number((row) => (row.kind === 'range' ? row.length : 0)) },
      {
        name: 'raw',
        type: 'BYTE_ARRAY',
        nullable: true,
        data: rows.map((row) => (row?.kind === 'inline' ? row.bytes : null)),
      },
    ],
  })
  return new Uint8Array(buffer)
}

function urlOf(reference: ExportedReference | undefined): string | undefined {
  return reference === undefined || reference.kind === 'inline' ? undefined : reference.url
}

import { zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { unsupported } from '../errors.ts'
import type { Json } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import { gridCoordinates } from '../model/chunk-index.ts'
import { elementCount } from '../model/shape.ts'
import { v2ArrayDocument } from '../zarr/v2-document.ts'
import { v2Attributes } from './export.ts'
import {
  attributesOf,
  type ExportedReference,
  isLeftOut,
  type LeftOut,
  ReferenceExporter,
  refusalOf,
  refuseIfNothingIsExported,
  v2FillValue,
} from './export-plan.ts'
import type { ArrayNode } from './open-store.ts'
import type { StoreDescription } from './store-service.ts'

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
export async function* exportParquet(description: StoreDescription): AsyncGenerator<SetFile> {
  const exporter = new ReferenceExporter(description)
  const metadata: Record<string, Json> = {}
  const left: LeftOut = {}
  for (const [path, node] of description.store.nodes) {
    const prefix = path === '' ? '' : `${path}/`
    if (node.kind === 'skipped') left[path] = node.skipped.reason
    if (node.kind === 'group') {
      metadata[`${prefix}.zgroup`] = { zarr_format: 2 }
      metadata[`${prefix}.zattrs`] = attributesOf(node.own)
    }
    if (node.kind !== 'array') continue
    try {
      if (path === '') throw unsupported('array at the root', 'readers of Parquet sets know no array at the root')
      await checkArray(node, exporter)
      const zarray = v2ArrayDocument(node.array, node.plan.codecs, await v2FillValue(node.array))
      yield* recordsOf(node, path, exporter)
      metadata[`${prefix}.zarray`] = zarray
      metadata[`${prefix}.zattrs`] = v2Attributes(node)
    } catch (error) {
      if (!isLeftOut(error)) throw error
      left[path] = error.message
    }
  }
  refuseIfNothingIsExported(description, left)
  const about = Object.keys(left).length === 0 ? {} : { virtual_zarr: { not_exported: left } }
  yield ['.zmetadata', Buffer.from(writeJson({ metadata, record_size: RECORD_SIZE, ...about }))]
}

/** The first chunk shows most of what can't be exported, before anything of the array is written. */
async function checkArray(node: ArrayNode, exporter: ReferenceExporter): Promise<void> {
  const refusal = refusalOf(node)
  if (refusal !== undefined) throw unsupported('references', refusal)
  const { gridShape } = node.array.chunks
  if (elementCount(gridShape) > 0) await exporter.reference(node, gridCoordinates(0, gridShape))
}

async function* recordsOf(node: ArrayNode, path: string, exporter: ReferenceExporter): AsyncGenerator<SetFile> {
  const { gridShape } = node.array.chunks
  const total = elementCount(gridShape)
  for (let first = 0; first < total; first += RECORD_SIZE) {
    const references: (ExportedReference | undefined)[] = []
    const end = Math.min(total, first + RECORD_SIZE)
    for await (const { reference } of exporter.references(node, first, end)) references.push(reference)
    // A record that nothing was written in is left out, as fsspec does.
    if (references.some((reference) => reference !== undefined)) {
      yield [`${path}/refs.${first / RECORD_SIZE}.parq`, recordFile(references)]
    }
  }
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

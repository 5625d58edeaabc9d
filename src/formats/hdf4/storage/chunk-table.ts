// The table of a chunked element: a vdata of the class _HDF_CHK_TBL_, with a record for each chunk in the order of writing.
import { malformed } from '../../../errors.ts'
import { gridPosition } from '../../../model/chunk-index.ts'
import { ChunkRows, type ChunkTable } from '../../../model/chunk-table.ts'
import { elementCount } from '../../../model/shape.ts'
import type { ReadOptions } from '../../../source/source.ts'
import { elementName, type Hdf4File } from '../structures/hdf4-file.ts'
import { readContent } from '../structures/read-elements.ts'
import { TAG } from '../structures/tags.ts'
import type { Field, Vdata } from '../structures/vdata.ts'

/** Reference numbers have 16 bits. */
const MOST_CHUNKS = 65_536

/** Chunks by their position: the reference number of each. */
export type RefTable = ChunkTable<'ref'>

/** Reads the whole table: it is in no order. */
export async function readChunkTable(
  file: Hdf4File,
  table: Vdata,
  gridShape: readonly number[],
  options: ReadOptions,
): Promise<RefTable> {
  const rows = new ChunkRows('ref')
  const element = file.directory.find(TAG.vdata, table.ref)
  const place = { url: file.source.url, format: 'hdf4', offset: element?.offset }
  if (table.records > MOST_CHUNKS) throw malformed(`a table of ${table.records} chunks, at most ${MOST_CHUNKS}`, place)
  const needed = table.records * table.recordBytes
  if (element === undefined || needed === 0) return rows.table(elementCount(gridShape))
  const fields = fieldsOf(table, gridShape)
  const bytes = await readContent(file, element, MOST_TABLE_BYTES, options)
  if (bytes.length < needed) throw malformed(`${elementName(element)} holds ${bytes.length} of ${needed} bytes`, place)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let start = 0; start < needed; start += table.recordBytes) {
    const coords = gridShape.map((_, axis) =>
      axis < fields.rank ? view.getInt32(start + fields.origin + 4 * axis) : 0,
    )
    const tag = view.getUint16(start + fields.tag)
    const ref = view.getUint16(start + fields.ref)
    if (coords.some((at, axis) => at < 0 || at >= (gridShape[axis] ?? 0)) || ref === 0) continue
    if (tag !== TAG.chunk) throw malformed(`a chunk is element ${tag}/${ref}, expected ${TAG.chunk}`, place)
    rows.positions.push(gridPosition(coords, gridShape))
    rows.columns.ref.push(ref)
  }
  return rows.table(elementCount(gridShape))
}

/** Writers reserve more than they use. */
const MOST_TABLE_BYTES = 64 * 1024 * 1024

function fieldsOf({ fields, isInterlaced }: Vdata, gridShape: readonly number[]) {
  const fieldOf = (name: string, bytes: number): Field => {
    const found = fields.find((field) => Buffer.from(field.name).toString('latin1') === name)
    if (found === undefined || found.bytes !== bytes || !isInterlaced) {
      throw malformed(`the table of chunks has no field "${name}" of ${bytes} bytes`)
    }
    return found
  }
  // Components of pixels are an axis of their own here, along which no chunk is cut.
  const isOfPixels = gridShape.at(-1) === 1 && fields[0]?.bytes === 4 * (gridShape.length - 1)
  const rank = gridShape.length - (isOfPixels ? 1 : 0)
  const origin = fieldOf('origin', 4 * rank).offset
  return { rank, origin, tag: fieldOf('chk_tag', 2).offset, ref: fieldOf('chk_ref', 2).offset }
}

// Apache Parquet, "File Format" and parquet.thrift: the metadata at a file's end.
import { Cursor } from '../../../bytes/cursor.ts'
import { anyText } from '../../../bytes/text.ts'
import { malformed, overLimit, unsupported } from '../../../errors.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'
import { listField, numberField, readStruct, structField, type ThriftStruct, textField } from './thrift.ts'

const MOST_FOOTER_BYTES = 16 * 2 ** 20
const MAGIC = 0x31524150
const MOST_ROW_GROUPS = 100_000

/** What holds the values of a column in one row group. */
export interface ColumnChunk {
  readonly name: string
  /** 1 int32, 2 int64, 5 double, 6 bytes; others are no part of references. */
  readonly type: number
  readonly codec: number
  readonly offset: number
  readonly length: number
}

export interface RowGroup {
  readonly firstRow: number
  readonly rows: number
  readonly columns: ReadonlyMap<string, ColumnChunk>
}

export interface Footer {
  readonly rowGroups: readonly RowGroup[]
  /** Columns whose values may be null. */
  readonly optional: ReadonlySet<string>
}

/** Reads the footer: one request, where the file is no longer than what opening brought. */
export async function readFooter(source: Source, options: ReadOptions): Promise<Footer> {
  if (source.size < 12) throw malformed('a file of references is too short for Parquet')
  const end = await source.read({ offset: source.size - 8, length: 8 }, options)
  const tail = new Cursor(end, 'little', { base: source.size - 8 })
  const length = tail.u32()
  if (tail.u32() !== MAGIC) throw malformed('a file of references does not end as Parquet does')
  if (length > source.size - 12) throw malformed(`a footer of ${length} bytes in a file of ${source.size}`)
  if (length > MOST_FOOTER_BYTES) throw overLimit(`a footer of ${length} bytes, at most ${MOST_FOOTER_BYTES} are read`)
  const offset = source.size - 8 - length
  const bytes = await source.read({ offset, length }, options)
  return parseFooter(new Cursor(bytes, 'little', { base: offset }), source.size)
}

function parseFooter(cursor: Cursor, size: number): Footer {
  const metadata = readStruct(cursor)
  const [root, ...leaves] = listField(metadata, 2).filter(isStruct)
  if (root === undefined || numberField(root, 5) !== leaves.length) {
    throw unsupported('nested Parquet', 'a file of references has nested columns')
  }
  const optional = new Set<string>()
  for (const leaf of leaves) {
    if (numberField(leaf, 3) === 1) optional.add(textField(leaf, 4))
    if (numberField(leaf, 3) === 2) throw unsupported('nested Parquet', 'a file of references has repeated columns')
  }
  const groups = listField(metadata, 4).filter(isStruct)
  if (groups.length > MOST_ROW_GROUPS)
    throw overLimit(`more than ${MOST_ROW_GROUPS} row groups in a file of references`)
  let firstRow = 0
  const rowGroups = groups.map((group) => {
    const rows = numberField(group, 3) ?? 0
    if (rows < 0 || rows > 2 ** 40) throw cursor.fail(`a row group of ${rows} rows`)
    const columns = listField(group, 1)
      .filter(isStruct)
      .map((chunk) => columnOf(chunk, cursor, size))
    const parsed = { firstRow, rows, columns: new Map(columns.map((column) => [column.name, column])) }
    firstRow += rows
    return parsed
  })
  return { rowGroups, optional }
}

function columnOf(chunk: ThriftStruct, cursor: Cursor, size: number): ColumnChunk {
  const metadata = structField(chunk, 3)
  if (metadata === undefined) throw cursor.fail('a column without metadata')
  if (textField(chunk, 1) !== '') throw unsupported('Parquet in several files', 'a column that lies in another file')
  const path = listField(metadata, 3)
  const [first] = path
  const data = numberField(metadata, 9) ?? 0
  const dictionary = numberField(metadata, 11)
  // Some writers give 0 for "none".
  const offset = dictionary === undefined || dictionary <= 0 ? data : Math.min(dictionary, data)
  const length = numberField(metadata, 7) ?? 0
  if (offset < 4 || length < 0 || length > size - offset) throw cursor.fail(`a column at bytes ${offset}+${length}`)
  return {
    name: first instanceof Uint8Array ? anyText(first) : '',
    type: numberField(metadata, 1) ?? -1,
    codec: numberField(metadata, 4) ?? -1,
    offset,
    length,
  }
}

function isStruct(value: unknown): value is ThriftStruct {
  return value instanceof Map
}

import { GrowingBytes } from '../../../bytes/growing.ts'
import { anyText, latin1Text } from '../../../bytes/text.ts'
import { malformed, overLimit } from '../../../errors.ts'
import { MOST_TEXT_BYTES, TextTable } from '../../../model/text-table.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'
import { type ReferenceNumbers, type ReferenceTable, referenceRows } from '../reference-classes.ts'
import { broken, FIRST_URL, INLINE, inlineBytes, WHOLE } from '../reference-codes.ts'
import { type Cell, readColumn } from './column.ts'
import type { Footer, RowGroup } from './footer.ts'

const COLUMNS = ['path', 'offset', 'size', 'raw'] as const
/** Rows are decoded a group at a time; sets are written with 10,000 to 100,000. */
const MOST_ROWS = 2 ** 21
const BASE64_MARK = Buffer.from('base64:')

/** The references of one row group: a table, and what it points into. */
export interface LoadedRows {
  readonly table: ReferenceTable
  readonly urls: TextTable
  readonly inline: Uint8Array
  readonly weight: number
}

/** Reads the columns of a row group of a `refs.N.parq`. */
export async function readRows(
  source: Source,
  footer: Footer,
  group: RowGroup,
  options: ReadOptions,
): Promise<LoadedRows> {
  if (group.rows > MOST_ROWS) throw overLimit(`a row group of ${group.rows} references, at most ${MOST_ROWS} are read`)
  const [path, offset, size, raw] = await Promise.all(
    COLUMNS.map(async (name) => {
      const column = group.columns.get(name)
      if (column === undefined) return undefined
      return await readColumn(source, column, group.rows, footer.optional.has(name), options)
    }),
  )
  if (path === undefined || offset === undefined || size === undefined) {
    throw malformed('a file of references has not all of the columns path, offset and size', { url: source.url })
  }
  const urls = new TextTable()
  const inline = new GrowingBytes()
  const rows = referenceRows()
  for (let row = 0; row < group.rows; row++) {
    const cell = {
      path: path[row] ?? null,
      offset: offset[row] ?? 0,
      size: size[row] ?? 0,
      raw: raw?.[row] ?? null,
    }
    const numbers = referenceOf(cell, urls, inline)
    if (numbers === undefined) continue
    rows.positions.push(row)
    rows.columns.target.push(numbers.target)
    rows.columns.offset.push(numbers.offset)
    rows.columns.length.push(numbers.length)
  }
  urls.freeze()
  const table = rows.table(group.rows)
  const bytes = inline.finished()
  return { table, urls, inline: bytes, weight: table.weight + urls.weight() + bytes.length }
}

interface Cells {
  readonly path: Cell
  readonly offset: Cell
  readonly size: Cell
  readonly raw: Cell
}

/** fsspec's reading of a row: bytes where there are some, a place otherwise; without either nothing was written. */
function referenceOf(
  { path, offset, size, raw }: Cells,
  urls: TextTable,
  inline: GrowingBytes,
): ReferenceNumbers | undefined {
  if (raw instanceof Uint8Array) return inlined(raw, inline)
  if (!(path instanceof Uint8Array) || path.length === 0) return undefined
  if (path.length > MOST_TEXT_BYTES / 2) return broken('has an empty URL, or one that is too long')
  const isPlace = isWhole(offset) && isWhole(size) && Number.isSafeInteger(offset + size)
  if (!isPlace) return broken('has an offset or length that is no whole number from 0 to 2^53')
  if (size === 0 && offset !== 0) return broken('has a length of 0')
  // The table keeps URLs as JSON spells them.
  const url = Buffer.from(JSON.stringify(anyText(path))).subarray(1, -1)
  return { target: FIRST_URL + urls.add(url), offset, length: size === 0 ? WHOLE : size }
}

function isWhole(cell: Cell): cell is number {
  return typeof cell === 'number' && Number.isSafeInteger(cell) && cell >= 0
}

function inlined(raw: Uint8Array, inline: GrowingBytes) {
  const isText = BASE64_MARK.equals(raw.subarray(0, BASE64_MARK.length))
  const bytes = isText ? inlineBytes(latin1Text(raw)) : raw
  if (typeof bytes === 'string') return broken(bytes)
  if (bytes.length === 0) return broken('holds no bytes')
  const numbers = { target: INLINE, offset: inline.length, length: bytes.length }
  inline.push(bytes)
  return numbers
}

// FITS Standard 4.0, section 7.3: where the columns of a binary table lie.
import { malformed } from '../../errors.ts'
import { rowArray } from '../../model/run-chunks.ts'
import { type BinaryForm, binaryForm } from './column-form.ts'
import type { Hdu } from './hdu.ts'
import { countOf } from './header.ts'
import type { FitsFile } from './image.ts'
import { type Column, columnsOf } from './table.ts'

/** A column with its form and its place in the row. */
export interface BinaryColumn extends Column {
  readonly binary: BinaryForm
  /** Of its first byte in a row. */
  readonly at: number
}

/** The columns of a binary table; throws where they are longer than a row. */
export function binaryColumns(hdu: Hdu, path: string): BinaryColumn[] {
  let at = 0
  const columns = columnsOf(hdu, path).map((column) => {
    const binary = binaryForm(column.form)
    if (binary === undefined)
      throw malformed(`TFORM${column.number} is "${column.form}", which is no format`, column.place)
    const placed = { ...column, binary, at }
    at += binary.width
    return placed
  })
  const rowBytes = hdu.axes[0] ?? 0
  if (at > rowBytes) throw malformed(`the columns take ${at} bytes of a row of ${rowBytes}`, hdu.header.place)
  return columns
}

/** Where the values of a column lie. */
export function placedColumn(
  hdu: Hdu,
  column: BinaryColumn,
  cell: readonly number[],
  itemSize: number,
  file: FitsFile,
  mostRows?: number,
) {
  return rowArray({
    offset: hdu.data.offset + column.at,
    stride: hdu.axes[0] ?? 0,
    rows: hdu.axes[1] ?? 0,
    cell,
    itemSize,
    fileSize: file.size,
    place: column.place,
    mostRows,
  })
}

/** Where the heap begins and ends (section 7.3.5). */
export function heapOf({ header, axes, data }: Hdu): { readonly offset: number; readonly end: number } {
  const main = (axes[0] ?? 0) * (axes[1] ?? 0)
  return { offset: data.offset + countOf(header, 'THEAP', main), end: data.offset + data.length }
}

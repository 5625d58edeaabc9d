// FITS Standard 4.0, section 7.2: ASCII tables, whose numbers are written as FORTRAN writes them.
import { fitsAscii } from '../../codecs/fits/columns.ts'
import { malformed } from '../../errors.ts'
import type { DataType } from '../../model/data-type.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { rowArray } from '../../model/run-chunks.ts'
import { type Member, NO_SENTINELS, type VirtualGroup } from '../../model/virtual-store.ts'
import { textOfLength } from './binary-table.ts'
import { type AsciiForm, asciiForm } from './column-form.ts'
import type { Hdu } from './hdu.ts'
import { countOf, textOf } from './header.ts'
import type { FitsFile } from './image.ts'
import { type Column, columnFill, columnsOf, describedBy, tableGroup } from './table.ts'

/** So many digits always fit into 32 bits. */
const SHORT_DIGITS = 9

/** A table as a group of its columns. */
export function asciiTable(hdu: Hdu, path: string, file: FitsFile): VirtualGroup {
  return tableGroup(hdu, columnsOf(hdu, path), (column) => [[column.name, columnArray(hdu, column, file)]])
}

function columnArray(hdu: Hdu, column: Column, file: FitsFile): Member {
  const form = asciiForm(column.form)
  if (form === undefined) throw malformed(`TFORM${column.number} is "${column.form}", which is no format`, column.place)
  const array = { kind: 'array', ...placed(hdu, column, form, file) } as const
  if (form.code === 'A') {
    const attributes = describedBy(hdu.header, column)
    return { ...array, ...textOfLength(form.width), fillOrigin: 'empty text', sentinels: NO_SENTINELS, attributes }
  }
  const dataType = typeOf(form)
  const missing = textOf(hdu.header, `TNULL${column.number}`)?.trim()
  const parameters = { width: form.width, decimals: form.decimals, ...(missing === undefined ? {} : { missing }) }
  return {
    ...array,
    dataType,
    encodings: [[fitsAscii.stored(parameters), ...rawEncoding('big')]],
    ...columnFill(hdu.header, column, dataType, file, missing === undefined ? undefined : sentinelOf(dataType)),
  }
}

function placed(hdu: Hdu, column: Column, { width }: AsciiForm, file: FitsFile) {
  const [rowBytes = 0, rows = 0] = hdu.axes
  const begin = countOf(hdu.header, `TBCOL${column.number}`)
  if (begin < 1 || begin - 1 + width > rowBytes) {
    throw malformed(`column ${column.number} lies outside of a row of ${rowBytes} characters`, column.place)
  }
  return rowArray({
    offset: hdu.data.offset + begin - 1,
    stride: rowBytes,
    rows,
    cell: [],
    itemSize: width,
    fileSize: file.size,
    place: column.place,
  })
}

function typeOf({ code, width }: AsciiForm): DataType {
  if (code !== 'I') return { kind: 'float', bits: 64 }
  return { kind: 'int', bits: width <= SHORT_DIGITS ? 32 : 64 }
}

/** TNULL is a text: where it stands the codec puts the smallest integer, or NaN, which needs no sentinel. */
function sentinelOf(type: DataType): number | bigint | undefined {
  if (type.kind !== 'int') return undefined
  return type.bits === 32 ? -(2 ** 31) : -(2n ** 63n)
}

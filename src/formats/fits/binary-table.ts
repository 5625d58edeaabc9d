// FITS Standard 4.0, section 7.3: binary tables, column by column.
import { fitsLogical, fitsText } from '../../codecs/fits/columns.ts'
import { fixedText } from '../../codecs/own/fixed-text.ts'
import { malformed } from '../../errors.ts'
import { type Encoding, rawEncoding } from '../../model/encoding.ts'
import {
  type Member,
  NO_SENTINELS,
  type StoredArray,
  type VirtualArray,
  type VirtualGroup,
} from '../../model/virtual-store.ts'
import { type BinaryColumn, binaryColumns, placedColumn } from './binary-columns.ts'
import { dimensionsOf, valueSize, valueType } from './column-form.ts'
import type { Hdu } from './hdu.ts'
import { textOf } from './header.ts'
import { heapMembers } from './heap-columns.ts'
import type { FitsFile } from './image.ts'
import { columnFill, describedBy, tableGroup } from './table.ts'

/** A table as a group of its columns. */
export function binaryTable(hdu: Hdu, path: string, file: FitsFile): VirtualGroup {
  const columns = binaryColumns(hdu, path)
  const names = new Set(columns.map(({ name }) => name))
  return tableGroup(hdu, columns, (column) => {
    const binary = columns[column.number - 1]
    if (binary === undefined) return []
    if (binary.binary.heap !== undefined) return heapMembers(hdu, binary, names, file)
    return [[column.name, columnArray(hdu, binary, file)]]
  })
}

function columnArray(hdu: Hdu, column: BinaryColumn, file: FitsFile): Member {
  const { code, repeat, width } = column.binary
  if (code === 'A') return textColumn(hdu, column, file)
  const dataType = valueType(code)
  if (dataType === undefined) throw malformed(`"${column.form}" is no column of values`, column.place)
  // Bits are served in the bytes that hold them, the first bit the highest: what they mean is rarely one by one.
  const cell = code === 'X' ? [width] : (dimensions(hdu, column, repeat) ?? (repeat === 1 ? [] : [repeat]))
  const array = { kind: 'array', ...placedColumn(hdu, column, cell, valueSize(code), file), dataType } as const
  if (code === 'L') {
    const encodings: readonly Encoding[] = [[fitsLogical.stored({}), ...rawEncoding('big')]]
    const fillValue = { kind: 'bool', value: false } as const
    const attributes = describedBy(hdu.header, column)
    return { ...array, encodings, fillValue, fillOrigin: 'false', sentinels: NO_SENTINELS, attributes }
  }
  if (code === 'X') {
    const attributes = describedBy(hdu.header, column).set('bits', repeat)
    const fillValue = { kind: 'number', value: 0 } as const
    return {
      ...array,
      encodings: [rawEncoding('big')],
      fillValue,
      fillOrigin: 'zero',
      sentinels: NO_SENTINELS,
      attributes,
    }
  }
  return { ...array, encodings: [rawEncoding('big')], ...columnFill(hdu.header, column, dataType, file) }
}

/** Text of a fixed number of characters; the first axis of TDIM is their number. */
function textColumn(hdu: Hdu, column: BinaryColumn, file: FitsFile): VirtualArray {
  const { repeat, textLength = repeat } = column.binary
  const lengths = dimensions(hdu, column, repeat) ?? listOfTexts(repeat, textLength)
  const length = lengths.at(-1) ?? 0
  const cell = lengths.slice(0, -1)
  const array = {
    kind: 'array',
    ...placedColumn(hdu, column, cell, length, file),
    fillOrigin: 'empty text',
    sentinels: NO_SENTINELS,
    attributes: describedBy(hdu.header, column),
  } as const
  return { ...array, ...textOfLength(length) }
}

function listOfTexts(repeat: number, length: number): number[] {
  return length > 0 && length < repeat && repeat % length === 0 ? [repeat / length, length] : [repeat]
}

/** Type and codec of text; no Zarr type is text of no characters, which nothing is stored of. */
export function textOfLength(length: number): Pick<StoredArray, 'dataType' | 'encodings' | 'fillValue'> {
  if (length === 0) {
    return {
      dataType: { kind: 'string' },
      encodings: [[fixedText.stored({ encoding: 'bytes', length: 0 }), ...rawEncoding('big')]],
      fillValue: { kind: 'string', value: '' },
    }
  }
  return {
    dataType: { kind: 'fixed-text', encoding: 'bytes', length },
    encodings: [[fitsText.stored({ length }), ...rawEncoding('big')]],
    fillValue: { kind: 'bytes', value: new Uint8Array(0) },
  }
}

/** TDIMn in C order, when there is one that counts what a field has. */
function dimensions(hdu: Hdu, column: BinaryColumn, repeat: number): number[] | undefined {
  const text = textOf(hdu.header, `TDIM${column.number}`)
  return text === undefined ? undefined : dimensionsOf(text, repeat)
}

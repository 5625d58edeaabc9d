// FITS Standard 4.0, section 7.3.5: variable-length arrays, whose rows only point into the heap.
import { fitsLogical } from '../../codecs/fits/columns.ts'
import { fitsHeap } from '../../codecs/fits/heap.ts'
import { type Encoding, rawEncoding } from '../../model/encoding.ts'
import { otherGrid } from '../../model/other-grid.ts'
import { MOST_CHUNK_BYTES } from '../../model/run-chunks.ts'
import { type Member, NO_SENTINELS } from '../../model/virtual-store.ts'
import { type BinaryColumn, heapOf, placedColumn } from './binary-columns.ts'
import { type BinaryCode, valueSize, valueType } from './column-form.ts'
import type { Hdu } from './hdu.ts'
import { numbered } from './hdu-names.ts'
import type { FitsFile } from './image.ts'
import { columnFill, describedBy } from './table.ts'

/** Texts in one chunk: each may be anywhere in the heap. */
const MOST_TEXTS = 4096

/**
 * Text is text; rows of numbers are as long as the longest may be, filled up with the fill value, and `<name>_length` says how
 * many of each are its own.
 */
export function heapMembers(
  hdu: Hdu,
  column: BinaryColumn,
  names: ReadonlySet<string>,
  file: FitsFile,
): (readonly [string, Member])[] {
  const { heap, repeat } = column.binary
  if (heap === undefined || repeat === 0) return [[column.name, skipped(`its format is "${column.form}"`)]]
  if (heap.code === 'A') return [[column.name, textMember(hdu, column, file)]]
  if (heap.code === 'X' || heap.most === undefined) {
    const reason = heap.code === 'X' ? 'are bits' : 'have no greatest length in TFORM'
    return [[column.name, skipped(`its rows are of different length and ${reason}`)]]
  }
  const { code, most } = { ...heap, most: heap.most }
  const lengths = numbered(`${column.name}_length`, names)
  return [
    [column.name, paddedMember(hdu, column, code, most, file)],
    [lengths, lengthMember(hdu, column, file)],
  ]
}

function skipped(reason: string): Member {
  return { kind: 'skipped', code: 'unsupported-feature', reason }
}

function heapCodec(hdu: Hdu, column: BinaryColumn): Encoding {
  const { offset, end } = heapOf(hdu)
  const descriptor = column.binary.code === 'Q' ? 64 : 32
  return [fitsHeap.stored({ descriptor, offset, end })]
}

function textMember(hdu: Hdu, column: BinaryColumn, file: FitsFile): Member {
  return {
    kind: 'array',
    ...placedColumn(hdu, column, [], column.binary.width, file, MOST_TEXTS),
    dataType: { kind: 'string' },
    encodings: [heapCodec(hdu, column)],
    fillValue: { kind: 'string', value: '' },
    fillOrigin: 'empty text',
    sentinels: NO_SENTINELS,
    attributes: describedBy(hdu.header, column),
  }
}

function paddedMember(hdu: Hdu, column: BinaryColumn, code: BinaryCode, most: number, file: FitsFile): Member {
  const dataType = valueType(code)
  if (dataType === undefined) return skipped(`its format is "${column.form}"`)
  const rowBytes = Math.max(1, most * valueSize(code))
  const mostRows = Math.max(1, Math.min(MOST_TEXTS, Math.floor(MOST_CHUNK_BYTES / rowBytes)))
  const placed = placedColumn(hdu, column, [], column.binary.width, file, mostRows)
  const length = Math.max(1, most)
  const grid = [...placed.chunks.gridShape, most === 0 ? 0 : 1]
  const isBool = code === 'L'
  const array = {
    kind: 'array',
    shape: [...placed.shape, most],
    chunkShape: [...placed.chunkShape, length],
    edges: placed.edges,
    chunks: otherGrid({ chunks: placed.chunks, gridShape: grid, from: [0] }),
    dataType,
  } satisfies Partial<Member>
  if (isBool) {
    return {
      ...array,
      encodings: [[fitsLogical.stored({}), ...heapCodec(hdu, column)]],
      fillValue: { kind: 'bool', value: false },
      fillOrigin: 'false',
      sentinels: NO_SENTINELS,
      attributes: describedBy(hdu.header, column),
    }
  }
  return { ...array, encodings: [heapCodec(hdu, column)], ...columnFill(hdu.header, column, dataType, file) }
}

/** The first number of each descriptor. */
function lengthMember(hdu: Hdu, column: BinaryColumn, file: FitsFile): Member {
  const bits = column.binary.code === 'Q' ? 64 : 32
  return {
    kind: 'array',
    ...placedColumn(hdu, column, [], bits / 8, file),
    dataType: { kind: 'int', bits },
    encodings: [rawEncoding('big')],
    fillValue: bits === 64 ? { kind: 'bigint', value: 0n } : { kind: 'number', value: 0 },
    fillOrigin: 'zero',
    sentinels: NO_SENTINELS,
    attributes: new Map(),
  }
}

// Compressions 32766 and 32809, which no specification describes: what libtiff reads and GDAL's test files hold.
import { malformed } from '../../errors.ts'
import type { ChunkLayout, Elements } from '../codec.ts'
import { internalSerial, type NoParameters } from '../internal.ts'
import { samplesOfRow } from './unpack.ts'

const WHITE = 3
const LITERAL_ROW = 0x00
const LITERAL_SPAN = 0x40

/** NeXT's grey of 2 bits. */
export const tiffNext = internalSerial<NoParameters>({
  name: 'vz.tiff-next',
  prepare: (_parameters, layout) => ({ decode: (bytes) => pixelRows(bytes, layout, nextRow) }),
})

/** Reads one row of pixels, all white; returns where the next one begins. */
type ReadRow = (bytes: Uint8Array, start: number, row: Uint8Array) => number

function pixelRows(bytes: Uint8Array, layout: ChunkLayout, readRow: ReadRow): Elements {
  const columns = samplesOfRow(layout)
  const pixels = new Uint8Array((layout.shape[0] ?? 1) * columns).fill(WHITE)
  let at = 0
  for (let start = 0; start < pixels.length; start += columns) {
    at = readRow(bytes, at, pixels.subarray(start, start + columns))
  }
  return { kind: 'fixed', bytes: pixels }
}

function nextRow(bytes: Uint8Array, start: number, row: Uint8Array): number {
  const rowBytes = Math.ceil(row.length / 4)
  const kind = byteAt(bytes, start)
  if (kind === LITERAL_ROW) return literals(bytes, start + 1, rowBytes, row, 0)
  if (kind === LITERAL_SPAN) {
    const first = byteAt(bytes, start + 1) * 256 + byteAt(bytes, start + 2)
    const count = byteAt(bytes, start + 3) * 256 + byteAt(bytes, start + 4)
    if (first + count > rowBytes) throw malformed(`NeXT: bytes ${first} to ${first + count} of a row of ${rowBytes}`)
    return literals(bytes, start + 5, count, row, first)
  }
  let at = start
  for (let column = 0; column < row.length; at++) {
    const run = byteAt(bytes, at)
    const end = Math.min(row.length, column + (run & 0x3f))
    row.fill(run >> 6, column, end)
    column = end
  }
  return at
}

function literals(bytes: Uint8Array, start: number, count: number, row: Uint8Array, first: number): number {
  for (let i = 0; i < count; i++) {
    const byte = byteAt(bytes, start + i)
    for (let pixel = 0; pixel < 4; pixel++) row[(first + i) * 4 + pixel] = (byte >> (6 - 2 * pixel)) & 3
  }
  return start + count
}

/** Steps of the two kinds of differences; undefined where a difference is left out. */
const STEPS_OF_2_BITS = [0, 1, undefined, -1]
const STEPS_OF_3_BITS = [0, 1, 2, 3, undefined, -3, -2, -1]

/** ThunderScan's grey of 4 bits. */
export const tiffThunderscan = internalSerial<NoParameters>({
  name: 'vz.tiff-thunderscan',
  prepare: (_parameters, layout) => ({ decode: (bytes) => pixelRows(bytes, layout, thunderRow) }),
})

function thunderRow(bytes: Uint8Array, start: number, row: Uint8Array): number {
  let at = start
  let last = 0
  let column = 0
  const put = (value: number) => {
    last = value & 15
    if (column >= row.length) throw malformed(`ThunderScan: a row has more than ${row.length} pixels`)
    row[column++] = last
  }
  while (column < row.length) {
    const code = byteAt(bytes, at++)
    if (code < 64) {
      for (let i = 0; i < code; i++) put(last)
    } else if (code < 128) {
      for (const shift of [4, 2, 0]) step(STEPS_OF_2_BITS[(code >> shift) & 3], column < row.length)
    } else if (code < 192) {
      for (const shift of [3, 0]) step(STEPS_OF_3_BITS[(code >> shift) & 7], column < row.length)
    } else {
      put(code)
    }
  }
  return at

  function step(difference: number | undefined, isInside: boolean): void {
    if (difference !== undefined && isInside) put(last + difference)
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw malformed(`a block of ${bytes.length} bytes ends before its last row`)
  return byte
}

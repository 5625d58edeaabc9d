// RFC 2083, not interlaced.

import { Cursor } from '../../bytes/cursor.ts'
import { latin1Text } from '../../bytes/text.ts'
import { malformed, unsupported } from '../../errors.ts'
import { chunkMemory } from './chunk-memory.ts'
import { inflateZlib } from './inflate.ts'

/** What a picture says of itself. */
export interface PngHeader {
  readonly width: number
  readonly height: number
  /** Of a sample: 1, 2, 4, 8 or 16. */
  readonly bits: number
  /** Of a pixel. */
  readonly samples: number
}

/** A picture whose rows are still packed. */
interface Png {
  readonly header: PngHeader
  readonly data: Uint8Array
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10]
/** Samples of a pixel by colour type; a palette has none that are stored. */
const SAMPLES: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
])
const DEPTHS: readonly number[] = [1, 2, 4, 8, 16]

/** The header and the data of a picture. */
export function readPng(bytes: Uint8Array): Png {
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) throw malformed('a block is no PNG picture')
  const cursor = new Cursor(bytes, 'big')
  cursor.skip(8)
  let header: PngHeader | undefined
  const parts: Uint8Array[] = []
  while (cursor.remaining >= 12) {
    const length = cursor.u32()
    const kind = latin1Text(cursor.take(4))
    const content = cursor.take(length)
    cursor.skip(4)
    if (kind === 'IHDR') header = readHeader(content)
    else if (kind === 'IDAT') parts.push(content)
    else if (kind === 'IEND') break
  }
  if (header === undefined) throw malformed('a PNG picture has no header')
  return { header, data: Buffer.concat(parts) }
}

function readHeader(content: Uint8Array): PngHeader {
  const cursor = new Cursor(content, 'big')
  const size = { width: cursor.u32(), height: cursor.u32(), bits: cursor.u8() }
  const samples = SAMPLES.get(cursor.u8())
  cursor.skip(2)
  if (cursor.u8() !== 0 || samples === undefined || !DEPTHS.includes(size.bits)) {
    throw unsupported('PNG of this kind', 'PNG with a palette or interlaced is not decoded')
  }
  return { ...size, samples }
}

/** Bytes of a row: it ends on a whole byte. */
export function pngRowBytes({ width, bits, samples }: PngHeader): number {
  return Math.ceil((width * samples * bits) / 8)
}

/** The first rows, their filters undone. */
export function pngRows({ header, data }: Png, rows: number): Uint8Array {
  const rowBytes = pngRowBytes(header)
  const filtered = inflateZlib(data, header.height * (rowBytes + 1))
  if (filtered.length < rows * (rowBytes + 1)) throw malformed('a PNG picture ends before its last row')
  return unfiltered(filtered, rows, rowBytes, Math.max(1, (header.samples * header.bits) / 8))
}

/** PNG section 6: each row says how it was filtered. */
function unfiltered(filtered: Uint8Array, rows: number, rowBytes: number, pixelBytes: number): Uint8Array {
  const pixels = chunkMemory.take(rows * rowBytes)
  let above: Uint8Array = new Uint8Array(rowBytes)
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1)
    const current = pixels.subarray(row * rowBytes, (row + 1) * rowBytes)
    current.set(filtered.subarray(from + 1, from + 1 + rowBytes))
    unfilterRow(filtered[from] ?? 0, current, above, pixelBytes)
    above = current
  }
  return pixels
}

function unfilterRow(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  if (filter > 4) throw malformed(`a row of a PNG picture has the filter ${filter}`)
  if (filter === 0) return
  for (let at = 0; at < row.length; at++) {
    const left = at < pixelBytes ? 0 : (row[at - pixelBytes] ?? 0)
    const up = above[at] ?? 0
    const corner = at < pixelBytes ? 0 : (above[at - pixelBytes] ?? 0)
    row[at] = (row[at] ?? 0) + predicted(filter, left, up, corner)
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

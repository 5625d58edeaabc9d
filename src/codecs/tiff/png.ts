// Compression 34933: one PNG picture a block. RFC 2083.

import { Cursor } from '../../bytes/cursor.ts'
import { latin1Text } from '../../bytes/text.ts'
import { malformed, unsupported } from '../../errors.ts'
import type { ChunkLayout, SerialCodec } from '../codec.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'
import { requireSize } from '../kernels/wasm-decoder.ts'
import { inflateZlib } from '../zarr/inflate.ts'

/** Grey or colours of 8 or 16 bits, with or without alpha, not interlaced. */
export const tiffPng: SerialCodec = {
  kind: 'serial',
  name: 'vz.tiff-png',
  reach: 'internal',
  decode: (bytes, layout) => {
    const { header, data } = readPng(bytes)
    requireHeader(header, layout)
    const [rows = 1, columns = 1, samples = 1] = layout.shape
    const pixelBytes = (samples * header.bits) / 8
    const rowBytes = columns * pixelBytes
    const filtered = inflateZlib(data, header.height * (rowBytes + 1))
    if (filtered.length < rows * (rowBytes + 1)) throw malformed('a PNG picture ends before its last row')
    const pixels = unfiltered(filtered, rows, rowBytes, pixelBytes)
    return { kind: 'fixed', bytes: header.bits === 16 ? swapBytes(pixels, layout.dataType) : pixels }
  },
}

interface PngHeader {
  readonly width: number
  readonly height: number
  readonly bits: number
  readonly colour: number
  readonly interlaced: boolean
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10]
/** Samples of a pixel by colour type; a palette has none that are stored. */
const SAMPLES: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
])

function readPng(bytes: Uint8Array): { readonly header: PngHeader; readonly data: Uint8Array } {
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
  const size = { width: cursor.u32(), height: cursor.u32(), bits: cursor.u8(), colour: cursor.u8() }
  cursor.skip(2)
  return { ...size, interlaced: cursor.u8() !== 0 }
}

function requireHeader(header: PngHeader, { shape, dataType }: ChunkLayout): void {
  requireSize('a PNG block', header, shape)
  const samples = SAMPLES.get(header.colour)
  if (header.interlaced || samples === undefined || (header.bits !== 8 && header.bits !== 16)) {
    throw unsupported('PNG of this kind', 'PNG with a palette, interlaced or of less than 8 bits is not decoded')
  }
  if (samples !== (shape[2] ?? 1)) throw malformed(`a PNG block has ${samples} samples, expected ${shape[2] ?? 1}`)
  if (dataType.kind !== 'uint' || dataType.bits !== header.bits) {
    throw malformed(`a PNG block has samples of ${header.bits} bits, which are not those of its array`)
  }
}

/** PNG section 6: each row says how it was filtered. */
function unfiltered(filtered: Uint8Array, rows: number, rowBytes: number, pixelBytes: number): Uint8Array {
  const pixels = new Uint8Array(rows * rowBytes)
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

import { inflateSync } from 'node:zlib'

const SIGNATURE_LENGTH = 8
const HEADER_LENGTH = 13

/** A picture as red, green, blue and, maybe, alpha. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array
}

/** Decodes the PNG files that Chromium writes: 8 bits a sample, not interlaced (PNG specification, sections 9 and 11). */
export function decodePng(file: Buffer): Picture {
  const chunks: Buffer[] = []
  let header: Buffer | undefined
  for (let at = SIGNATURE_LENGTH; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') header = body
    if (type === 'IDAT') chunks.push(body)
    at += length + 12
  }
  if (header?.length !== HEADER_LENGTH) throw new Error('a PNG without header')
  const [width, height, colourType] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]]
  const channels = colourType === 6 ? 4 : 3
  return { width, height, channels, data: unfilter(inflateSync(Buffer.concat(chunks)), width, height, channels) }
}

function unfilter(rows: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const length = width * channels
  const data = new Uint8Array(length * height)
  for (let row = 0; row < height; row++) {
    const filter = rows[row * (length + 1)]
    for (let i = 0; i < length; i++) {
      const at = row * length + i
      const left = i < channels ? 0 : (data[at - channels] ?? 0)
      const above = row === 0 ? 0 : (data[at - length] ?? 0)
      const corner = row === 0 || i < channels ? 0 : (data[at - length - channels] ?? 0)
      data[at] = (rows[row * (length + 1) + 1 + i] ?? 0) + predicted(filter, left, above, corner)
    }
  }
  return data
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  const estimate = left + above - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - above), Math.abs(estimate - corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}

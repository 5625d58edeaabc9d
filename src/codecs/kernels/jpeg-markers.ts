// ITU-T T.81 annex B: what a JPEG stream says before and between its scans.
import { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'
import { type HuffmanTable, huffmanTable } from './jpeg-huffman.ts'

/** Tables that scans refer to by number; those of a stream may come from another one (TIFF's JPEGTables). */
export interface JpegTables {
  readonly quantization: Map<number, Uint16Array>
  readonly dc: Map<number, HuffmanTable>
  readonly ac: Map<number, HuffmanTable>
  restartInterval: number
}

/** One component of the frame: its samples lie in `blocksDown` rows of `blocksAcross` blocks. */
export interface JpegComponent {
  readonly id: number
  readonly horizontal: number
  readonly vertical: number
  readonly quantization: number
  /** Samples that belong to the image. */
  readonly width: number
  readonly height: number
  /** Blocks with those that fill up the last units of interleaved scans. */
  readonly blocksAcross: number
  readonly blocksDown: number
}

export interface JpegFrame {
  readonly precision: number
  readonly width: number
  readonly height: number
  readonly progressive: boolean
  readonly components: readonly JpegComponent[]
  readonly mostHorizontal: number
  readonly mostVertical: number
}

/** One scan: which components and coefficients it holds, and where its data begins. */
export interface JpegScan {
  readonly parts: readonly ScanPart[]
  readonly first: number
  readonly last: number
  readonly high: number
  readonly low: number
}

interface ScanPart {
  /** Place of the component in the frame. */
  readonly component: number
  readonly dc: number
  readonly ac: number
}

/** No tables yet. */
export function noTables(): JpegTables {
  return { quantization: new Map(), dc: new Map(), ac: new Map(), restartInterval: 0 }
}

/** Tables of one's own that begin as these. */
export function copiedTables({ quantization, dc, ac, restartInterval }: JpegTables): JpegTables {
  return { quantization: new Map(quantization), dc: new Map(dc), ac: new Map(ac), restartInterval }
}

export const MARKER = { start: 0xd8, end: 0xd9, scan: 0xda, quantization: 0xdb, huffman: 0xc4, restart: 0xdd } as const

/** The next marker and what it holds; undefined at the end of the bytes. */
export function nextMarker(bytes: Uint8Array, from: number) {
  let at = from
  while (at + 1 < bytes.length && !(bytes[at] === 0xff && (bytes[at + 1] ?? 0) !== 0 && bytes[at + 1] !== 0xff)) at++
  const marker = bytes[at + 1]
  if (marker === undefined) return undefined
  if (marker === MARKER.start || marker === MARKER.end || marker === 1 || (marker >= 0xd0 && marker <= 0xd7)) {
    return { marker, content: new Uint8Array(0), end: at + 2 }
  }
  const length = (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
  const end = at + 2 + length
  if (length < 2 || end > bytes.length) throw malformed(`JPEG marker ${marker.toString(16)} is cut off`)
  return { marker, content: bytes.subarray(at + 4, end), end }
}

/** Takes over tables; false for markers of anything else. */
export function readTables(marker: number, content: Uint8Array, tables: JpegTables): boolean {
  const cursor = new Cursor(content, 'big')
  if (marker === MARKER.quantization) while (cursor.remaining > 0) readQuantization(cursor, tables)
  else if (marker === MARKER.huffman) while (cursor.remaining > 0) readHuffman(cursor, tables)
  else if (marker === MARKER.restart) tables.restartInterval = cursor.u16()
  else return false
  return true
}

/** Places of coefficients in the order of a zigzag through the block. */
const ZIGZAG = Uint8Array.of(
  ...[0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48],
  ...[41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23],
  ...[30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63],
)

function readQuantization(cursor: Cursor, { quantization }: JpegTables): void {
  const head = cursor.u8()
  const table = new Uint16Array(64)
  for (const place of ZIGZAG) table[place] = head >> 4 ? cursor.u16() : cursor.u8()
  quantization.set(head & 15, table)
}

function readHuffman(cursor: Cursor, { dc, ac }: JpegTables): void {
  const head = cursor.u8()
  const counts = cursor.take(16)
  const values = cursor.take(counts.reduce((sum, count) => sum + count, 0))
  const tables = head >> 4 ? ac : dc
  tables.set(head & 15, huffmanTable(counts, values))
}

const BASELINE = 0xc0
const EXTENDED = 0xc1
const PROGRESSIVE = 0xc2

/** Whether a marker begins a frame, of any kind. */
export function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== MARKER.huffman && marker !== 0xc8 && marker !== 0xcc
}

/** The header of a frame; `unsupported-feature` names the kinds that are not decoded. */
export function readFrame(marker: number, content: Uint8Array): JpegFrame {
  if (marker !== BASELINE && marker !== EXTENDED && marker !== PROGRESSIVE) {
    const kind = marker === 0xc3 ? 'lossless' : marker >= 0xc9 ? 'arithmetic-coded' : 'hierarchical'
    throw unsupported(`${kind} JPEG`, `${kind} JPEG is not decoded`)
  }
  const cursor = new Cursor(content, 'big')
  const precision = cursor.u8()
  if (precision !== 8 && precision !== 12) throw malformed(`JPEG samples have ${precision} bits, expected 8 or 12`)
  const height = cursor.u16()
  const width = cursor.u16()
  if (height === 0) throw unsupported('JPEG height marker', 'JPEG whose height comes after the image is not decoded')
  if (width === 0) throw malformed('a JPEG image has no width')
  const count = cursor.u8()
  if (count === 0 || count > 4) throw malformed(`a JPEG image has ${count} components, expected 1 to 4`)
  const raw = Array.from({ length: count }, () => readComponent(cursor))
  const mostHorizontal = Math.max(...raw.map(({ horizontal }) => horizontal))
  const mostVertical = Math.max(...raw.map(({ vertical }) => vertical))
  const unitsAcross = Math.ceil(width / (8 * mostHorizontal))
  const unitsDown = Math.ceil(height / (8 * mostVertical))
  const components = raw.map((component) => ({
    ...component,
    width: Math.ceil((width * component.horizontal) / mostHorizontal),
    height: Math.ceil((height * component.vertical) / mostVertical),
    blocksAcross: unitsAcross * component.horizontal,
    blocksDown: unitsDown * component.vertical,
  }))
  return { precision, width, height, progressive: marker === PROGRESSIVE, components, mostHorizontal, mostVertical }
}

function readComponent(cursor: Cursor) {
  const id = cursor.u8()
  const factors = cursor.u8()
  const horizontal = factors >> 4
  const vertical = factors & 15
  if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) {
    throw malformed(`JPEG sampling factors are ${horizontal} and ${vertical}, expected 1 to 4`)
  }
  return { id, horizontal, vertical, quantization: cursor.u8() }
}

/** The header of a scan. */
export function readScan(content: Uint8Array, frame: JpegFrame): JpegScan {
  const cursor = new Cursor(content, 'big')
  const count = cursor.u8()
  const parts = Array.from({ length: count }, () => {
    const id = cursor.u8()
    const tables = cursor.u8()
    const component = frame.components.findIndex((candidate) => candidate.id === id)
    if (component === -1) throw malformed(`a JPEG scan names the component ${id}, which its frame lacks`)
    return { component, dc: tables >> 4, ac: tables & 15 }
  })
  const first = cursor.u8()
  const last = cursor.u8()
  const approximation = cursor.u8()
  const scan = { parts, first, last, high: approximation >> 4, low: approximation & 15 }
  const isSpectral = !frame.progressive || (last <= 63 && first <= last && (first === 0 ? last === 0 : count === 1))
  const isUnique = new Set(parts.map(({ component }) => component)).size === count
  if (count === 0 || count > 4 || !isSpectral || !isUnique || scan.low > 13) {
    throw malformed('a JPEG scan has a header that makes no sense')
  }
  return scan
}

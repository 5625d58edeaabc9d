// ITU-T T.81: JPEG of 8 or 12 bits, sequential or progressive, Huffman-coded.
import { malformed, overLimit } from '../../errors.ts'
import {
  copiedTables,
  isFrame,
  type JpegFrame,
  type JpegScan,
  type JpegTables,
  MARKER,
  nextMarker,
  noTables,
  readFrame,
  readScan,
  readTables,
} from './jpeg-markers.ts'
import { type JpegPicture, type JpegSamples, withJpegPicture } from './jpeg-picture.ts'
import type { JpegChroma } from './jpeg-shape.ts'

/** The tables of an abbreviated stream (TIFF's JPEGTables). */
export function readJpegTables(bytes: Uint8Array): JpegTables {
  const tables = noTables()
  for (let at = 0; ; ) {
    const found = nextMarker(bytes, at)
    if (found === undefined || found.marker === MARKER.end) return tables
    readTables(found.marker, found.content, tables)
    at = found.end
  }
}

export interface JpegOptions {
  readonly chroma: JpegChroma
  /** What is made of a frame; may refuse it before anything of its size is allocated. */
  plan(frame: JpegFrame): JpegPlan
}

interface JpegPlan {
  readonly rows: number
  /** Whether the first three components are YCbCr, and become RGB. */
  readonly toRgb: boolean
}

/** A decoded picture. */
export interface DecodedJpeg {
  readonly frame: JpegFrame
  /** Those of all components side by side, row by row; rows that the picture lacks are zero. */
  readonly samples: JpegSamples
}

/** Decodes a stream. */
export function decodeJpeg(bytes: Uint8Array, given: JpegTables, { chroma, plan }: JpegOptions): DecodedJpeg {
  // The stream adds its own to them, which are not those of the next one.
  const tables = copiedTables(given)
  const { frame, end } = readToFrame(bytes, tables)
  const { rows, toRgb } = plan(frame)
  const samples = withJpegPicture({ bytes, frame, chroma }, (picture) => {
    readScans(bytes, end, tables, picture)
    return picture.samples(rows, toRgb)
  })
  return { frame, samples }
}

/** The frame, and where what follows it begins. */
function readToFrame(bytes: Uint8Array, tables: JpegTables): { readonly frame: JpegFrame; readonly end: number } {
  for (let at = 0; ; ) {
    const found = nextMarker(bytes, at)
    if (found === undefined || found.marker === MARKER.end) throw malformed('a JPEG stream has no image')
    const { marker, content, end } = found
    if (isFrame(marker)) return { frame: readFrame(marker, content), end }
    if (marker === MARKER.scan) throw malformed('a JPEG scan comes before its frame')
    readTables(marker, content, tables)
    at = end
  }
}

/** A progressive picture may have as many scans as it likes, each over all of its blocks. */
const MOST_SCANS = 200
/** Blocks that all scans together may pass: sixteen scans of the largest picture that a chunk can be. */
const MOST_BLOCK_READS = 2 ** 26

function readScans(bytes: Uint8Array, from: number, tables: JpegTables, picture: JpegPicture): void {
  const { frame } = picture
  let scans = 0
  let blockReads = 0
  for (let at = from; ; ) {
    const found = nextMarker(bytes, at)
    if (found === undefined || found.marker === MARKER.end) {
      if (frame.progressive && found === undefined) throw malformed('a progressive JPEG stream is cut off')
      return
    }
    at = found.end
    if (isFrame(found.marker)) throw malformed('a JPEG stream has more than one image')
    if (found.marker !== MARKER.scan) readTables(found.marker, found.content, tables)
    else {
      if (++scans > MOST_SCANS) throw overLimit(`a JPEG picture has more than ${MOST_SCANS} scans`)
      const scan = readScan(found.content, frame)
      const units = unitsOf(scan, frame)
      blockReads += units.across * units.down * scan.parts.length
      if (blockReads > MOST_BLOCK_READS)
        throw overLimit(`a JPEG picture's scans pass more than ${MOST_BLOCK_READS} blocks`)
      picture.beginScan(scan, tables, units.across)
      at = readSegments(bytes, at, picture, units.across * units.down, tables.restartInterval)
    }
  }
}

/** How many units a scan has: blocks of a lone component, else what all have of the same place. */
function unitsOf({ parts }: JpegScan, frame: JpegFrame): { readonly across: number; readonly down: number } {
  const [only] = parts
  const alone = parts.length === 1 && only !== undefined ? frame.components[only.component] : undefined
  const { width, height, mostHorizontal, mostVertical } = frame
  if (alone !== undefined) return { across: Math.ceil(alone.width / 8), down: Math.ceil(alone.height / 8) }
  return { across: Math.ceil(width / (8 * mostHorizontal)), down: Math.ceil(height / (8 * mostVertical)) }
}

/** Reads a scan, from one restart marker to the next; returns where it ends. */
function readSegments(
  bytes: Uint8Array,
  from: number,
  picture: JpegPicture,
  units: number,
  restartInterval: number,
): number {
  const interval = restartInterval === 0 ? units : restartInterval
  let at = from
  for (let unit = 0; unit < units; unit += interval) {
    if (unit > 0) at = behindRestart(bytes, at)
    at = picture.openSegment(at, bytes.length)
    picture.readUnits(unit, Math.min(interval, units - unit))
  }
  return at
}

function behindRestart(bytes: Uint8Array, at: number): number {
  const found = nextMarker(bytes, at)
  if (found === undefined || found.marker < 0xd0 || found.marker > 0xd7) {
    throw malformed('a JPEG scan ends before its last block')
  }
  return found.end
}

// ITU-T T.87 (JPEG-LS), annex C: pictures, lossless or nearly so; the filter 32018 of HDF5, in which EUMETSAT's FCI data come.
import { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'
import { internalBytes, type NoParameters } from '../internal.ts'
import { JpegLsScan, type Rows, type ScanCoding } from '../kernels/jpegls-scan.ts'

/** Samples in bytes or little-endian pairs of them: component after component, or, where they are coded together, side by side. */
export const jpegLs = internalBytes<NoParameters>({
  name: 'vz.jpegls',
  prepare: () => ({ decode: (bytes, context) => decodeJpegLs(bytes, context.limit) }),
})

interface Size {
  readonly width: number
  readonly height: number
}

interface Frame extends Size {
  readonly bits: number
  readonly components: number
}

/** Parameters that replace the defaults; zero is the default (C.2.4.1.1). */
interface Presets {
  readonly maximum: number
  readonly thresholds: readonly [number, number, number]
  readonly reset: number
}

interface Picture {
  readonly frame: Frame
  readonly samples: Uint8Array | Uint16Array
  /** Components that were decoded. */
  decoded: number
}

const START = 0xffd8
const END = 0xffd9
const FRAME = 0xfff7
const SCAN = 0xffda
const PRESETS = 0xfff8
/** The kind of presets that has sizes beyond 16 bits. */
const OVERSIZE = 4
const RESTARTS = 0xffdd
const APPLICATIONS = [0xffe0, 0xffef] as const
const COMMENT = 0xfffe
const COLOUR_TRANSFORM = 0xffe8
const NO_PRESETS: Presets = { maximum: 0, thresholds: [0, 0, 0], reset: 0 }
const MOST_COMPONENTS = 255

/** The samples of a picture, at most `limit` bytes. */
export function decodeJpegLs(bytes: Uint8Array, limit: number): Uint8Array {
  const cursor = new Cursor(bytes, 'big')
  if (cursor.u16() !== START) throw malformed('a chunk is no JPEG-LS picture')
  let presets = NO_PRESETS
  let frame: Frame | undefined
  let oversize: Size | undefined
  let picture: Picture | undefined
  for (;;) {
    const marker = cursor.u16()
    if (marker === END) break
    const segment = new Cursor(cursor.take(cursor.u16() - 2), 'big')
    if (marker === FRAME && frame === undefined) frame = parseFrame(segment)
    else if (marker === PRESETS && segment.bytes[0] === OVERSIZE) oversize = parseOversize(segment)
    else if (marker === PRESETS) presets = parsePresets(segment)
    else if (marker === SCAN && frame !== undefined) {
      picture ??= pictureOf({ ...frame, ...oversize }, limit)
      cursor.skip(decodeScan(segment, cursor, presets, picture))
    } else checkIgnored(marker, segment)
  }
  if (picture === undefined || picture.decoded !== picture.frame.components)
    throw malformed('a JPEG-LS picture lacks some of its components')
  return asLittle(picture.samples)
}

function parseFrame(segment: Cursor): Frame {
  const [bits, height, width, components] = [segment.u8(), segment.u16(), segment.u16(), segment.u8()]
  for (let i = 0; i < components; i++) {
    segment.skip(1)
    if (segment.u8() !== 0x11) throw unsupported('JPEG-LS subsampling', 'JPEG-LS components of different sizes')
    segment.skip(1)
  }
  return { bits, width, height, components }
}

/** C.2.4.1.4: sizes of more than 16 bits, which the frame has as 0. */
function parseOversize(segment: Cursor): Size {
  segment.skip(1)
  const size = segment.u8()
  if (size < 2 || size > 4) throw malformed(`a JPEG-LS picture has its size in ${size} bytes, expected 2 to 4`)
  return { height: segment.uint(size), width: segment.uint(size) }
}

function pictureOf(frame: Frame, limit: number): Picture {
  const { bits, width, height, components } = frame
  if (bits < 2 || bits > 16 || height === 0 || width === 0 || components === 0 || components > MOST_COMPONENTS)
    throw malformed(`a JPEG-LS picture of ${components} x ${height} x ${width} samples of ${bits} bits`)
  const count = frame.width * frame.height * frame.components
  const bytes = count * (frame.bits > 8 ? 2 : 1)
  if (bytes > limit) throw malformed(`a JPEG-LS picture of ${bytes} bytes, at most ${limit} are expected`)
  return { frame, samples: frame.bits > 8 ? new Uint16Array(count) : new Uint8Array(count), decoded: 0 }
}

function parsePresets(segment: Cursor): Presets {
  const kind = segment.u8()
  if (kind !== 1) throw unsupported('JPEG-LS mapping tables', `JPEG-LS presets of kind ${kind}`)
  const [maximum, first, second, third, reset] = [
    segment.u16(),
    segment.u16(),
    segment.u16(),
    segment.u16(),
    segment.u16(),
  ]
  return { maximum, thresholds: [first, second, third], reset }
}

function checkIgnored(marker: number, segment: Cursor): void {
  if (marker === RESTARTS) throw unsupported('JPEG-LS restarts', 'JPEG-LS with restart intervals')
  // Hewlett-Packard's transforms of colours: "mrfx", and which one.
  if (marker === COLOUR_TRANSFORM && segment.remaining === 5 && segment.u32() === 0x6d726678 && segment.u8() !== 0)
    throw unsupported('JPEG-LS colour transform', 'JPEG-LS with transformed colours')
  const isIgnored = (marker >= APPLICATIONS[0] && marker <= APPLICATIONS[1]) || marker === COMMENT
  if (!isIgnored) throw malformed(`marker ${marker.toString(16)} in a JPEG-LS picture`)
}

/** Returns how many bytes the scan takes (C.2.3). */
function decodeScan(segment: Cursor, cursor: Cursor, presets: Presets, picture: Picture): number {
  const { frame } = picture
  const count = segment.u8()
  segment.skip(2 * count)
  const near = segment.u8()
  const interleaving = segment.u8()
  if (segment.u8() !== 0) throw unsupported('JPEG-LS point transform', 'JPEG-LS with a point transform')
  if (count === 0 || picture.decoded + count > frame.components || (interleaving === 0 && count > 1))
    throw malformed(`a scan of ${count} components in a JPEG-LS picture of ${frame.components}`)
  const coding = codingOf(frame, presets, near)
  const scan = new JpegLsScan(cursor.bytes.subarray(cursor.position), coding)
  const components = Array.from({ length: count }, (): Rows => {
    const length = frame.width + 2
    return { above: new Int32Array(length), row: new Int32Array(length), runIndex: 0 }
  })
  for (let y = 0; y < frame.height; y++) {
    if (interleaving === 2) scan.decodeRow(components, frame.width)
    else for (const rows of components) scan.decodeRow([rows], frame.width)
    components.forEach((rows, component) => {
      storeRow(picture, rows, y, component, count)
      ;[rows.above, rows.row] = [rows.row, rows.above]
    })
  }
  picture.decoded += count
  return scan.end()
}

/** Component after component, but those of one scan side by side. */
function storeRow({ frame, samples, decoded }: Picture, { row }: Rows, y: number, component: number, count: number) {
  let at = decoded * frame.width * frame.height + y * frame.width * count + component
  for (let x = 1; x <= frame.width; x++, at += count) samples[at] = row[x] ?? 0
}

/** C.2.4.1.1: what is zero or absent is the default. */
function codingOf({ bits }: Frame, presets: Presets, near: number): ScanCoding {
  const maximum = presets.maximum === 0 ? 2 ** bits - 1 : presets.maximum
  if (maximum >= 2 ** bits || near > Math.min(255, maximum >> 1))
    throw malformed(`JPEG-LS samples of ${bits} bits up to ${maximum}, ${near} from the original`)
  const defaults = defaultThresholds(maximum, near)
  const [first, second, third] = presets.thresholds.map((given, i) => (given === 0 ? (defaults[i] ?? 0) : given))
  if (first === undefined || second === undefined || third === undefined) throw new TypeError('three thresholds')
  if (first <= near || second < first || third < second || third > maximum)
    throw malformed(`JPEG-LS thresholds of ${first}, ${second} and ${third}`)
  return { maximum, near, thresholds: [first, second, third], reset: presets.reset === 0 ? 64 : presets.reset }
}

function defaultThresholds(maximum: number, near: number): readonly [number, number, number] {
  const within = (value: number, least: number) => (value > maximum || value < least ? least : value)
  if (maximum >= 128) {
    const factor = (Math.min(maximum, 4095) + 128) >> 8
    const first = within(factor + 2 + 3 * near, near + 1)
    const second = within(factor * 4 + 3 + 5 * near, first)
    return [first, second, within(factor * 17 + 4 + 7 * near, second)]
  }
  const factor = Math.floor(256 / (maximum + 1))
  const first = within(Math.max(2, Math.floor(3 / factor) + 3 * near), near + 1)
  const second = within(Math.max(3, Math.floor(7 / factor) + 5 * near), first)
  return [first, second, within(Math.max(4, Math.floor(21 / factor) + 7 * near), second)]
}

function asLittle(samples: Uint8Array | Uint16Array): Uint8Array {
  if (samples instanceof Uint8Array) return samples
  const view = new DataView(samples.buffer)
  // Typed arrays are in the order of the machine.
  for (let i = 0; i < samples.length; i++) view.setUint16(2 * i, samples[i] ?? 0, true)
  return new Uint8Array(samples.buffer)
}

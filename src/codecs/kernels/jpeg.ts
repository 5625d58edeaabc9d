// ITU-T T.81: JPEG of 8 or 12 bits, sequential or progressive, Huffman-coded.
import { malformed, overLimit } from '../../errors.ts'
import { JpegBlocks } from './jpeg-blocks.ts'
import { JpegBits } from './jpeg-huffman.ts'
import { BlockTransform, type JpegSamples } from './jpeg-idct.ts'
import {
  copiedTables,
  isFrame,
  type JpegComponent,
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
import { STANDARD_AC, STANDARD_DC } from './jpeg-standard-tables.ts'
import type { JpegPlane } from './jpeg-upsample.ts'

/** A decoded picture. */
export interface JpegPicture {
  readonly frame: JpegFrame
  readonly planes: readonly JpegPlane[]
}

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

/**
 * How components of a lower resolution are brought up. `transformed`: to twice the samples, as libjpeg 9 and with it rasterio's GDAL
 * does for 8 bits (12 are interpolated); `interpolated`: by a triangle filter, as libjpeg 6 and libjpeg-turbo, and with them imagecodecs
 * and Pillow; `repeated`: they keep it.
 */
export type JpegChroma = 'transformed' | 'interpolated' | 'repeated'

export interface JpegOptions {
  /** May refuse a frame before anything of its size is allocated. */
  check(frame: JpegFrame): void
  readonly chroma: JpegChroma
}

/** Decodes a stream. */
export function decodeJpeg(bytes: Uint8Array, given: JpegTables, { check, chroma }: JpegOptions): JpegPicture {
  // The stream adds its own to them, which are not those of the next one.
  const tables = copiedTables(given)
  let picture: PictureReader | undefined
  for (let at = 0; ; ) {
    const found = nextMarker(bytes, at)
    if (found === undefined || found.marker === MARKER.end) {
      if (picture === undefined) throw malformed('a JPEG stream has no image')
      return picture.finish(found !== undefined)
    }
    at = found.end
    if (readTables(found.marker, found.content, tables)) continue
    if (isFrame(found.marker)) {
      if (picture !== undefined) throw malformed('a JPEG stream has more than one image')
      const frame = readFrame(found.marker, found.content)
      check(frame)
      picture = new PictureReader(frame, chroma)
    } else if (found.marker === MARKER.scan) {
      if (picture === undefined) throw malformed('a JPEG scan comes before its frame')
      at = picture.readScan(bytes, at, readScan(found.content, picture.frame), tables)
    }
  }
}

/** A progressive picture may have as many scans as it likes, each over all of its blocks. */
const MOST_SCANS = 200
/** Blocks that all scans together may pass: sixteen scans of the largest picture that a chunk can be. */
const MOST_BLOCK_READS = 2 ** 26

class PictureReader {
  readonly frame: JpegFrame
  readonly #parts: readonly Part[]
  #scans = 0
  #blockReads = 0

  constructor(frame: JpegFrame, chroma: JpegChroma) {
    this.frame = frame
    this.#parts = frame.components.map((component) => new Part(component, frame, chroma))
  }

  /** Reads one scan that begins at `from`; returns where it ends. */
  readScan(bytes: Uint8Array, from: number, scan: JpegScan, tables: JpegTables): number {
    if (++this.#scans > MOST_SCANS) throw overLimit(`a JPEG picture has more than ${MOST_SCANS} scans`)
    const bits = new JpegBits()
    const blocks = new JpegBlocks(bits, scan, this.frame.progressive)
    const parts = scan.parts.flatMap(({ component, dc, ac }) => {
      const part = this.#parts[component]
      if (part === undefined) return []
      part.begin(scan, tables)
      const found = { dc: tables.dc.get(dc) ?? STANDARD_DC.get(dc), ac: tables.ac.get(ac) ?? STANDARD_AC.get(ac) }
      return [{ part, state: { ...found, prediction: 0 } }]
    })
    const [only] = parts
    const alone = only !== undefined && parts.length === 1
    const across = alone ? Math.ceil(only.part.component.width / 8) : this.#units('across')
    const down = alone ? Math.ceil(only.part.component.height / 8) : this.#units('down')
    this.#blockReads += across * down * parts.length
    if (this.#blockReads > MOST_BLOCK_READS)
      throw overLimit(`a JPEG picture's scans pass more than ${MOST_BLOCK_READS} blocks`)
    let at = bits.open(bytes, from)
    const interval = tables.restartInterval === 0 ? Number.POSITIVE_INFINITY : tables.restartInterval
    let untilRestart = interval
    for (let unit = 0; unit < across * down; unit++) {
      if (untilRestart-- === 0) {
        at = nextSegment(bits, bytes, at)
        blocks.restart()
        for (const { state } of parts) state.prediction = 0
        untilRestart = interval - 1
      }
      const column = unit % across
      const row = (unit - column) / across
      if (column === 0 && bits.isPast) throw malformed('a JPEG scan ends before its last block')
      if (alone) only.part.read(blocks, only.state, row, column)
      else for (const { part, state } of parts) part.readUnit(blocks, state, row, column)
    }
    if (bits.isPast) throw malformed('a JPEG scan ends before its last block')
    return at
  }

  /** The samples of all components. */
  finish(hasEnd: boolean): JpegPicture {
    if (this.frame.progressive && !hasEnd) throw malformed('a progressive JPEG stream is cut off')
    return { frame: this.frame, planes: this.#parts.map((part) => part.plane()) }
  }

  #units(axis: 'across' | 'down'): number {
    const { width, height, mostHorizontal, mostVertical } = this.frame
    return axis === 'across' ? Math.ceil(width / (8 * mostHorizontal)) : Math.ceil(height / (8 * mostVertical))
  }
}

/** Goes on behind a restart marker. */
function nextSegment(bits: JpegBits, bytes: Uint8Array, at: number): number {
  const found = nextMarker(bytes, at)
  if (bits.isPast || found === undefined || found.marker < 0xd0 || found.marker > 0xd7) {
    throw malformed('a JPEG scan ends before its last block')
  }
  return bits.open(bytes, found.end)
}

/** One component while it is read: blocks of sequential pictures become samples at once. */
class Part {
  readonly component: JpegComponent
  readonly #progressive: boolean
  readonly #coefficients: Int16Array
  readonly #plane: JpegPlane
  readonly #transformer: BlockTransform
  /** Samples of a block, in each direction. */
  readonly #across: number
  readonly #down: number
  #quantization: Uint16Array | undefined

  constructor(component: JpegComponent, frame: JpegFrame, chroma: JpegChroma) {
    const { precision, progressive, mostHorizontal, mostVertical } = frame
    this.component = component
    this.#progressive = progressive
    const { horizontal, vertical, blocksAcross, blocksDown, width, height } = component
    // GDAL reads 12 bits with an older library, which doesn't.
    const doubles = precision === 8 && chroma === 'transformed'
    const across = doubles && mostHorizontal % (2 * horizontal) === 0 ? 2 : 1
    const down = doubles && mostVertical % (2 * vertical) === 0 ? 2 : 1
    this.#across = 8 * across
    this.#down = 8 * down
    const blocks = blocksAcross * blocksDown
    const count = blocks * this.#across * this.#down
    const samples: JpegSamples = precision === 8 ? new Uint8Array(count) : new Uint16Array(count)
    const stride = blocksAcross * this.#across
    this.#plane = {
      samples,
      stride,
      width: width * across,
      height: height * down,
      across: mostHorizontal / (across * horizontal),
      down: mostVertical / (down * vertical),
      smooth: !doubles && chroma !== 'repeated',
    }
    this.#transformer = new BlockTransform({ samples, stride, precision, across, down })
    this.#coefficients = new Int16Array(progressive ? blocks * 64 : 64)
  }

  begin(scan: JpegScan, tables: JpegTables): void {
    if (this.#quantization === undefined && scan.first > 0) throw malformed('a JPEG component has no scan of its means')
    this.#quantization ??= tables.quantization.get(this.component.quantization)
    if (this.#quantization === undefined) throw malformed('a JPEG frame names a quantization table that was not given')
  }

  /** The blocks of one unit of an interleaved scan. */
  readUnit(blocks: JpegBlocks, state: BlockStateOf, row: number, column: number): void {
    const { horizontal, vertical } = this.component
    for (let y = 0; y < vertical; y++) {
      for (let x = 0; x < horizontal; x++) this.read(blocks, state, row * vertical + y, column * horizontal + x)
    }
  }

  read(blocks: JpegBlocks, state: BlockStateOf, row: number, column: number): void {
    if (this.#progressive) {
      blocks.read(state, this.#coefficients, (row * this.component.blocksAcross + column) * 64)
      return
    }
    this.#coefficients.fill(0)
    blocks.read(state, this.#coefficients, 0)
    this.#transform(0, row, column)
  }

  plane(): JpegPlane {
    const { blocksAcross, blocksDown } = this.component
    if (this.#quantization === undefined) throw malformed('a JPEG component was never stored')
    for (let block = 0; this.#progressive && block < blocksAcross * blocksDown; block++) {
      const column = block % blocksAcross
      this.#transform(block * 64, (block - column) / blocksAcross, column)
    }
    return this.#plane
  }

  #transform(from: number, row: number, column: number): void {
    if (this.#quantization === undefined) return
    const to = row * this.#down * this.#plane.stride + column * this.#across
    this.#transformer.transform(this.#coefficients, from, this.#quantization, to)
  }
}

type BlockStateOf = Parameters<JpegBlocks['read']>[0]

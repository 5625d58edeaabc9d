// A picture in the memory of wasm/jpeg.ts.
import { malformed } from '../../errors.ts'
import { chunkMemory } from './chunk-memory.ts'
import { HUFFMAN_BYTES, type HuffmanTable } from './jpeg-huffman.ts'
import type { JpegFrame, JpegScan, JpegTables } from './jpeg-markers.ts'
import { type JpegChroma, type JpegPart, jpegPart } from './jpeg-shape.ts'
import { STANDARD_AC, STANDARD_DC } from './jpeg-standard-tables.ts'
import { type JpegKernels, jpegKernels } from './wasm/jpeg.ts'

/** Samples of 8 or 12 bits. */
export type JpegSamples = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>

/** 64 factors, the same in 16 bits, and the most that a coefficient may be to stay in these. */
const QUANTIZATION_BYTES = 256 + 128 + 16
/** What is in the memory besides samples and coefficients, in front of a component's. */
const TABLES_BYTES = QUANTIZATION_BYTES + 2 * HUFFMAN_BYTES
const PART_WORDS = 18
/** Vectors are read and written beyond the end of rows. */
const MARGIN = 64
const BLOCK_BYTES = 128
/** Rows that are made at once stay in the processor's cache. */
const STRIPE_BYTES = 2 ** 17

/** What numbers of the kernels mean. */
const PROBLEMS: ReadonlyMap<number, string> = new Map([
  [-1, 'a JPEG scan holds a Huffman code that its table lacks'],
  [-2, 'a JPEG block has more than 64 coefficients'],
  [-3, 'a JPEG scan ends before its last block'],
])

/** Coefficients, in the order of the zigzag, without which libjpeg-turbo estimates them from neighbouring blocks. */
const SMOOTHED_COEFFICIENTS = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/** Sums of two coefficients, times their factors, fit 16 bits. */
const MOST_NARROW = 16_383

/** 65536 times what the blue difference takes away of green, as libjpeg rounds it. */
const GREEN = -22_554

/** What a picture is made of. */
export interface StoredJpeg {
  readonly bytes: Uint8Array
  readonly frame: JpegFrame
  readonly chroma: JpegChroma
}

/** Lends a picture whose scans can be read, as long as `work` goes on. */
export function withJpegPicture<Result>(input: StoredJpeg, work: (picture: JpegPicture) => Result): Result {
  const { bytes, frame, chroma } = input
  const { components, width, precision, progressive } = frame
  const parts = components.map((component) => jpegPart(component, frame, chroma))
  const size = precision === 8 ? 1 : 2
  const rowBytes = width * components.length * size
  const stripeRows = Math.max(1, Math.floor(STRIPE_BYTES / rowBytes))
  const lengths = [
    bytes.length,
    bytes.length + MARGIN,
    2 * width + 2 * MARGIN,
    stripeRows * rowBytes + MARGIN,
    ...parts.flatMap(({ component, stride, rows, width: columns, timesAcross }) => [
      TABLES_BYTES,
      progressive ? component.blocksAcross * component.blocksDown * BLOCK_BYTES : BLOCK_BYTES,
      stride * rows * size + MARGIN,
      columns * timesAcross * size + MARGIN,
    ]),
  ]
  return jpegKernels.use(lengths, (kernels, memory, ...places) => {
    memory.set(bytes, places[0])
    return work(new JpegPicture({ frame, parts, size, stripeRows, kernels, memory, places }))
  })
}

interface JpegPictureInput {
  readonly frame: JpegFrame
  readonly parts: readonly JpegPart[]
  /** Bytes of a sample. */
  readonly size: number
  readonly stripeRows: number
  readonly kernels: JpegKernels
  readonly memory: Uint8Array<ArrayBuffer>
  readonly places: readonly number[]
}

/** The picture while it is read. */
export class JpegPicture {
  readonly frame: JpegFrame
  readonly #input: JpegPictureInput
  /** Components that have their quantization table: that of their first scan. */
  readonly #begun = new Set<number>()
  /** By component, which of the first coefficients a progressive picture lacks, or lacks bits of. */
  readonly #incomplete: readonly Set<number>[]

  constructor(input: JpegPictureInput) {
    const { frame, parts, size, kernels, memory, places } = input
    this.frame = frame
    this.#input = input
    this.#incomplete = parts.map(() => new Set(frame.progressive ? SMOOTHED_COEFFICIENTS : []))
    kernels.setPicture(parts.length, frame.width, size - 1, (places[2] ?? 0) + MARGIN)
    const words = new Uint32Array(memory.buffer, kernels.partsAt(), parts.length * PART_WORDS)
    for (const [place, part] of parts.entries()) {
      const regions = this.#regionsOf(place)
      words.set(wordsOf(part, regions), place * PART_WORDS)
      if (frame.progressive) memory.fill(0, regions.coefficients, regions.samples)
    }
  }

  /** Says what is read from now on: `across` units are in a row. */
  beginScan(scan: JpegScan, tables: JpegTables, across: number): void {
    const kind = kindOf(scan, this.frame)
    let places = 0
    for (const [index, { component, dc, ac }] of scan.parts.entries()) {
      places |= component << (4 * index)
      this.#quantize(component, scan, tables)
      if (scan.low === 0) for (let k = scan.first; k <= scan.last; k++) this.#incomplete[component]?.delete(k)
      const { tables: at } = this.#regionsOf(component)
      if (kind < REFINED_MEAN) this.#put(tables.dc.get(dc) ?? STANDARD_DC.get(dc), at + QUANTIZATION_BYTES)
      if (kind === WHOLE || kind > REFINED_MEAN) {
        this.#put(tables.ac.get(ac) ?? STANDARD_AC.get(ac), at + QUANTIZATION_BYTES + HUFFMAN_BYTES)
      }
    }
    const { kernels } = this.#input
    kernels.setBand(scan.first, scan.last, scan.low)
    kernels.beginScan(kind, places, scan.parts.length, across)
  }

  /** Begins a segment between two restart markers; returns where the marker after it is. */
  openSegment(from: number, length: number): number {
    const { kernels, places } = this.#input
    const [input = 0, words = 0] = places
    return kernels.openSegment(input + from, input + length, words) - input
  }

  /** Reads units of a scan, all of a segment. */
  readUnits(from: number, count: number): void {
    const result = this.#input.kernels.readUnits(from, count)
    if (result < 0) throw malformed(PROBLEMS.get(result) ?? 'a JPEG scan is damaged')
  }

  /**
   * The first rows, the samples of all components side by side; rows that the picture lacks are zero. With `toRgb` the first three components are
   * YCbCr, and become RGB by ITU-R BT.601 in full range (JFIF).
   */
  samples(rows: number, toRgb: boolean): JpegSamples {
    const { frame, parts, size, stripeRows, kernels, memory, places } = this.#input
    if (this.#begun.size < parts.length) throw malformed('a JPEG component was never stored')
    // libjpeg-turbo smooths such blocks (jdcoefct.c, smoothing_ok): decoders show different pictures.
    if (this.#incomplete.some(({ size }) => size > 0)) throw malformed('a progressive JPEG stream lacks scans')
    if (frame.progressive) for (const place of parts.keys()) kernels.transformAll(place)
    const rowBytes = frame.width * parts.length * size
    const target = chunkMemory.zeros(rows * rowBytes)
    const stripe = places[3] ?? 0
    const last = Math.min(rows, frame.height)
    for (let first = 0; first < last; first += stripeRows) {
      const count = Math.min(stripeRows, last - first)
      kernels.writeRows(stripe, first, count, toRgb ? GREEN : 0)
      target.set(memory.subarray(stripe, stripe + count * rowBytes), first * rowBytes)
    }
    return size === 1 ? target : new Uint16Array(target.buffer)
  }

  #quantize(component: number, { first }: JpegScan, { quantization }: JpegTables): void {
    if (this.#begun.has(component)) return
    if (first > 0) throw malformed('a JPEG component has no scan of its means')
    const { memory, parts } = this.#input
    const factors = quantization.get(parts[component]?.component.quantization ?? -1)
    if (factors === undefined) throw malformed('a JPEG frame names a quantization table that was not given')
    const { tables } = this.#regionsOf(component)
    new Uint32Array(memory.buffer, tables, 64).set(factors)
    const narrow = new Uint16Array(memory.buffer, tables + 256, 65)
    narrow.set(factors)
    narrow[64] = Math.floor(MOST_NARROW / Math.max(1, ...factors))
    this.#begun.add(component)
  }

  #put(table: HuffmanTable | undefined, at: number): void {
    if (table === undefined) throw malformed('a JPEG scan names a Huffman table that was not given')
    this.#input.memory.set(table, at)
  }

  #regionsOf(place: number): PartRegions {
    const [tables = 0, coefficients = 0, samples = 0, row = 0] = this.#input.places.slice(4 + 4 * place)
    return { tables, coefficients, samples, row }
  }
}

/** Where the regions of a component begin. */
interface PartRegions {
  readonly tables: number
  readonly coefficients: number
  readonly samples: number
  readonly row: number
}

/** In the order of wasm/jpeg/part.ts. */
function wordsOf(part: JpegPart, { tables, coefficients, samples, row }: PartRegions): readonly number[] {
  const { component, stride, width, height, timesAcross, timesDown, smooth } = part
  const { blocksAcross, blocksDown, horizontal, vertical } = component
  const dc = tables + QUANTIZATION_BYTES
  return [
    ...[coefficients, samples, stride, blocksAcross, blocksDown, horizontal, vertical],
    ...[tables, dc, dc + HUFFMAN_BYTES, 0],
    ...[width, height, timesAcross, timesDown, smooth ? 1 : 0, row, 0],
  ]
}

// Which coefficients a scan brings, by the numbers of wasm/jpeg/scan.ts.
const WHOLE = 0
const MEAN = 1
const REFINED_MEAN = 2
const BAND = 3
const REFINED_BAND = 4

function kindOf({ first, high }: JpegScan, { progressive }: JpegFrame): number {
  if (!progressive) return WHOLE
  if (first === 0) return high === 0 ? MEAN : REFINED_MEAN
  return high === 0 ? BAND : REFINED_BAND
}

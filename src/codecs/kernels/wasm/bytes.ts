import { BYTES_WASM } from './compiled/bytes.ts'
import { Kernel } from './kernel.ts'

/** The functions of wasm/bytes.ts; all numbers but lengths and sizes are places in their memory. */
export interface ByteKernels {
  bitUnshuffle(planes: number, count: number, size: number, scratch: number, target: number): void
  /** Behind the source are 8 bytes of zeros. */
  ccsdsStart(
    source: number,
    sourceEnd: number,
    bits: number,
    idBits: number,
    blockLength: number,
    blocks: number,
    predicted: boolean,
    aligned: boolean,
  ): void
  /** The next samples, in 32 bits each, with room for all of an interval: 0, `ENDS_EARLY`, or less for codes that make no sense. */
  ccsdsInterval(samples: number, count: number): number
  /** Behind the source are 8 bytes of zeros: 0, `ENDS_EARLY`, or -2 less the bit at which a block can't be split. */
  fitsRice(source: number, sourceEnd: number, target: number, count: number, bytes: number, blockLength: number): number
  /** How many bytes were written, or that they could not be: -1 where the target is full, less where the stream is damaged. */
  blosclz(source: number, sourceEnd: number, target: number, targetEnd: number): number
  lz4(source: number, sourceEnd: number, target: number, targetEnd: number): number
  lzf(source: number, sourceEnd: number, target: number, targetEnd: number): number
  packbits(source: number, sourceEnd: number, target: number, targetEnd: number, enough: number): number
  /** 16 bytes behind the source can be read, and mean nothing. */
  scaleOffset(
    source: number,
    count: number,
    bits: number,
    size: number,
    least: number,
    highest: number,
    fill: number,
    target: number,
  ): void
  shuffle(source: number, count: number, size: number, planes: number, stride: number): void
  sumRows(at: number, end: number, rowBytes: number, pixelBytes: number, size: number): void
  unshuffle(planes: number, stride: number, count: number, size: number, target: number): void
}

/** A stream in the memory, and the room for its content. */
export interface Regions {
  readonly source: number
  readonly sourceEnd: number
  readonly target: number
  readonly targetEnd: number
}

/** What a decoder returns whose target is full. */
export const FULL = -1

/** What a decoder of bits returns whose source has ended. */
export const ENDS_EARLY = -1

/** How far into the stream a decoder came that found it damaged. */
export function damageAt(result: number): number {
  return -2 - result
}

export const byteKernels = new Kernel<ByteKernels>(BYTES_WASM)

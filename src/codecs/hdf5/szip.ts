import { malformed, unsupported } from '../../errors.ts'
import { requireInteger } from '../configuration.ts'
import { internalBytes } from '../internal.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { decodeRice, type RiceBytesSettings } from '../kernels/rice.ts'
import { unshuffle } from '../kernels/shuffle.ts'

// Bits of the options mask (szlib.h). The others only matter to the writer.
const NEAREST_NEIGHBOUR = 32
const MOST_SIGNIFICANT_FIRST = 16

/**
 * HDF5's filter 4: the decoded length (32 bits, little-endian), then CCSDS 121.0 extended Rice codes in the way of szlib:
 * pixels of 32 and 64 bits are shuffled into bytes first, scan lines are filled up to whole blocks.
 */
export const szip = internalBytes<SzipParameters>({
  name: 'vz.szip',
  prepare: (parameters) => {
    const settings = settingsOf(parameters)
    return {
      decode: (bytes, { limit }) => {
        if (bytes.length < 4) throw malformed(`${bytes.length} bytes hold no szip header of 4 bytes`)
        const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
        if (length > limit) throw malformed(`a szip chunk says ${length} bytes, at most ${limit} are expected`)
        return decodeSzip(bytes.subarray(4), settings, length)
      },
    }
  },
})

/** The filter's client data. */
export interface SzipParameters {
  readonly mask: number
  readonly pixelsPerBlock: number
  readonly bitsPerPixel: number
  readonly pixelsPerScanline: number
}

interface SzipSettings extends RiceBytesSettings {
  /** Bytes of a pixel whose bytes were coded apart; 1 when it was coded as it is. */
  readonly shuffled: number
  readonly scanline: number
}

function settingsOf(parameters: SzipParameters): SzipSettings {
  const { mask, pixelsPerBlock: blockLength, bitsPerPixel, pixelsPerScanline: scanline } = parameters
  requireInteger('mask', mask, 0, 2 ** 32 - 1)
  requireInteger('pixelsPerBlock', blockLength, 2, 64)
  requireInteger('bitsPerPixel', bitsPerPixel, 1, 64)
  requireInteger('pixelsPerScanline', scanline, 1, 2 ** 20)
  const shuffled = bitsPerPixel === 32 || bitsPerPixel === 64 ? bitsPerPixel / 8 : 1
  if (shuffled === 1 && bitsPerPixel > 24) {
    throw unsupported(`szip of ${bitsPerPixel} bits`, `szip pixels of ${bitsPerPixel} bits are not decoded`)
  }
  if (blockLength % 2 !== 0) throw malformed(`szip blocks of ${blockLength} pixels, expected an even number`)
  return {
    bits: shuffled > 1 ? 8 : bitsPerPixel,
    blockLength,
    blocks: Math.ceil(scanline / blockLength),
    predicted: (mask & NEAREST_NEIGHBOUR) !== 0,
    endian: (mask & MOST_SIGNIFICANT_FIRST) !== 0 ? 'big' : 'little',
    shuffled,
    scanline,
  }
}

function decodeSzip(stream: Uint8Array, settings: SzipSettings, length: number): Uint8Array {
  const sampleBytes = settings.bits > 16 ? 4 : settings.bits > 8 ? 2 : 1
  const line = settings.scanline * sampleBytes
  const paddedLine = settings.blocks * settings.blockLength * sampleBytes
  if (length % sampleBytes !== 0) throw malformed(`a szip chunk of ${length} bytes does not hold whole pixels`)
  const coded =
    paddedLine === line
      ? decodeRice(stream, settings, length)
      : withoutPadding(decodeRice(stream, settings, Math.ceil(length / line) * paddedLine), line, paddedLine, length)
  return unshuffle(coded, settings.shuffled)
}

function withoutPadding(padded: Uint8Array, line: number, paddedLine: number, length: number): Uint8Array {
  const result = chunkMemory.zeros(length)
  for (let from = 0, to = 0; to < length; from += paddedLine, to += line) {
    result.set(padded.subarray(from, from + Math.min(line, length - to)), to)
  }
  return result
}

import {
  BLOSC_HEADER_LENGTH,
  BLOSC_MOST_BLOCK,
  BLOSC_MOST_CONTENT,
  bloscHeader,
} from '../codecs/kernels/blosc-frame.ts'
import { malformed } from '../errors.ts'
import type { EnvelopeFrame } from './delivery.ts'

/** What goes before and after the stored bytes. */
export interface Frame {
  readonly prefix: Uint8Array
  readonly suffix: Uint8Array
}

const NOTHING = new Uint8Array(0)

export const NO_FRAME: Frame = { prefix: NOTHING, suffix: NOTHING }

/** An empty skippable frame (RFC 8878, section 3.1.2): one more byte would not be zstd. */
const ZSTD_NOTHING = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0)

/**
 * A Blosc-1 frame of one block around a stored stream of this length; undefined when there is none, and the chunk must be
 * recoded. A stream exactly as long as its content is taken for the content itself by every decoder, so it is made longer:
 * zlib streams end where they end, zstd has skippable frames, an LZ4 block can't be made longer.
 */
export function envelopeFrame(frame: EnvelopeFrame, length: number): Frame | undefined {
  const { stream, decodedLength } = frame
  if (stream === 'raw') {
    if (length !== decodedLength) throw malformed(`a stored chunk is ${length} bytes long, expected ${decodedLength}`)
    return frame.shuffled ? blockFrame(frame, length, NOTHING) : storedFrame(frame)
  }
  if (length === 0) throw malformed(`a stored chunk is empty, expected a ${stream} stream`)
  if (length !== decodedLength) return blockFrame(frame, length, NOTHING)
  if (stream === 'lz4') return undefined
  return blockFrame(frame, length, stream === 'zlib' ? new Uint8Array(1) : ZSTD_NOTHING)
}

function storedFrame({ itemSize, decodedLength }: EnvelopeFrame): Frame {
  const prefix = bloscHeader({
    compressor: 'blosclz',
    shuffle: 'none',
    memcpy: true,
    unsplit: false,
    itemSize,
    decodedLength,
    blockLength: Math.min(decodedLength, BLOSC_MOST_BLOCK),
    frameLength: BLOSC_HEADER_LENGTH + decodedLength,
  })
  return { prefix, suffix: NOTHING }
}

/** Header, where the only block starts, and the length of its only stream. */
function blockFrame(frame: EnvelopeFrame, length: number, suffix: Uint8Array): Frame | undefined {
  const { stream, itemSize, shuffled, decodedLength } = frame
  const prefix = new Uint8Array(BLOSC_HEADER_LENGTH + 8)
  const frameLength = prefix.length + length + suffix.length
  if (frameLength > BLOSC_MOST_CONTENT) return undefined
  prefix.set(
    bloscHeader({
      compressor: stream === 'raw' ? 'lz4' : stream,
      shuffle: shuffled ? 'byte' : 'none',
      memcpy: false,
      unsplit: true,
      itemSize,
      decodedLength,
      blockLength: decodedLength,
      frameLength,
    }),
  )
  const view = new DataView(prefix.buffer)
  view.setUint32(BLOSC_HEADER_LENGTH, BLOSC_HEADER_LENGTH + 4, true)
  view.setUint32(BLOSC_HEADER_LENGTH + 4, length + suffix.length, true)
  return { prefix, suffix }
}

import { overLimit } from '../../errors.ts'
import type { ByteCodec } from '../codec.ts'
import { decodeBlosc } from '../kernels/blosc.ts'
import { BLOSC_HEADER_LENGTH, BLOSC_MOST_BLOCK, bloscHeader } from '../kernels/blosc-frame.ts'
import { zstdFrame } from '../kernels/inflate.ts'
import { shuffle } from '../kernels/shuffle.ts'

/** Zarr's `blosc`. Written with byte shuffle and zstd whatever the configuration says: a frame describes itself. */
export const blosc: ByteCodec = {
  kind: 'bytes',
  name: 'blosc',
  // Builds of c-blosc without Snappy are common.
  reach: (configuration) => (configuration['cname'] === 'snappy' ? 'native' : 'portable'),
  writes: true,
  prepare: ({ typesize }) => {
    // Frames say themselves what their item size is: what makes no sense here only writes them less well.
    const isSize = typeof typesize === 'number' && Number.isInteger(typesize) && typesize >= 1 && typesize <= 255
    const itemSize = isSize ? typesize : 1
    return {
      decode: (bytes, context) => decodeBlosc(bytes, context.limit),
      encode: (bytes) => encodeBlosc(bytes, itemSize),
    }
  },
}

export const numcodecsBlosc: ByteCodec = { ...blosc, name: 'numcodecs.blosc', reach: 'native' }

/** One block, shuffled by bytes, zstd level 1; stored when that doesn't make it smaller. */
function encodeBlosc(bytes: Uint8Array, itemSize: number): Uint8Array {
  if (bytes.length > BLOSC_MOST_BLOCK) throw overLimit(`a chunk of ${bytes.length} bytes does not fit in a Blosc block`)
  const stream = zstdFrame(shuffle(bytes, itemSize), 1, false)
  const memcpy = stream.length >= bytes.length
  const start = memcpy ? BLOSC_HEADER_LENGTH : BLOSC_HEADER_LENGTH + 8
  const body = memcpy ? bytes : stream
  const frame = new Uint8Array(start + body.length)
  frame.set(
    bloscHeader({
      compressor: 'zstd',
      shuffle: !memcpy && itemSize > 1 ? 'byte' : 'none',
      memcpy,
      unsplit: !memcpy,
      itemSize,
      decodedLength: bytes.length,
      blockLength: bytes.length,
      frameLength: frame.length,
    }),
  )
  if (!memcpy) {
    const view = new DataView(frame.buffer)
    view.setUint32(BLOSC_HEADER_LENGTH, BLOSC_HEADER_LENGTH + 4, true)
    view.setUint32(BLOSC_HEADER_LENGTH + 4, stream.length, true)
  }
  frame.set(body, start)
  return frame
}

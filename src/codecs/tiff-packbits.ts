// TIFF 6.0 section 9.
import { malformed } from '../errors.ts'
import type { ByteCodec } from './codec.ts'
import { Output } from './output.ts'

/** Macintosh run lengths; `imagecodecs` decodes the same streams under its own name. */
export const imagecodecsPackbits: ByteCodec = {
  kind: 'bytes',
  name: 'imagecodecs_packbits',
  reach: 'native',
  decode: (bytes, _configuration, context) => decodePackbits(bytes, context.limit),
}

export const tiffPackbits: ByteCodec = { ...imagecodecsPackbits, name: 'vz.packbits', reach: 'internal' }

function decodePackbits(bytes: Uint8Array, limit: number): Uint8Array {
  const output = new Output(limit)
  for (let at = 0; at < bytes.length; ) {
    const control = bytes[at++] ?? 0
    if (control === 128) continue
    if (control < 128) {
      const end = at + control + 1
      if (end > bytes.length) throw malformed(`PackBits: ${end - bytes.length} literal bytes are missing`)
      output.append(bytes.subarray(at, end))
      at = end
    } else {
      const value = bytes[at++]
      // One byte of padding at the end may look like the beginning of a run.
      if (value === undefined) break
      const count = 257 - control
      output.reserve(count)
      output.bytes.fill(value, output.length, output.length + count)
      output.length += count
    }
  }
  return output.done()
}

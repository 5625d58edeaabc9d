// TIFF 6.0 section 9.
import { malformed } from '../../errors.ts'
import type { ByteCodec, DecodeContext } from '../codec.ts'
import { Output } from '../kernels/output.ts'

/** Macintosh run lengths. */
export const imagecodecsPackbits: ByteCodec = {
  kind: 'bytes',
  name: 'imagecodecs_packbits',
  reach: 'native',
  writes: true,
  prepare: () => ({ decode: decodePackbits, encode: encodePackbits }),
}

function decodePackbits(bytes: Uint8Array, { limit, enough = Number.POSITIVE_INFINITY }: DecodeContext): Uint8Array {
  const output = new Output(limit)
  for (let at = 0; at < bytes.length && output.length < enough; ) {
    const control = bytes[at++] ?? 0
    if (control === 128) continue
    if (control < 128) {
      const end = Math.min(at + control + 1, at + enough - output.length)
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

/** Runs of three and more, and what lies between them. */
function encodePackbits(bytes: Uint8Array): Uint8Array {
  const output = new Output(bytes.length + Math.ceil(bytes.length / 128) + 1)
  for (let at = 0, literal = 0; at < bytes.length; ) {
    const run = runLength(bytes, at)
    const isRun = run >= 3
    const next = at + (isRun ? run : 1)
    if (!isRun && next - literal < 128 && next < bytes.length) {
      at = next
      continue
    }
    const end = isRun ? at : next
    if (end > literal) {
      output.push(end - literal - 1)
      output.append(bytes.subarray(literal, end))
    }
    if (isRun) {
      output.push(257 - run)
      output.push(bytes[at] ?? 0)
    }
    at = next
    literal = next
  }
  return output.done()
}

function runLength(bytes: Uint8Array, start: number): number {
  let end = start + 1
  while (end < bytes.length && end - start < 128 && bytes[end] === bytes[start]) end++
  return end - start
}

// TIFF 6.0 section 9.
import { malformed } from '../../errors.ts'
import type { ByteCodec, DecodeContext } from '../codec.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { Output } from '../kernels/output.ts'
import { byteKernels, damageAt, FULL } from '../kernels/wasm/bytes.ts'

/** Macintosh run lengths. */
export const imagecodecsPackbits: ByteCodec = {
  kind: 'bytes',
  name: 'imagecodecs_packbits',
  reach: 'native',
  writes: true,
  prepare: () => ({ decode: decodePackbits, encode: encodePackbits }),
}

/** Two bytes make at most 128. */
const MOST_GROWTH = 64

function decodePackbits(bytes: Uint8Array, { limit, enough = Number.POSITIVE_INFINITY }: DecodeContext): Uint8Array {
  const { length } = bytes
  const room = Math.min(limit, length * MOST_GROWTH)
  return byteKernels.use([length, room], (kernels, memory, source, target) => {
    memory.set(bytes, source)
    const written = kernels.packbits(source, source + length, target, target + room, Math.min(enough, room + 1))
    if (written >= 0) return chunkMemory.copyOf(memory.subarray(target, target + written))
    if (written === FULL) throw malformed(`a compressed chunk holds more than the ${limit} bytes expected`)
    throw malformed(`PackBits: ${damageAt(written)} literal bytes are missing`)
  })
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

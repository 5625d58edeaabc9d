import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import type { ArrayCodec } from '../codec.ts'
import { fixedBytes } from '../elements.ts'

/** numcodecs' `packbits`: how many bits of padding, then eight booleans a byte, the first in the highest bit. */
export const packBits: ArrayCodec = {
  kind: 'array',
  name: 'numcodecs.packbits',
  reach: 'native',
  prepare: (_configuration, { shape }) => {
    const count = elementCount(shape)
    return {
      encodedLayout: { shape: [1 + Math.ceil(count / 8)], dataType: { kind: 'uint', bits: 8 } },
      decode: (elements) => ({ kind: 'fixed', bytes: unpacked(fixedBytes(elements, 'numcodecs.packbits'), count) }),
    }
  },
}

function unpacked(packed: Uint8Array, count: number): Uint8Array {
  if ((packed.length - 1) * 8 - (packed[0] ?? 0) !== count) {
    throw malformed(`packed bits hold ${(packed.length - 1) * 8 - (packed[0] ?? 0)} booleans, expected ${count}`)
  }
  const bytes = new Uint8Array(count)
  for (let i = 0; i < count; i++) bytes[i] = ((packed[1 + (i >> 3)] ?? 0) >> (7 - (i & 7))) & 1
  return bytes
}

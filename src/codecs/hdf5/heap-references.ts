import { uintAt } from '../../bytes/integers.ts'
import { malformed } from '../../errors.ts'
import type { HeapFormat } from './heap.ts'

/** Where the content of each element of varying length lies; -1 is the address of no content at all. */
export interface HeapReferences {
  /** In items: characters of text, elements of sequences. */
  readonly lengths: Uint32Array
  readonly addresses: Float64Array
  readonly objects: Uint32Array
}

/** A reference is a length, the address of a collection and the number of an object in it. */
export function referenceBytes({ offsetSize }: Pick<HeapFormat, 'offsetSize'>): number {
  return 8 + offsetSize
}

/** Reads the references of a chunk, or of a whole array. */
export function parseReferences(
  bytes: Uint8Array,
  count: number,
  format: Pick<HeapFormat, 'offsetSize'>,
): HeapReferences {
  const { offsetSize } = format
  const size = referenceBytes(format)
  if (bytes.length !== count * size) {
    throw malformed(`a chunk of ${bytes.length} bytes does not hold ${count} references of ${size} bytes`)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const lengths = new Uint32Array(count)
  const addresses = new Float64Array(count).fill(-1)
  const objects = new Uint32Array(count)
  const undefinedAddress = 2 ** (8 * offsetSize) - 1
  for (let i = 0; i < count; i++) {
    const at = i * size
    const length = view.getUint32(at, true)
    const address = uintAt(bytes, at + 4, offsetSize, 'little')
    // A reference that was never written, or to an empty text.
    if (length === 0 || address === 0 || address === undefinedAddress) continue
    if (!Number.isSafeInteger(address)) throw malformed(`${address} is beyond 2^53, expected an address`)
    lengths[i] = length
    addresses[i] = address
    objects[i] = view.getUint32(at + 4 + offsetSize, true)
  }
  return { lengths, addresses, objects }
}

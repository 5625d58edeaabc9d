import { anyText } from '../../bytes/text.ts'
import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { internalSerial, type NoParameters } from '../internal.ts'
import { withoutPadding } from '../own/fixed-text.ts'
import type { HeapFormat } from './heap.ts'
import { vlenTexts } from './vlen-text.ts'

/** Of a reference to text of varying length: its length, the address of a heap, the number of an object in it. */
const REFERENCE_SIZE = 16
const USUAL_FORMAT: HeapFormat = { offsetSize: 8, lengthSize: 8, base: 0 }

/**
 * HDF5's text in elements of 16 bytes, by a manifest that does not tell whether those are the text itself (C strings) or
 * references to it. Only an unset reference is text and nothing but NULs: addresses have a zero byte, and what is behind it, the
 * number of the object, has none. Text with something behind its end is therefore taken for references, which are checked.
 */
export const hdf5AnyText = internalSerial<NoParameters>({
  name: 'vz.hdf5-any-text',
  readsSource: true,
  prepare: (_parameters, { shape }) => {
    const count = elementCount(shape)
    return {
      decode: async (bytes, context) => {
        if (bytes.length !== count * REFERENCE_SIZE) {
          throw malformed(`a chunk of ${bytes.length} bytes does not hold ${count} texts of ${REFERENCE_SIZE} bytes`)
        }
        if (!isText(bytes)) return await vlenTexts(bytes, count, USUAL_FORMAT, context)
        const values = Array.from({ length: count }, (_, i) => {
          const item = bytes.subarray(i * REFERENCE_SIZE, (i + 1) * REFERENCE_SIZE)
          return anyText(withoutPadding(item, 'nul'))
        })
        return { kind: 'text', values }
      },
    }
  },
})

function isText(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += REFERENCE_SIZE) {
    let hasEnded = false
    for (let i = at; i < at + REFERENCE_SIZE; i++) {
      if (bytes[i] === 0) hasEnded = true
      else if (hasEnded) return false
    }
  }
  return true
}

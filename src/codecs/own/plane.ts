import { malformed } from '../../errors.ts'
import { fixedBytes, packedLength } from '../elements.ts'
import { internalArray } from '../internal.ts'

/** One of the planes that a chunk holds along its first axis. Of a single one it changes no byte; clients are not told of it. */
export const plane = internalArray<{ readonly index: number; readonly count: number }>({
  name: 'vz.plane',
  prepare: ({ index, count }, layout) => {
    const { shape, dataType } = layout
    const length = packedLength(layout)
    if (length === undefined && count > 1) throw malformed('planes of texts are not taken apart')
    return {
      encodedLayout: { shape: [count, ...shape], dataType },
      decode: (elements) => {
        if (length === undefined || count === 1) return elements
        return { kind: 'fixed', bytes: fixedBytes(elements, 'vz.plane').subarray(index * length, (index + 1) * length) }
      },
    }
  },
})

import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { fixedBytes, packedLength } from '../elements.ts'
import { internalArray } from '../internal.ts'

/** One of the planes that a chunk holds along an axis, the first where none is named. Of a single one it changes no byte; clients are not told of it. */
export const plane = internalArray<{ readonly index: number; readonly count: number; readonly axis?: number }>({
  name: 'vz.plane',
  prepare: ({ index, count, axis = 0 }, layout) => {
    const { shape, dataType } = layout
    const length = packedLength(layout)
    if (length === undefined && count > 1) throw malformed('planes of texts are not taken apart')
    const outer = elementCount(shape.slice(0, axis))
    return {
      encodedLayout: { shape: shape.toSpliced(axis, 0, count), dataType },
      decode: (elements) => {
        if (length === undefined || count === 1) return elements
        const bytes = fixedBytes(elements, 'vz.plane')
        if (outer === 1) return { kind: 'fixed', bytes: bytes.subarray(index * length, (index + 1) * length) }
        const result = new Uint8Array(length)
        const run = length / outer
        for (let i = 0; i < outer; i++) {
          const start = (i * count + index) * run
          result.set(bytes.subarray(start, start + run), i * run)
        }
        return { kind: 'fixed', bytes: result }
      },
    }
  },
})

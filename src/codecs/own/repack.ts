import { malformed } from '../../errors.ts'
import { itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import { requireInteger } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { internalArray } from '../internal.ts'

/**
 * Records with gaps, fields left out, or in mixed byte orders (HDF5's compounds), packed and little-endian. Stored records
 * are `recordSize` bytes; `runs` lists what is kept, in order.
 */
export const repack = internalArray<RepackParameters>({
  name: 'vz.repack',
  prepare: ({ recordSize, runs: given }, { shape, dataType }) => {
    requireInteger('recordSize', recordSize, 1, 2 ** 31)
    if (given.length > MOST_RUNS) throw malformed(`vz.repack: ${given.length} runs, expected at most ${MOST_RUNS}`)
    const runs = given.map((run) => runOf(run, recordSize))
    const packedSize = runs.reduce((size, run) => size + run.length, 0)
    const count = elementCount(shape)
    return {
      encodedLayout: { shape, dataType: { kind: 'opaque', length: recordSize } },
      decode: (elements) => {
        const stored = fixedBytes(elements, 'vz.repack')
        if (packedSize !== itemSize(dataType) || stored.length !== count * recordSize) {
          const what = `${stored.length} bytes in records of ${recordSize}`
          throw malformed(`vz.repack: ${what} don't pack to ${count} elements`)
        }
        const result = new Uint8Array(count * packedSize)
        let to = 0
        for (let from = 0; from < stored.length; from += recordSize) {
          for (const run of runs) to = copyRun(stored, from + run.offset, result, to, run)
        }
        return { kind: 'fixed', bytes: result }
      },
    }
  },
})

interface RepackParameters {
  readonly recordSize: number
  readonly runs: readonly RepackRun[]
}

/** Offset in the stored record, size of an element, number of elements, 1 for big-endian ones. */
export type RepackRun = readonly [offset: number, size: number, count: number, order: 0 | 1]

interface Run {
  readonly offset: number
  readonly size: number
  readonly length: number
  readonly isBig: boolean
}

const MOST_RUNS = 2 ** 16

function runOf([offset, size, count, order]: RepackRun, recordSize: number): Run {
  const length = size * count
  requireInteger('offset', offset, 0, recordSize)
  requireInteger('size', size, 1, recordSize)
  requireInteger('count', count, 0, recordSize)
  if (offset + length > recordSize) {
    throw malformed(`vz.repack: ${length} bytes at ${offset} are no part of ${recordSize}`)
  }
  return { offset, size, length, isBig: order === 1 && size > 1 }
}

/** Returns where the next run goes. */
function copyRun(source: Uint8Array, from: number, target: Uint8Array, to: number, run: Run): number {
  const { size, length, isBig } = run
  if (!isBig) {
    if (length > 64) target.set(source.subarray(from, from + length), to)
    else for (let i = 0; i < length; i++) target[to + i] = source[from + i] ?? 0
    return to + length
  }
  for (let start = 0; start < length; start += size) {
    for (let i = 0; i < size; i++) target[to + start + i] = source[from + start + size - 1 - i] ?? 0
  }
  return to + length
}

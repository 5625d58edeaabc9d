import { malformed } from '../../errors.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import { itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { ArrayCodec } from '../codec.ts'
import { integerMember, listMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'

/**
 * Records with gaps, fields left out, or in mixed byte orders (HDF5's compounds), packed and little-endian. Stored records
 * are `recordSize` bytes; `runs` lists what is kept, in order: offset in the stored record, size of an element, number of
 * elements, 1 for big-endian ones.
 */
export const repack: ArrayCodec = {
  kind: 'array',
  name: 'vz.repack',
  reach: 'internal',
  check: (configuration) => {
    planOf(configuration)
  },
  encodedLayout: (layout, configuration) => ({
    shape: layout.shape,
    dataType: { kind: 'opaque', length: recordSizeOf(configuration) },
  }),
  decode: (elements, layout, configuration) => {
    const stored = fixedBytes(elements, 'vz.repack')
    const { runs, recordSize, packedSize } = planOf(configuration)
    const count = elementCount(layout.shape)
    if (packedSize !== itemSize(layout.dataType) || stored.length !== count * recordSize) {
      throw malformed(`vz.repack: ${stored.length} bytes in records of ${recordSize} don't pack to ${count} elements`)
    }
    const result = new Uint8Array(count * packedSize)
    let to = 0
    for (let from = 0; from < stored.length; from += recordSize) {
      for (const run of runs) to = copyRun(stored, from + run.offset, result, to, run)
    }
    return { kind: 'fixed', bytes: result }
  },
}

interface Run {
  readonly offset: number
  readonly size: number
  readonly length: number
  readonly isBig: boolean
}

const MOST_RUNS = 2 ** 16

function recordSizeOf(configuration: JsonObject): number {
  return integerMember(configuration, 'recordSize', { least: 1, most: 2 ** 31 })
}

function planOf(configuration: JsonObject) {
  const recordSize = recordSizeOf(configuration)
  const list = listMember(configuration, 'runs')
  if (list.length > MOST_RUNS) throw malformed(`vz.repack: ${list.length} runs, expected at most ${MOST_RUNS}`)
  const runs = list.map((item) => runOf(item, recordSize))
  return { recordSize, runs, packedSize: runs.reduce((size, run) => size + run.length, 0) }
}

function runOf(item: Json, recordSize: number): Run {
  const [offset, size, count, order] = Array.isArray(item) ? item : []
  if (!isCount(offset) || !isCount(size) || !isCount(count) || size === 0) {
    throw malformed('vz.repack: a run is an offset, a size, a count and an order')
  }
  const length = size * count
  if (offset + length > recordSize) {
    throw malformed(`vz.repack: ${length} bytes at ${offset} are no part of ${recordSize}`)
  }
  return { offset, size, length, isBig: order === 1 && size > 1 }
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
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

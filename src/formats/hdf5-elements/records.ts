import { type RepackRun, repack } from '../../codecs/own/repack.ts'
import { type Encoding, rawEncoding } from '../../model/encoding.ts'

/** Elements of one size that lie side by side in a record of the file, in the order in which they are served. */
export interface RecordRun {
  readonly offset: number
  readonly size: number
  readonly count: number
  readonly isBig: boolean
}

/** How records are stored: repacked where there are gaps between their parts, some are left out, or byte orders differ. */
export function recordEncoding(recordSize: number, runs: readonly RecordRun[]): Encoding {
  const swappable = runs.filter(({ size }) => size > 1)
  const isBig = swappable.length > 0 && swappable.every((run) => run.isBig)
  const isUniform = isBig || swappable.every((run) => !run.isBig)
  let end = 0
  for (const { offset, size, count } of runs) end = end === offset ? offset + size * count : Number.NaN
  if (isUniform && end === recordSize) return rawEncoding(isBig ? 'big' : 'little')
  const listed = runs.map(({ offset, size, count, isBig: big }): RepackRun => [offset, size, count, big ? 1 : 0])
  return [repack.stored({ recordSize, runs: listed }), ...rawEncoding('little')]
}

/** One record as it is served: packed and little-endian. */
export function packedRecord(record: Uint8Array, runs: readonly RecordRun[]): Uint8Array {
  const bytes = new Uint8Array(runs.reduce((length, { size, count }) => length + size * count, 0))
  let at = 0
  for (const { offset, size, count, isBig } of runs) {
    for (let i = 0; i < count; i++, at += size) {
      const element = record.subarray(offset + i * size, offset + (i + 1) * size)
      bytes.set(isBig ? element.toReversed() : element, at)
    }
  }
  return bytes
}

import type { ByteRange } from '../bytes/byte-range.ts'
import { partsOf } from '../bytes/feed.ts'
import { overLimit } from '../errors.ts'
import { READS_AT_ONCE } from '../in-parallel.ts'
import type { Source } from '../source/source.ts'
import {
  LONG_READ_BYTES,
  MERGE_GAP_BYTES,
  MOST_MERGED_BYTES,
  MOST_UPSTREAM_BYTES,
  PARALLEL_LONG_READS,
} from './limits.ts'

/** One upstream read, and which of its bytes were asked for, in order. */
interface MergedRead {
  readonly range: ByteRange
  readonly wanted: readonly ByteRange[]
  /** Position of the first wanted byte in the result. */
  readonly at: number
}

/** Most ranges in one read: their list must stay smaller than their bytes. */
const MOST_RANGES = 2 ** 16

/** Ranges that follow each other closely become one read, up to a limit. */
function* mergedReads(ranges: Iterable<ByteRange>): Generator<MergedRead> {
  let wanted: ByteRange[] = []
  let start = 0
  let end = 0
  let at = 0
  let length = 0
  let upstream = 0
  const flush = (): MergedRead => {
    upstream += end - start
    if (upstream > MOST_UPSTREAM_BYTES) {
      throw overLimit(`one chunk is scattered over more than ${MOST_UPSTREAM_BYTES} bytes of its source`)
    }
    return { range: { offset: start, length: end - start }, wanted, at }
  }
  for (const range of ranges) {
    const gap = range.offset - end
    const span = range.offset + range.length - start
    if (
      wanted.length > 0 &&
      (gap < 0 || gap > MERGE_GAP_BYTES || span > MOST_MERGED_BYTES || wanted.length >= MOST_RANGES)
    ) {
      yield flush()
      at += length
      wanted = []
    }
    if (wanted.length === 0) {
      start = range.offset
      length = 0
    }
    wanted.push(range)
    end = range.offset + range.length
    length += range.length
  }
  if (wanted.length > 0) yield flush()
}

/** Reads scattered ranges, of so many bytes together, a few reads at a time. */
export async function gather(
  source: Source,
  ranges: Iterable<ByteRange>,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const reads = mergedReads(ranges)
  const first = reads.next()
  // As long as all ranges together it may also be by the gaps in it, where another read has the rest.
  if (first.done !== true && first.value.range.length === length && wantedLength(first.value) === length)
    return await source.read(first.value.range, { signal })
  const target = new Uint8Array(length)
  const failed = new AbortController()
  const scope = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal])
  const take = async (read: MergedRead) => {
    place(await source.read(read.range, { signal: scope }), read, target.subarray(read.at))
  }
  const run = async (own: MergedRead | undefined) => {
    if (own !== undefined) await take(own)
    for (const read of reads) await take(read)
  }
  const isLong = first.done !== true && first.value.range.length > LONG_READ_BYTES
  const atOnce = isLong ? PARALLEL_LONG_READS : READS_AT_ONCE
  const runs = Array.from({ length: atOnce }, (_, i) => run(i === 0 ? (first.value ?? undefined) : undefined))
  try {
    await Promise.all(runs)
    return target
  } catch (error) {
    failed.abort()
    await Promise.allSettled(runs)
    throw error
  }
}

/** The same as parts, one read after the other. */
export async function* gatheredParts(
  source: Source,
  ranges: Iterable<ByteRange>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for (const read of mergedReads(ranges)) {
    if (read.wanted.length === 1) {
      yield* partsOf(await source.feed(read.range, { signal }))
      continue
    }
    const packed = new Uint8Array(wantedLength(read))
    place(await source.read(read.range, { signal }), read, packed)
    yield packed
  }
}

function wantedLength({ wanted }: MergedRead): number {
  return wanted.reduce((sum, { length }) => sum + length, 0)
}

function place(bytes: Uint8Array, { range, wanted }: MergedRead, target: Uint8Array): void {
  let to = 0
  for (const { offset, length } of wanted) {
    const from = offset - range.offset
    target.set(bytes.subarray(from, from + length), to)
    to += length
  }
}

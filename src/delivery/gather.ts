import { Readable } from 'node:stream'
import type { ByteRange } from '../bytes/byte-range.ts'
import { overLimit } from '../errors.ts'
import type { Source } from '../source/source.ts'
import { MERGE_GAP_BYTES, MOST_MERGED_BYTES, MOST_UPSTREAM_BYTES, PARALLEL_READS } from './limits.ts'

/** One upstream read, and which of its bytes were asked for, in order. */
export interface MergedRead {
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

/** Reads scattered ranges into one buffer, a few reads at a time. */
export async function gather(
  source: Source,
  ranges: Iterable<ByteRange>,
  target: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  const reads = mergedReads(ranges)
  const failed = new AbortController()
  const scope = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal])
  const run = async () => {
    for (const read of reads) place(await source.read(read.range, { signal: scope }), read, target.subarray(read.at))
  }
  const runs = Array.from({ length: PARALLEL_READS }, run)
  try {
    await Promise.all(runs)
  } catch (error) {
    failed.abort()
    await Promise.allSettled(runs)
    throw error
  }
}

/** What is sent before and after the gathered bytes. */
export interface Around {
  readonly first: Uint8Array
  readonly last: Uint8Array
}

/**
 * The same as a stream, one read after the other. It resolves when the first read's answer has come, so that its failure is
 * not one of a body that has begun.
 */
export async function gatherStream(
  source: Source,
  ranges: Iterable<ByteRange>,
  around: Around,
  signal: AbortSignal | undefined,
): Promise<Readable> {
  const reads = mergedReads(ranges)
  const start = await nextPart(source, reads, signal)
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    if (around.first.length > 0) yield around.first
    for (let part = start; part !== undefined; part = await nextPart(source, reads, signal)) yield* part
    if (around.last.length > 0) yield around.last
  }
  const stream = Readable.from(rest(), { objectMode: false })
  // A stream that nobody begins to read would leave the first answer open.
  if (start instanceof Readable) stream.once('close', () => start.destroy())
  return stream
}

async function nextPart(
  source: Source,
  reads: Generator<MergedRead>,
  signal: AbortSignal | undefined,
): Promise<Readable | readonly Uint8Array[] | undefined> {
  const { value: read } = reads.next()
  if (read === undefined) return undefined
  if (read.wanted.length === 1) return await source.stream(read.range, { signal })
  const packed = new Uint8Array(read.wanted.reduce((length: number, range: ByteRange) => length + range.length, 0))
  place(await source.read(read.range, { signal }), read, packed)
  return [packed]
}

function place(bytes: Uint8Array, { range, wanted }: MergedRead, target: Uint8Array): void {
  let to = 0
  for (const { offset, length } of wanted) {
    const from = offset - range.offset
    target.set(bytes.subarray(from, from + length), to)
    to += length
  }
}

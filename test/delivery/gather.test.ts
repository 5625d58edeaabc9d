import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByteRange } from '../../src/bytes/byte-range.ts'
import { gather } from '../../src/delivery/gather.ts'
import type { Source } from '../../src/source/source.ts'

const BYTES = Uint8Array.from({ length: 400_000 }, (_none, at) => (at * 7 + (at >> 8)) % 251)

/** A source of which only reads are asked for. */
function sourceOf(reads: ByteRange[]): Source {
  const read = async (range: ByteRange) => {
    reads.push(range)
    return BYTES.subarray(range.offset, range.offset + range.length)
  }
  return { read } as unknown as Source
}

function wanted(ranges: readonly ByteRange[]): Uint8Array {
  return Uint8Array.from(ranges.flatMap(({ offset, length }) => [...BYTES.subarray(offset, offset + length)]))
}

for (const [name, ranges, count] of [
  ['two that follow each other, one read', [0, 1000], 1],
  // The gap is as long as the third range: the first read has as many bytes as all ranges together.
  ['two with a gap between them, and a third far away', [0, 2000, 300_000], 2],
  ['two with a gap between them, and one of them once more', [0, 2000, 2000], 2],
] as const)
  test(`scattered ranges are put together: ${name}`, async () => {
    const list = ranges.map((offset) => ({ offset, length: 1000 }))
    const reads: ByteRange[] = []
    const found = await gather(sourceOf(reads), list, 1000 * list.length, undefined)
    assert.deepEqual(found, wanted(list))
    assert.equal(reads.length, count)
  })

// FITS Standard 4.0, section 7.3.5: rows of varying length, kept in the heap behind a table.

import { type ByteRange, type RunLimits, runsOfRanges } from '../../bytes/byte-range.ts'
import { anyText } from '../../bytes/text.ts'
import { malformed, overLimit } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { itemSize } from '../../model/data-type.ts'
import type { ChunkLayout, DecodeContext, Elements } from '../codec.ts'
import { filledElements } from '../elements.ts'
import { internalSerial } from '../internal.ts'
import { swapBytes } from '../kernels/swap-bytes.ts'

/**
 * A row is a descriptor: how many values, and where in the heap (32 or 64 bits each, big-endian). Rows of numbers are filled
 * up to the last axis of the layout with the fill value. The heap, from `offset` to `end`, is read again from the source.
 */
export const fitsHeap = internalSerial<Heap>({
  name: 'vz.fits-heap',
  readsSource: true,
  prepare: (heap, layout) => {
    const rows = layout.shape[0] ?? 1
    const isText = layout.dataType.kind === 'string'
    const size = isText ? 1 : (itemSize(layout.dataType) ?? 1)
    return {
      decode: async (bytes, context) => {
        const pieces = await readPieces(descriptors(bytes, rows, size, heap), context)
        return isText ? texts(pieces) : padded(pieces, layout, size, context)
      },
    }
  },
})

interface Heap {
  readonly descriptor: 32 | 64
  readonly offset: number
  readonly end: number
}

function descriptors(bytes: Uint8Array, rows: number, size: number, heap: Heap): ByteRange[] {
  const step = heap.descriptor / 4
  if (bytes.length !== rows * step) {
    throw malformed(`${bytes.length} bytes are no ${rows} descriptors of ${step} bytes`)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = (place: number) =>
    heap.descriptor === 32 ? view.getUint32(place) : view.getUint32(place) * 2 ** 32 + view.getUint32(place + 4)
  return Array.from({ length: rows }, (_, row) => {
    const length = at(row * step) * size
    const offset = heap.offset + at(row * step + step / 2)
    if (length > 0 && offset + length > heap.end) {
      throw malformed(`row ${row} of a chunk takes ${length} bytes at ${offset}, the heap ends at ${heap.end}`)
    }
    return { offset, length }
  })
}

const TOGETHER: RunLimits = { mostGap: 65_536, mostBytes: 2 ** 22 }
const AT_ONCE = 8

/** The bytes of each range, neighbours read together. */
async function readPieces(ranges: readonly ByteRange[], context: DecodeContext): Promise<Uint8Array[]> {
  const { read, limit } = context
  if (read === undefined) throw new TypeError('vz.fits-heap is decoded without a reader of its source')
  const pieces: Uint8Array[] = ranges.map(() => new Uint8Array(0))
  const runs = runsOfRanges(ranges, TOGETHER)
  const total = runs.reduce((sum, run) => sum + run.length, 0)
  if (total > limit) throw overLimit(`a chunk lies in ${total} bytes of a heap, at most ${limit} are read`)
  await inParallel(runs, AT_ONCE, async (run) => {
    const bytes = await read({ offset: run.offset, length: run.length })
    for (const place of run.places) {
      const { offset, length } = ranges[place] ?? { offset: run.offset, length: 0 }
      pieces[place] = bytes.subarray(offset - run.offset, offset - run.offset + length)
    }
  })
  return pieces
}

/** Text may end before its length, at a NUL. */
function texts(pieces: readonly Uint8Array[]): Elements {
  const values = pieces.map((bytes) => {
    const end = bytes.indexOf(0)
    return anyText(end < 0 ? bytes : bytes.subarray(0, end))
  })
  return { kind: 'text', values }
}

function padded(pieces: readonly Uint8Array[], layout: ChunkLayout, size: number, context: DecodeContext): Elements {
  const canvas = filledElements(layout, context.fillValue)
  if (canvas.kind !== 'fixed') throw malformed('vz.fits-heap: rows of a heap are numbers or text')
  const rowBytes = (layout.shape[1] ?? 1) * size
  for (const [row, bytes] of pieces.entries()) {
    if (bytes.length > rowBytes) {
      throw malformed(`a row holds ${bytes.length / size} values, TFORM says at most ${rowBytes / size}`)
    }
    canvas.bytes.set(size === 1 ? bytes : swapBytes(bytes, layout.dataType), row * rowBytes)
  }
  return canvas
}

import { runsOfRanges } from '../../../bytes/byte-range.ts'
import { malformed, overBudget, overLimit } from '../../../errors.ts'
import { inParallel } from '../../../in-parallel.ts'
import type { ReadOptions } from '../../../source/source.ts'
import type { Descriptor } from './directory.ts'
import { elementName, type Hdf4File, placeOf, readPlain } from './hdf4-file.ts'
import { lengthOf, type Piece, readStored } from './stored.ts'

/** Of elements that say something of others. */
const MOST_METADATA_BYTES = 67_108_864
/** Of values that are put together in memory. */
const MOST_PIECES_BYTES = 268_435_456
const RUNS = { mostGap: 16_384, mostBytes: 1_048_576 }
const AT_ONCE = 32

/** The bytes of many small elements, all asked for at once; those that the file does not hold are left out. */
export async function readElements(
  file: Hdf4File,
  wanted: readonly Descriptor[],
  options: ReadOptions,
): Promise<ReadonlyMap<Descriptor, Uint8Array>> {
  const elements = wanted.filter(({ offset, length }) => offset + length <= file.source.size)
  const runs = runsOfRanges(
    elements.map(({ offset, length }) => ({ offset, length })),
    RUNS,
  )
  // Elements may lie on each other: what is made of them counts.
  const total = elements.reduce((sum, { length }) => sum + length, 0)
  if (total > MOST_METADATA_BYTES) throw overBudget(`more than ${MOST_METADATA_BYTES} bytes of metadata`)
  const found = new Map<Descriptor, Uint8Array>()
  await inParallel(runs, AT_ONCE, async ({ offset, length, places }) => {
    const bytes = await file.source.read({ offset, length }, options)
    for (const place of places) {
      const element = elements[place]
      if (element !== undefined) found.set(element, cut(bytes, element.offset - offset, element.length))
    }
  })
  for (const element of elements) if (element.length === 0) found.set(element, new Uint8Array(0))
  return found
}

function cut(bytes: Uint8Array, from: number, length: number): Uint8Array {
  return bytes.subarray(from, from + length)
}

/** The whole content of an element that is no data, in pieces or not; `most` bytes of it at most. */
export async function readContent(
  file: Hdf4File,
  element: Descriptor,
  most: number,
  options: ReadOptions,
): Promise<Uint8Array> {
  if (!element.isSpecial) {
    checkLength(file, element, element.length, most)
    return await readPlain(file, element, options)
  }
  const stored = await readStored(file, element, options)
  if (stored.kind !== 'pieces') {
    throw malformed(`${elementName(element)} is ${stored.kind}, expected plain or linked`, placeOf(file, element))
  }
  checkLength(file, element, lengthOf(stored.pieces), most)
  return await readPieces(file, stored.pieces, options)
}

function checkLength(file: Hdf4File, element: Descriptor, length: number, most: number): void {
  if (length <= most) return
  const message = `${elementName(element)} holds ${length} bytes, at most ${most} are expected`
  throw malformed(message, placeOf(file, element))
}

/** Bytes in pieces as one; those that nobody wrote are zeros. */
export async function readPieces(file: Hdf4File, pieces: readonly Piece[], options: ReadOptions): Promise<Uint8Array> {
  const total = lengthOf(pieces)
  if (total > MOST_PIECES_BYTES) throw overLimit(`${total} bytes in pieces, some of them never written`)
  const result = new Uint8Array(total)
  const starts: number[] = []
  let start = 0
  for (const { length } of pieces) {
    starts.push(start)
    start += length
  }
  const ranges = pieces.map(({ offset = 0, length }, i) => ({
    offset,
    length: pieces[i]?.offset === undefined ? 0 : length,
  }))
  await inParallel(runsOfRanges(ranges, RUNS), AT_ONCE, async ({ offset, length, places }) => {
    const bytes = await file.source.read({ offset, length }, options)
    for (const place of places) {
      const range = ranges[place]
      if (range !== undefined) result.set(cut(bytes, range.offset - offset, range.length), starts[place])
    }
  })
  return result
}

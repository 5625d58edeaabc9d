import { Cursor } from '../../bytes/cursor.ts'
import { latin1Text } from '../../bytes/text.ts'
import { malformed, unsupported } from '../../errors.ts'

/** What the header of a contiguous frame says (c-blosc2, `README_CFRAME_FORMAT.rst`; msgpack, so big-endian). */
export interface Blosc2Frame {
  readonly decodedLength: number
  readonly itemSize: number
  readonly chunkLength: number
  /** Number of chunks. */
  readonly count: number
  /** From the first chunk on. */
  readonly chunks: Uint8Array
  /** Where in `chunks` the list of their offsets lies. */
  readonly indexAt: number
  /** Set when the frame is an array of several dimensions. */
  readonly grid: Blosc2Grid | undefined
}

interface Blosc2Grid {
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly blockShape: readonly number[]
}

const MAGIC = 'b2frame\0'
const MOST_CHUNKS = 2 ** 20
const MOST_DIMENSIONS = 16
const MOST_LAYERS = 16

/** Reads the header of a frame; its chunks stay as they are. */
export function parseBlosc2Frame(bytes: Uint8Array): Blosc2Frame {
  const cursor = new Cursor(bytes, 'big')
  cursor.skip(2)
  if (latin1Text(cursor.take(8)) !== MAGIC) throw malformed('a chunk does not begin with a Blosc2 frame header')
  const headerLength = number(cursor)
  const frameLength = number(cursor)
  cursor.skip(1)
  const flags = cursor.take(4)
  if (((flags[1] ?? 0) & 15) !== 0) throw unsupported('Blosc2 sparse frames', 'a Blosc2 frame is not contiguous')
  const decodedLength = number(cursor)
  const indexAt = number(cursor)
  const itemSize = number(cursor)
  number(cursor)
  const chunkLength = number(cursor)
  if (frameLength > bytes.length || headerLength + indexAt > frameLength) {
    throw malformed(`a Blosc2 frame says it is ${frameLength} bytes long, ${bytes.length} are there`)
  }
  if (itemSize < 1 || (chunkLength < 1 && decodedLength > 0)) {
    throw malformed(`a Blosc2 frame says items of ${itemSize} bytes, chunks of ${chunkLength}`)
  }
  const count = decodedLength === 0 ? 0 : Math.ceil(decodedLength / chunkLength)
  if (count > MOST_CHUNKS) throw malformed(`a Blosc2 frame of ${count} chunks`)
  // Two counts of threads, one flag, the filters of the frame: chunks repeat them.
  cursor.skip(3 + 3 + 1 + 18)
  const grid = gridOf(cursor, { decodedLength, chunkLength, itemSize, count })
  return {
    decodedLength,
    itemSize,
    chunkLength,
    count,
    chunks: bytes.subarray(headerLength, frameLength),
    indexAt,
    grid,
  }
}

type Sizes = Pick<Blosc2Frame, 'decodedLength' | 'chunkLength' | 'itemSize' | 'count'>

/** The layer `b2nd` among the metalayers (`README_B2ND_METALAYER.rst`). */
function gridOf(cursor: Cursor, sizes: Sizes): Blosc2Grid | undefined {
  cursor.skip(5)
  const count = cursor.u16()
  if (count > MOST_LAYERS) throw malformed(`a Blosc2 frame of ${count} metalayers`)
  let at: number | undefined
  for (let i = 0; i < count; i++) {
    const name = latin1Text(cursor.take(cursor.u8() & 31))
    const offset = number(cursor)
    if (name === 'b2nd') at = offset
  }
  if (at === undefined) return undefined
  cursor.seek(at)
  cursor.skip(5 + 2)
  const rank = cursor.u8()
  if (rank < 1 || rank > MOST_DIMENSIONS) throw malformed(`a Blosc2 array of ${rank} dimensions`)
  const [shape, chunkShape, blockShape] = [lengths(cursor, rank), lengths(cursor, rank), lengths(cursor, rank)]
  checkGrid({ shape, chunkShape, blockShape }, sizes)
  return { shape, chunkShape, blockShape }
}

function checkGrid({ shape, chunkShape, blockShape }: Blosc2Grid, sizes: Sizes): void {
  const product = (factors: readonly number[]) => factors.reduce((all, factor) => all * factor, 1)
  const whole = (parts: readonly number[], part: readonly number[]) => {
    return parts.map((length, axis) => Math.ceil(length / (part[axis] ?? 1)))
  }
  const blocks = whole(chunkShape, blockShape)
  const chunkLength = product(blocks) * product(blockShape) * sizes.itemSize
  const isSound =
    [...chunkShape, ...blockShape].every((length) => length >= 1) && product(whole(shape, chunkShape)) === sizes.count
  if (isSound && chunkLength === sizes.chunkLength && chunkLength * sizes.count === sizes.decodedLength) return
  throw malformed(
    `a Blosc2 array of shape [${shape}], chunks [${chunkShape}], blocks [${blockShape}] contradicts its frame`,
  )
}

function lengths(cursor: Cursor, rank: number): number[] {
  cursor.skip(1)
  return Array.from({ length: rank }, () => number(cursor))
}

/** A msgpack number of a fixed width that counts something. */
function number(cursor: Cursor): number {
  const marker = cursor.u8()
  switch (marker) {
    case 0xd2:
      return cursor.u32()
    case 0xcf:
    case 0xd3:
      return cursor.u64()
  }
  throw cursor.fail(`msgpack marker ${marker} in a Blosc2 frame header, expected an integer`)
}

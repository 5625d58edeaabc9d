// T.800 A.5.1: the size of a picture, its tiles and its components.
import { Cursor } from '../../../bytes/cursor.ts'
import { malformed, unsupported } from '../../../errors.ts'

/** Columns and rows, from the first to in front of the last. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The header of a picture whose components are alike. */
export interface Jpeg2000Header {
  readonly width: number
  readonly height: number
  readonly samples: number
  readonly bits: number
  readonly signed: boolean
  /** Where it lies on its grid, and the first tile. */
  readonly box: Box
  readonly tile: Box
  /** Where its next segment begins. */
  readonly end: number
}

const START = 0xff4f
const SIZE = 0xff51
const MOST_BITS = 38

/** The header of a codestream. */
export function jpeg2000Header(codestream: Uint8Array): Jpeg2000Header {
  const cursor = new Cursor(codestream, 'big')
  if (cursor.u16() !== START || cursor.u16() !== SIZE) throw malformed('a JPEG 2000 picture has no header')
  cursor.skip(4)
  const [right, bottom, left, top] = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()]
  const [tileWidth, tileHeight, tileLeft, tileTop] = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()]
  const box = { left, top, right, bottom }
  const tile = { left: tileLeft, top: tileTop, right: tileLeft + tileWidth, bottom: tileTop + tileHeight }
  if (left >= right || top >= bottom) throw malformed('a JPEG 2000 picture has no samples')
  if (tileLeft > left || tileTop > top || tile.right <= left || tile.bottom <= top) {
    throw malformed('a JPEG 2000 picture begins outside of its first tile')
  }
  const components = readComponents(cursor)
  return { width: right - left, height: bottom - top, ...components, box, tile, end: cursor.position }
}

/** What all components are like. */
function readComponents(cursor: Cursor): { samples: number; bits: number; signed: boolean } {
  const samples = cursor.u16()
  if (samples < 1) throw malformed('a JPEG 2000 picture has no components')
  const components = Array.from({ length: samples }, () => [cursor.u8(), cursor.u8(), cursor.u8()])
  const [precision = 0] = components[0] ?? []
  if (components.some(([own, across, down]) => own !== precision || across !== 1 || down !== 1)) {
    throw unsupported('JPEG 2000 components', 'JPEG 2000 whose components differ in precision or size is not decoded')
  }
  const bits = (precision & 127) + 1
  if (bits > MOST_BITS) throw malformed(`a JPEG 2000 picture has ${bits} bits a sample, expected at most ${MOST_BITS}`)
  return { samples, bits, signed: precision > 127 }
}

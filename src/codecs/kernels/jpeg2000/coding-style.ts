// T.800 A.6: how components are coded and quantised.
import type { Cursor } from '../../../bytes/cursor.ts'
import { malformed, unsupported } from '../../../errors.ts'
import type { BlockStyle } from './block-decoder.ts'

/** The order in which packets lie: by layer, resolution, component and position. */
const ORDERS = ['LRCP', 'RLCP', 'RPCL', 'PCRL', 'CPRL'] as const
export type Order = (typeof ORDERS)[number]

/** What all components of a tile share. */
export interface TileStyle {
  readonly order: Order
  readonly layers: number
  readonly mixesColours: boolean
  readonly marksPackets: boolean
  readonly marksHeaders: boolean
}

/** Sizes are exponents of two. */
export interface ComponentStyle {
  readonly levels: number
  readonly blockWidth: number
  readonly blockHeight: number
  readonly block: BlockStyle
  readonly isReversible: boolean
  /** Of each resolution, the smallest first. */
  readonly precincts: readonly (readonly [number, number])[]
}

/** Steps of the bands: the first, then three of each resolution; or one from which all are derived. */
export interface Quantisation {
  readonly kind: 'none' | 'derived' | 'each'
  readonly guardBits: number
  readonly steps: readonly { readonly exponent: number; readonly mantissa: number }[]
}

const MOST_LEVELS = 32
const MOST_BLOCK_EXPONENT = 10
const MOST_BLOCK_EXPONENTS = 12
const WHOLE = 15
const HIGH_THROUGHPUT = 0x40

/** COD: what all share, and how components are coded that have nothing of their own. */
export function readCodingStyle(cursor: Cursor): { readonly tile: TileStyle; readonly component: ComponentStyle } {
  const flags = cursor.u8()
  const order = ORDERS[cursor.u8()]
  if (order === undefined) throw malformed('a JPEG 2000 picture has an unknown order of packets')
  const layers = cursor.u16()
  if (layers === 0) throw malformed('a JPEG 2000 picture has no layers')
  const mixesColours = cursor.u8() === 1
  const tile = { order, layers, mixesColours, marksPackets: (flags & 2) > 0, marksHeaders: (flags & 4) > 0 }
  return { tile, component: readComponentStyle(cursor, (flags & 1) > 0) }
}

/** The end of COD and COC. */
export function readComponentStyle(cursor: Cursor, hasPrecincts: boolean): ComponentStyle {
  const levels = cursor.u8()
  const [blockWidth, blockHeight] = [cursor.u8() + 2, cursor.u8() + 2]
  if (levels > MOST_LEVELS) throw malformed(`a JPEG 2000 picture has ${levels} levels, expected at most ${MOST_LEVELS}`)
  if (Math.max(blockWidth, blockHeight) > MOST_BLOCK_EXPONENT || blockWidth + blockHeight > MOST_BLOCK_EXPONENTS) {
    throw malformed(`a JPEG 2000 picture has code blocks of 2^${blockWidth} by 2^${blockHeight} coefficients`)
  }
  const block = blockStyle(cursor.u8())
  const transform = cursor.u8()
  if (transform > 1)
    throw unsupported(`JPEG 2000 transform ${transform}`, `transform ${transform} of JPEG 2000 is not decoded`)
  const precincts = Array.from({ length: levels + 1 }, () => {
    const sizes = hasPrecincts ? cursor.u8() : (WHOLE << 4) | WHOLE
    return [sizes & 15, sizes >> 4] as const
  })
  if (precincts.slice(1).some(([width, height]) => width === 0 || height === 0)) {
    throw malformed('a JPEG 2000 picture has precincts of one coefficient')
  }
  return { levels, blockWidth, blockHeight, block, isReversible: transform === 1, precincts }
}

function blockStyle(flags: number): BlockStyle {
  if ((flags & HIGH_THROUGHPUT) > 0) throw unsupported('HTJ2K', 'High-throughput JPEG 2000 is not decoded')
  return {
    bypasses: (flags & 1) > 0,
    resets: (flags & 2) > 0,
    terminates: (flags & 4) > 0,
    isCausal: (flags & 8) > 0,
    hasMarks: (flags & 32) > 0,
  }
}

/** QCD, and the end of QCC. */
export function readQuantisation(cursor: Cursor): Quantisation {
  const style = cursor.u8()
  const guardBits = style >> 5
  switch (style & 31) {
    case 0: {
      const steps = Array.from({ length: cursor.remaining }, () => ({ exponent: cursor.u8() >> 3, mantissa: 0 }))
      return { kind: 'none', guardBits, steps }
    }
    case 1:
      return { kind: 'derived', guardBits, steps: [readStep(cursor)] }
    case 2: {
      const steps = Array.from({ length: cursor.remaining >> 1 }, () => readStep(cursor))
      return { kind: 'each', guardBits, steps }
    }
  }
  throw malformed(`a JPEG 2000 picture has quantisation ${style & 31}, expected 0, 1 or 2`)
}

function readStep(cursor: Cursor) {
  const step = cursor.u16()
  return { exponent: step >> 11, mantissa: step & 0x7ff }
}

// T.800 annex B: what a component of a tile is divided into: resolutions, bands, precincts, code blocks.
import { malformed } from '../../../errors.ts'
import type { Orientation } from './block-contexts.ts'
import type { ComponentStyle, Quantisation } from './coding-style.ts'
import type { Box } from './size.ts'

export interface Band {
  readonly orientation: Orientation
  readonly box: Box
  /** Bit planes of its coefficients, and what one of them is worth where they are quantised. */
  readonly planes: number
  readonly step: number
  /** Where it lies among the coefficients of its component: behind the next smaller resolution. */
  readonly across: number
  readonly down: number
}

export interface Resolution {
  /** Its number, the smallest is 0, and how often it was halved. */
  readonly number: number
  readonly halved: number
  readonly box: Box
  readonly bands: readonly Band[]
  /** Exponents of the sizes of its precincts; of code blocks in its bands. */
  readonly precinct: readonly [number, number]
  readonly block: readonly [number, number]
  readonly precinctsAcross: number
  readonly precinctsDown: number
}

export interface ComponentLayout {
  readonly number: number
  readonly box: Box
  readonly style: ComponentStyle
  readonly resolutions: readonly Resolution[]
}

const ORIENTATIONS: readonly Orientation[] = ['HL', 'LH', 'HH']
/** Bits that filtering adds to those of samples. */
const GAIN = { LL: 0, HL: 1, LH: 1, HH: 2 } as const

export interface ComponentInput {
  readonly number: number
  readonly box: Box
  readonly style: ComponentStyle
  readonly quantisation: Quantisation
  readonly bits: number
}

export function componentLayout({ number, box, style, quantisation, bits }: ComponentInput): ComponentLayout {
  if (style.isReversible !== (quantisation.kind === 'none')) {
    throw malformed('a JPEG 2000 picture is quantised otherwise than its transform wants')
  }
  const resolutions: Resolution[] = []
  for (let resolution = 0; resolution <= style.levels; resolution++) {
    const before = resolutions.at(-1)?.box
    const bands = bandsOf(resolution, box, before, style, quantisation, bits)
    resolutions.push(resolutionOf(resolution, box, style, bands))
  }
  return { number, box, style, resolutions }
}

function resolutionOf(number: number, of: Box, style: ComponentStyle, bands: readonly Band[]): Resolution {
  const halved = style.levels - number
  const box = reducedBox(of, halved)
  const precinct = style.precincts[number] ?? [15, 15]
  const [width, height] = precinct
  const isEmpty = box.left >= box.right || box.top >= box.bottom
  const inner = number === 0 ? 0 : 1
  return {
    number,
    halved,
    box,
    bands,
    precinct,
    block: [Math.min(style.blockWidth, width - inner), Math.min(style.blockHeight, height - inner)],
    precinctsAcross: isEmpty ? 0 : cells(box.left, box.right, width),
    precinctsDown: isEmpty ? 0 : cells(box.top, box.bottom, height),
  }
}

function bandsOf(
  resolution: number,
  box: Box,
  before: Box | undefined,
  style: ComponentStyle,
  quantisation: Quantisation,
  bits: number,
): Band[] {
  const halved = style.levels - resolution + (resolution === 0 ? 0 : 1)
  const orientations = resolution === 0 ? (['LL'] as const) : ORIENTATIONS
  return orientations.map((orientation, place) => {
    const { exponent, mantissa } = stepOf(quantisation, resolution, place, style.levels, halved)
    const isHigh = { across: orientation[0] === 'H', down: orientation[1] === 'H' }
    return {
      orientation,
      box: bandBox(box, halved, isHigh.across, isHigh.down),
      planes: quantisation.guardBits + exponent - 1,
      step: style.isReversible ? 1 : 2 ** (bits + GAIN[orientation] - exponent) * (1 + mantissa / 2048),
      across: isHigh.across && before !== undefined ? before.right - before.left : 0,
      down: isHigh.down && before !== undefined ? before.bottom - before.top : 0,
    }
  })
}

function stepOf({ kind, steps }: Quantisation, resolution: number, place: number, levels: number, halved: number) {
  const index = kind === 'derived' || resolution === 0 ? 0 : 3 * (resolution - 1) + 1 + place
  const step = steps[index]
  if (step === undefined)
    throw malformed(`a JPEG 2000 picture of ${levels} levels says how ${steps.length} bands are quantised`)
  if (kind !== 'derived') return step
  return { ...step, exponent: step.exponent - levels + halved }
}

/** A box at a lower resolution. */
function reducedBox({ left, top, right, bottom }: Box, halved: number): Box {
  const reduced = (at: number) => Math.ceil(at / 2 ** halved)
  return { left: reduced(left), top: reduced(top), right: reduced(right), bottom: reduced(bottom) }
}

/** The high bands have every other coefficient, beginning with the second. */
function bandBox({ left, top, right, bottom }: Box, halved: number, isHighAcross: boolean, isHighDown: boolean): Box {
  const half = 2 ** (halved - 1)
  const reduced = (at: number, isHigh: boolean) => Math.ceil((at - (isHigh ? half : 0)) / 2 ** halved)
  return {
    left: reduced(left, isHighAcross),
    top: reduced(top, isHighDown),
    right: reduced(right, isHighAcross),
    bottom: reduced(bottom, isHighDown),
  }
}

/** Cells of 2^exponent between two places. */
export function cells(from: number, to: number, exponent: number): number {
  return Math.ceil(to / 2 ** exponent) - Math.floor(from / 2 ** exponent)
}

import type { BlockSegment } from './block-decoder.ts'
import { TagTree } from './tag-tree.ts'
import { type Band, cells, type Resolution } from './tile-layout.ts'

/** Passes of a block that were coded together, and their bytes from each packet. */
export interface OpenSegment {
  passes: number
  readonly mostPasses: number
  readonly pieces: Uint8Array[]
}

/** A code block, as its packets tell of it. */
export interface Block {
  readonly band: Band
  /** Within its band. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Of the packets of its precinct. */
  readonly x: number
  readonly y: number
  planes: number
  passes: number
  lengthBits: number
  readonly segments: OpenSegment[]
}

/** The blocks of one band in a precinct. */
export interface PrecinctBand {
  readonly band: Band
  readonly blocks: readonly Block[]
  readonly inclusion: TagTree
  readonly emptyPlanes: TagTree
}

/** The blocks of a precinct, band by band; bands without any are left out. */
export function precinctBands(resolution: Resolution, index: number): PrecinctBand[] {
  const { box, precinct, bands, precinctsAcross, number } = resolution
  const [across, down] = [
    Math.floor(box.left / 2 ** precinct[0]) + (index % precinctsAcross),
    Math.floor(box.top / 2 ** precinct[1]) + Math.floor(index / precinctsAcross),
  ]
  const inner = number === 0 ? 0 : 1
  const [width, height] = [2 ** (precinct[0] - inner), 2 ** (precinct[1] - inner)]
  return bands.flatMap((band) => {
    const left = Math.max(band.box.left, across * width)
    const right = Math.min(band.box.right, (across + 1) * width)
    const top = Math.max(band.box.top, down * height)
    const bottom = Math.min(band.box.bottom, (down + 1) * height)
    return left < right && top < bottom ? [bandOf(band, { left, right, top, bottom }, resolution.block)] : []
  })
}

function bandOf(
  band: Band,
  { left, right, top, bottom }: Band['box'],
  [width, height]: readonly [number, number],
): PrecinctBand {
  const [columns, rows] = [cells(left, right, width), cells(top, bottom, height)]
  const [first, firstRow] = [Math.floor(left / 2 ** width), Math.floor(top / 2 ** height)]
  const blocks = Array.from({ length: columns * rows }, (_, index): Block => {
    const [x, y] = [index % columns, Math.floor(index / columns)]
    const from = { left: Math.max(left, (first + x) * 2 ** width), top: Math.max(top, (firstRow + y) * 2 ** height) }
    return {
      band,
      left: from.left - band.box.left,
      top: from.top - band.box.top,
      width: Math.min(right, (first + x + 1) * 2 ** width) - from.left,
      height: Math.min(bottom, (firstRow + y + 1) * 2 ** height) - from.top,
      x,
      y,
      planes: 0,
      passes: 0,
      lengthBits: 3,
      segments: [],
    }
  })
  return { band, blocks, inclusion: new TagTree(columns, rows), emptyPlanes: new TagTree(columns, rows) }
}

/** How many blocks a resolution has. */
export function blockCount({ bands, block: [width, height] }: Resolution): number {
  return bands
    .map(({ box }) => Math.max(0, cells(box.left, box.right, width)) * Math.max(0, cells(box.top, box.bottom, height)))
    .reduce((sum, count) => sum + count, 0)
}

/** The segments of a block as they are decoded: each with two bytes of 0xff behind it. */
export function segmentsOf({ segments }: Block): BlockSegment[] {
  return segments.map(({ passes, pieces }) => {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const bytes = new Uint8Array(length + 2).fill(0xff, length)
    let at = 0
    for (const piece of pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    return { passes, bytes }
  })
}

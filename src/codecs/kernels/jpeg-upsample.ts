// Chroma at full resolution: the triangle filter of libjpeg 6 where it has one, else repeated samples.
import { unsupported } from '../../errors.ts'
import type { JpegSamples } from './jpeg-idct.ts'

/** The samples of one component. */
export interface JpegPlane {
  readonly samples: JpegSamples
  readonly stride: number
  readonly width: number
  readonly height: number
  /** How many times smaller than the image, after the transform. */
  readonly across: number
  readonly down: number
  /** Whether samples in between are made by the triangle filter. */
  readonly smooth: boolean
}

/** Row `y` of the image, as long as the plane is wide times `across`; `row` has room for it. */
export function upsampledRow(plane: JpegPlane, y: number, row: JpegSamples): JpegSamples {
  const { samples, stride, across, down, width, smooth } = plane
  const near = Math.floor(y / down)
  const nearRow = samples.subarray(near * stride, near * stride + width)
  if (across === 1 && down === 1) return nearRow
  if (!Number.isInteger(across) || !Number.isInteger(down)) {
    throw unsupported('JPEG sampling factors', 'JPEG components whose sizes are no multiples are not decoded')
  }
  if (smooth && across === 2 && down === 1 && width > 2) doubled(nearRow, row)
  else if (smooth && across <= 2 && down === 2 && (across === 1 || width > 2)) {
    const far = Math.min(Math.max(near + (y % 2 === 0 ? -1 : 1), 0), plane.height - 1)
    const farRow = samples.subarray(far * stride, far * stride + width)
    if (across === 1) mixed(nearRow, farRow, y % 2 === 0 ? 1 : 2, row)
    else doubledBothWays(nearRow, farRow, row)
  } else {
    for (let at = 0; at < width * across; at++) row[at] = nearRow[Math.floor(at / across)] ?? 0
  }
  return row
}

function mixed(near: JpegSamples, far: JpegSamples, bias: number, row: JpegSamples): void {
  for (let at = 0; at < near.length; at++) row[at] = (3 * (near[at] ?? 0) + (far[at] ?? 0) + bias) >> 2
}

function doubled(near: JpegSamples, row: JpegSamples): void {
  const last = near.length - 1
  row[0] = near[0] ?? 0
  row[1] = (3 * (near[0] ?? 0) + (near[1] ?? 0) + 2) >> 2
  for (let at = 1; at < last; at++) {
    const three = 3 * (near[at] ?? 0)
    row[2 * at] = (three + (near[at - 1] ?? 0) + 1) >> 2
    row[2 * at + 1] = (three + (near[at + 1] ?? 0) + 2) >> 2
  }
  row[2 * last] = (3 * (near[last] ?? 0) + (near[last - 1] ?? 0) + 1) >> 2
  row[2 * last + 1] = near[last] ?? 0
}

function doubledBothWays(near: JpegSamples, far: JpegSamples, row: JpegSamples): void {
  const last = near.length - 1
  let before = 0
  let here = 3 * (near[0] ?? 0) + (far[0] ?? 0)
  let after = 3 * (near[1] ?? 0) + (far[1] ?? 0)
  row[0] = (here * 4 + 8) >> 4
  row[1] = (here * 3 + after + 7) >> 4
  for (let at = 1; at < last; at++) {
    before = here
    here = after
    after = 3 * (near[at + 1] ?? 0) + (far[at + 1] ?? 0)
    row[2 * at] = (here * 3 + before + 8) >> 4
    row[2 * at + 1] = (here * 3 + after + 7) >> 4
  }
  row[2 * last] = (after * 3 + here + 8) >> 4
  row[2 * last + 1] = (after * 4 + 7) >> 4
}

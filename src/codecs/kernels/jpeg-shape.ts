// How the samples of a picture lie, and how they are brought to its size.
import { unsupported } from '../../errors.ts'
import type { JpegComponent, JpegFrame } from './jpeg-markers.ts'

/**
 * How components of a lower resolution are brought up. `interpolated`: by a triangle filter, as libjpeg-turbo does it (jdsample.c), and with it
 * GDAL, imagecodecs and Pillow; `repeated`: samples are repeated, as libtiff does with old JPEG.
 */
export type JpegChroma = 'interpolated' | 'repeated'

/** One component as its samples are kept. */
export interface JpegPart {
  readonly component: JpegComponent
  readonly stride: number
  readonly rows: number
  /** Samples that belong to the image. */
  readonly width: number
  readonly height: number
  /** How many times smaller than the image. */
  readonly timesAcross: number
  readonly timesDown: number
  /** Whether samples in between are made by the triangle filter. */
  readonly smooth: boolean
}

export function jpegPart(component: JpegComponent, frame: JpegFrame, chroma: JpegChroma): JpegPart {
  const { mostHorizontal, mostVertical } = frame
  const { horizontal, vertical, blocksAcross, blocksDown, width, height } = component
  const timesAcross = mostHorizontal / horizontal
  const timesDown = mostVertical / vertical
  if (!Number.isInteger(timesAcross) || !Number.isInteger(timesDown)) {
    throw unsupported('JPEG sampling factors', 'JPEG components whose sizes are no multiples are not decoded')
  }
  return {
    component,
    stride: blocksAcross * 8,
    rows: blocksDown * 8,
    width,
    height,
    timesAcross,
    timesDown,
    smooth: chroma === 'interpolated',
  }
}

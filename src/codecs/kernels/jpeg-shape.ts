// How the samples of a picture lie, and how they are brought to its size.
import { unsupported } from '../../errors.ts'
import type { JpegComponent, JpegFrame } from './jpeg-markers.ts'

/**
 * How components of a lower resolution are brought up. `transformed`: to twice the samples, as libjpeg 9 and with it the GDAL of
 * rasterio up to 1.4 does for 8 bits (12 are interpolated); `interpolated`: by a triangle filter, as libjpeg 6 and libjpeg-turbo, and with them imagecodecs
 * and Pillow; `repeated`: they keep it.
 */
export type JpegChroma = 'transformed' | 'interpolated' | 'repeated'

/** One component as its samples are kept. */
export interface JpegPart {
  readonly component: JpegComponent
  readonly stride: number
  readonly rows: number
  /** 1 or 2: how many times 8 samples a block becomes in each direction. */
  readonly across: number
  readonly down: number
  /** Samples that belong to the image. */
  readonly width: number
  readonly height: number
  /** How many times smaller than the image, after the transform. */
  readonly timesAcross: number
  readonly timesDown: number
  /** Whether samples in between are made by the triangle filter. */
  readonly smooth: boolean
}

export function jpegPart(component: JpegComponent, frame: JpegFrame, chroma: JpegChroma): JpegPart {
  const { precision, mostHorizontal, mostVertical } = frame
  const { horizontal, vertical, blocksAcross, blocksDown, width, height } = component
  // GDAL reads 12 bits with an older library, which doesn't.
  const doubles = precision === 8 && chroma === 'transformed'
  const across = doubles && mostHorizontal % (2 * horizontal) === 0 ? 2 : 1
  const down = doubles && mostVertical % (2 * vertical) === 0 ? 2 : 1
  const timesAcross = mostHorizontal / (across * horizontal)
  const timesDown = mostVertical / (down * vertical)
  if (!Number.isInteger(timesAcross) || !Number.isInteger(timesDown)) {
    throw unsupported('JPEG sampling factors', 'JPEG components whose sizes are no multiples are not decoded')
  }
  return {
    component,
    stride: blocksAcross * across * 8,
    rows: blocksDown * down * 8,
    across,
    down,
    width: width * across,
    height: height * down,
    timesAcross,
    timesDown,
    smooth: !doubles && chroma !== 'repeated',
  }
}

import type { Affine } from './conventions.ts'

/** A pixel (by its corner) and where it is: column, row, x, y, z. */
export interface ControlPoint {
  readonly column: number
  readonly row: number
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Where an image lies: an affine transformation, or points that only fit something else. */
export interface Placement {
  readonly transform: Affine | undefined
  readonly points: readonly ControlPoint[]
  readonly pixelIsPoint: boolean
}

/** Whether rows run along x and columns along y, so that coordinates are lists of numbers. */
export function isUpright([, b, , d]: Affine): boolean {
  return b === 0 && d === 0
}

/** The transformation of the same area cut into other pixels. */
export function rescaled([a, b, c, d, e, f]: Affine, xFactor: number, yFactor: number): Affine {
  return [a * xFactor, b * yFactor, c, d * xFactor, e * yFactor, f]
}

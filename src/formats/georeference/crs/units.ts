/** Radians of a degree, as WKT writes it. */
export const DEGREE = 0.0174532925199433

/** Whether two numbers are the same but for how many of their digits were written. */
export function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-11 * Math.max(Math.abs(one), Math.abs(other))
}

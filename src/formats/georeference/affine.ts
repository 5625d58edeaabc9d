/** x = a*column + b*row + c and y = d*column + e*row + f, of the corner of a pixel. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

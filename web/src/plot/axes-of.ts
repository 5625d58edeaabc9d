import type { ArrayInfo } from '../service/types.ts'

const DOWN = /^(y|lat|latitude|northing|row|line|j|nj|south_north|ydim.*|rlat|nav_lat)$/i
const ACROSS = /^(x|lon|longitude|easting|col|column|sample|pixel|i|ni|west_east|xdim.*|rlon|nav_lon)$/i

/** The dimensions of the picture: those that the view names, those with names of places, else the last two that have a length. */
export function pictureAxes(
  { dimension_names: names, shape }: ArrayInfo,
  named: readonly [string, string] | undefined,
): readonly [down: number, across: number] {
  const [first, second] = (named ?? []).map((name) => names.indexOf(name))
  if (first !== undefined && second !== undefined && first >= 0 && second >= 0 && first !== second)
    return [first, second]
  const [down, across] = [names.findIndex((name) => DOWN.test(name)), names.findIndex((name) => ACROSS.test(name))]
  if (down >= 0 && across >= 0) return [down, across]
  const long = shape.flatMap((length, axis) => (length > 1 ? [axis] : []))
  const [a, b] = long.length >= 2 ? long.slice(-2) : [shape.length - 2, shape.length - 1]
  return [a ?? 0, b ?? 1]
}

import { invalidRequest } from '../../errors.ts'

/** A part of an array: where it begins and how long it is, on each axis. */
export interface Box {
  readonly from: readonly number[]
  readonly extent: readonly number[]
}

/** A slice as a box, and the axes that a single index was given for: they leave the result's shape. */
export interface Slice {
  readonly box: Box
  readonly dropped: readonly boolean[]
}

/** Reads `0,1:3,:` as numpy does, without steps. */
export function parseSlice(slice: string | undefined, shape: readonly number[]): Slice {
  const texts = slice === undefined || slice === '' ? [] : slice.replace(/^\[|\]$/g, '').split(',')
  if (texts.length > shape.length)
    throw invalidRequest(`the slice has ${texts.length} parts, the array ${shape.length} dimensions`)
  const parts = shape.map((length, axis) => parsePart(texts[axis] ?? ':', length))
  return {
    box: { from: parts.map((part) => part.from), extent: parts.map((part) => part.extent) },
    dropped: parts.map((part) => part.dropped),
  }
}

function parsePart(text: string, length: number): { from: number; extent: number; dropped: boolean } {
  const match = /^\s*(?:(-?\d+)|(-?\d+)?:(-?\d+)?)\s*$/.exec(text)
  if (match === null) throw invalidRequest(`${JSON.stringify(text)} is no index and no range such as 0 or 1:3`)
  const [, single, start, stop] = match
  const absolute = (index: number) => (index < 0 ? index + length : index)
  if (single !== undefined) {
    const from = absolute(Number(single))
    if (from < 0 || from >= length) throw invalidRequest(`index ${single} is outside a dimension of ${length}`)
    return { from, extent: 1, dropped: true }
  }
  const clamp = (index: number) => Math.min(length, Math.max(0, absolute(index)))
  const from = start === undefined ? 0 : clamp(Number(start))
  const to = stop === undefined ? length : clamp(Number(stop))
  return { from, extent: Math.max(0, to - from), dropped: false }
}

/** Grid positions of the chunks that a box touches. */
export function* chunksOf({ from, extent }: Box, chunkShape: readonly number[]): Generator<number[]> {
  if (extent.some((length) => length === 0)) return
  const first = from.map((start, axis) => Math.floor(start / (chunkShape[axis] ?? 1)))
  const last = from.map((start, axis) => Math.floor((start + (extent[axis] ?? 1) - 1) / (chunkShape[axis] ?? 1)))
  const coords = [...first]
  for (;;) {
    yield [...coords]
    let axis = coords.length - 1
    while (axis >= 0 && coords[axis] === last[axis]) {
      coords[axis] = first[axis] ?? 0
      axis--
    }
    if (axis < 0) return
    coords[axis] = (coords[axis] ?? 0) + 1
  }
}

/** The part of a chunk that lies in a box: where it begins in the chunk and in the box, and how long it is. */
export function overlap(coords: readonly number[], chunkShape: readonly number[], box: Box) {
  const start = coords.map((index, axis) => Math.max(index * (chunkShape[axis] ?? 1), box.from[axis] ?? 0))
  const end = coords.map((index, axis) =>
    Math.min((index + 1) * (chunkShape[axis] ?? 1), (box.from[axis] ?? 0) + (box.extent[axis] ?? 0)),
  )
  return {
    from: start.map((position, axis) => position - (coords[axis] ?? 0) * (chunkShape[axis] ?? 1)),
    to: start.map((position, axis) => position - (box.from[axis] ?? 0)),
    extent: start.map((position, axis) => (end[axis] ?? position) - position),
  }
}

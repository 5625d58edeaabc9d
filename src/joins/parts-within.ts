import type { Box, VirtualArray } from '../model/virtual-store.ts'

/** The numbers of all sources of a join that reach into a box of an array, those of rows included. */
export async function partsWithin(array: VirtualArray, box: Box, signal?: AbortSignal): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  const addWithin = async (inner: VirtualArray, within: Box) => {
    for (const number of await partsWithin(inner, within, signal)) found.add(number)
  }
  const { masked, reduced } = array
  if (masked !== undefined) {
    await addWithin(masked.values, box)
    await addWithin(masked.mask, lastAxes(box, masked.mask.shape.length))
  }
  if (reduced !== undefined) await addWithin(reduced.values, finerBox(box, reduced.factors))
  const parts = array.stored ?? (await array.joined?.within(box, signal)) ?? []
  for (const { array: inner, origin, part } of parts) {
    if (part !== undefined) found.add(part)
    else await addWithin(inner, movedBox(box, origin, inner.shape))
  }
  return found
}

/** A box in the coordinates of a part, as far as it reaches into it. */
function movedBox(box: Box, origin: readonly number[], shape: readonly number[]): Box {
  const low = box.origin.map((at, axis) => Math.max(at - (origin[axis] ?? 0), 0))
  const high = box.origin.map((at, axis) =>
    Math.min(at + (box.shape[axis] ?? 0) - (origin[axis] ?? 0), shape[axis] ?? 0),
  )
  return { origin: low, shape: high.map((end, axis) => Math.max(0, end - (low[axis] ?? 0))) }
}

function lastAxes({ origin, shape }: Box, count: number): Box {
  const first = shape.length - count
  return { origin: origin.slice(first), shape: shape.slice(first) }
}

/** The box of a finer array under one of an overview. */
function finerBox({ origin, shape }: Box, factors: readonly number[]): Box {
  const times = (at: number, axis: number) => at * (factors[axis] ?? 1)
  return { origin: origin.map(times), shape: shape.map(times) }
}

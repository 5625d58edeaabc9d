import type { Box, VirtualArray } from '../model/virtual-store.ts'

/** The numbers of all sources of a join that reach into a box of an array, those of rows included. */
export async function partsWithin(array: VirtualArray, box: Box, signal?: AbortSignal): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  const parts = array.stored ?? (await array.joined?.within(box, signal)) ?? []
  for (const { array: inner, origin, part } of parts) {
    if (part !== undefined) found.add(part)
    else for (const number of await partsWithin(inner, movedBox(box, origin, inner.shape), signal)) found.add(number)
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

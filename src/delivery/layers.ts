import type { Layer } from './delivery.ts'

type Leaf = object | number

/** Layers are told from stored chunks by what they are made of. */
export function isLayer<L extends Leaf>(item: L | Layer<L>): item is Layer<L> {
  return typeof item === 'object' && 'pieces' in item
}

/** The stored chunks of all layers. */
export function leavesOf<L extends Leaf>(items: readonly (L | Layer<L>)[]): L[] {
  return items.flatMap((item) => {
    if (!isLayer(item)) return [item]
    return item.mask === undefined ? leavesOf(item.pieces) : [...leavesOf(item.pieces), ...leavesOf(item.mask.pieces)]
  })
}

/** The same layers of other stored chunks; what becomes undefined is left out. */
export function withLeaves<From extends Leaf, To extends Leaf>(
  items: readonly (From | Layer<From>)[],
  change: (leaf: From) => To | undefined,
): (To | Layer<To>)[] {
  return items.flatMap((item): (To | Layer<To>)[] => {
    if (!isLayer(item)) {
      const leaf = change(item)
      return leaf === undefined ? [] : [leaf]
    }
    const { pieces, mask, ...box } = item
    const changedMask = mask === undefined ? undefined : { ...mask, pieces: withLeaves(mask.pieces, change) }
    return [{ ...box, pieces: withLeaves(pieces, change), mask: changedMask }]
  })
}

/** What invented names of dimensions begin with (DM-3). */
export const INVENTED = 'phony_dim_'

/** The dimensions of all groups on the way from the root. There may be many of both: nothing is copied from group to group. */
export interface DimensionScope {
  lengthOf(name: string): number | undefined
  /** Invented names of this length, those of the outermost group first. */
  invented(length: number): readonly string[]
}

export const NO_DIMENSIONS: DimensionScope = { lengthOf: () => undefined, invented: () => [] }

/** What the groups inside of a group see: its own dimensions before those above it. */
export function scopeBelow(above: DimensionScope, own: ReadonlyMap<string, number>): DimensionScope {
  if (own.size === 0) return above
  const inventedHere = Map.groupBy(
    [...own].filter(([name, length]) => name.startsWith(INVENTED) && above.lengthOf(name) !== length),
    ([, length]) => length,
  )
  return {
    lengthOf: (name) => own.get(name) ?? above.lengthOf(name),
    invented: (length) => [
      ...above.invented(length).filter((name) => (own.get(name) ?? length) === length),
      ...(inventedHere.get(length) ?? []).map(([name]) => name),
    ],
  }
}

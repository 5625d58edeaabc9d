/** The sources of a join in order, as arithmetic where it can be: the n-th is made when it is asked for. */
export interface SourceList {
  readonly length: number
  /** The URL at a position inside the list, as the document spells it: it may count from the document. */
  at(position: number): string
}

/** Sources that are spelled out. */
export function spelledOut(urls: readonly string[]): SourceList {
  return { length: urls.length, at: (position) => urls[position] ?? outside(position, urls.length) }
}

/** Lists one after the other. */
export function chained(lists: readonly SourceList[]): SourceList {
  const [only] = lists
  if (only !== undefined && lists.length === 1) return only
  const length = lists.reduce((sum, list) => sum + list.length, 0)
  return {
    length,
    at(position) {
      let rest = position
      for (const list of lists) {
        if (rest < list.length) return list.at(rest)
        rest -= list.length
      }
      return outside(position, length)
    },
  }
}

/** The values that one field of a template takes, and how each is spelled. */
export interface FieldValues {
  readonly length: number
  /** The value at a position, spelled as the field's format says; without one as the list has it. */
  spelled(position: number, format: string | undefined): string
}

/** Every combination of the fields' values, the last field running fastest. */
export function combinations(
  fields: readonly FieldValues[],
  spell: (positions: readonly number[]) => string,
): SourceList {
  const length = fields.reduce((product, field) => product * field.length, 1)
  return {
    length,
    at(position) {
      if (!Number.isInteger(position) || position < 0 || position >= length) return outside(position, length)
      const positions = new Array<number>(fields.length).fill(0)
      let rest = position
      for (let place = fields.length - 1; place >= 0; place--) {
        const count = fields[place]?.length ?? 1
        positions[place] = rest % count
        rest = Math.floor(rest / count)
      }
      return spell(positions)
    },
  }
}

function outside(position: number, length: number): never {
  throw new RangeError(`position ${position} is outside of a list of ${length}`)
}

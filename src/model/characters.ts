import type { DataType } from './data-type.ts'
import type { Member } from './virtual-store.ts'

/** A variable as far as it tells what characters are. */
export interface CharacterVariable {
  readonly name: string
  /** Whether its elements are single characters. */
  readonly isCharacters: boolean
  /** Null where nothing names a dimension. */
  readonly dimensionNames: readonly (string | null)[]
}

/**
 * The variables of one group whose last dimension is the length of texts: no variable is named as that dimension is, and all that have
 * it are characters with it last. So does xarray (`stackable` in `conventions.py`), group by group; any other character is a value of its own.
 */
export function textVariables(variables: readonly CharacterVariable[]): ReadonlySet<string> {
  const taken = new Set<string | null>([null])
  for (const { name, isCharacters, dimensionNames } of variables) {
    taken.add(name)
    const last = isCharacters ? dimensionNames.at(-1) : undefined
    for (const dimension of dimensionNames) if (dimension !== last) taken.add(dimension)
  }
  const texts = variables.filter(({ isCharacters, dimensionNames }) => {
    const last = dimensionNames.at(-1)
    return isCharacters && last !== undefined && !taken.has(last)
  })
  return new Set(texts.map(({ name }) => name))
}

/** The members of a group of NetCDF, with a mark on those whose characters are text. */
export function withTextMembers(
  members: ReadonlyMap<string, Member>,
  isDimension: (name: string) => boolean = () => true,
): ReadonlyMap<string, Member> {
  const variables = [...members].flatMap(([name, member]): CharacterVariable[] => {
    if (member.kind === 'group') return []
    if (member.kind === 'skipped') return [{ name, isCharacters: false, dimensionNames: member.dataDimensions ?? [] }]
    const dimensionNames = (member.dimensionNames ?? []).map((dimension) =>
      dimension !== null && isDimension(dimension) ? dimension : null,
    )
    return [{ name, isCharacters: isCharacter(member.dataType), dimensionNames }]
  })
  const texts = textVariables(variables)
  if (texts.size === 0) return members
  const marked = [...members].map(([name, member]) =>
    member.kind === 'array' && texts.has(name)
      ? ([name, { ...member, isText: true }] as const)
      : ([name, member] as const),
  )
  return new Map(marked)
}

/** The dimensions of an array that can't be served, as far as they are no texts' length for sure. */
export function dataDimensions(
  dimensionNames: readonly (string | null)[],
  isCharacters: boolean,
): readonly (string | null)[] {
  return isCharacters ? dimensionNames.slice(0, -1) : dimensionNames
}

/** One byte of text. */
export function isCharacter(type: DataType): boolean {
  return type.kind === 'fixed-text' && type.encoding === 'bytes' && type.length === 1
}

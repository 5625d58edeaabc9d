import { lazily } from '../../../lazily.ts'
import { type Condition, type KeyOf, mostSpecific } from './conditions.ts'
import { PARAMETERS } from './parameters.ts'
import { unpackedLines } from './text.ts'

/** What a parameter is called; absent where its definition does not say. */
export type Properties = readonly string[]

/** Places in `Properties`. */
export const PROPERTIES = ['paramId', 'shortName', 'name', 'units', 'cfName', 'cfVarName'] as const
export type Property = (typeof PROPERTIES)[number]

/** Definitions before the tables of 2024 (`before`), after, or of the oldest kind. */
export type Variant = 'after' | 'before' | 'legacy'

interface Definition {
  readonly variant: Variant | 'both'
  readonly conditions: readonly Condition[]
  readonly properties: Properties
}

/** Definitions of one folder by the numbers that each parameter has. */
type Folder = ReadonlyMap<string, readonly Definition[]>

const loadedFolders = lazily(loadFolders)

/** Where to look: `edition/centre`, the centre empty for definitions of all. */
export interface Search {
  readonly folders: readonly string[]
  readonly variant: Variant
  /** Numbers of the parameter; prefixes of them are looked for as well. */
  readonly numbers: readonly number[]
  readonly keyOf: KeyOf
}

/** The value of a property by the folders taken together; undefined where none of them knows it. */
export function findProperty(property: Property, { folders, variant, numbers, keyOf }: Search): string | undefined {
  const loaded = loadedFolders()
  const place = PROPERTIES.indexOf(property)
  const heads = numbers.map((_, count) => [
    ...numbers.slice(0, count + 1),
    ...numbers.slice(count + 1).fill(Number.NaN),
  ])
  const candidates: Definition[] = []
  for (const folder of folders) {
    for (const head of heads) {
      const key = head.map((number) => (Number.isNaN(number) ? '' : String(number))).join('.')
      candidates.push(...(loaded.get(folder)?.get(key) ?? []))
    }
  }
  const fitting = candidates.filter(
    (definition) =>
      (definition.properties[place] ?? '') !== '' &&
      (definition.variant === variant || (definition.variant === 'both' && variant !== 'legacy')),
  )
  return mostSpecific(fitting, keyOf)?.properties[place]
}

const MARKS: ReadonlyMap<string, Definition['variant']> = new Map([
  ['+', 'after'],
  ['-', 'before'],
  ['~', 'legacy'],
])

function loadFolders(): ReadonlyMap<string, Folder> {
  const lines = unpackedLines(PARAMETERS)
  const keys = (lines[0] ?? '').split('\t')
  const folders = new Map<string, Map<string, Definition[]>>()
  const rows: Properties[] = []
  let folder: Map<string, Definition[]> | undefined
  for (const line of lines.slice(1)) {
    if (line.startsWith('@')) {
      folder = new Map()
      folders.set(line.slice(1), folder)
    } else if (folder === undefined) rows.push(line.split('\t'))
    else addDefinition(folder, line, keys, rows)
  }
  return folders
}

function addDefinition(
  folder: Map<string, Definition[]>,
  line: string,
  keys: readonly string[],
  rows: readonly Properties[],
): void {
  const mark = MARKS.get(line.charAt(0))
  const [written = '', row = ''] = (mark === undefined ? line : line.slice(1)).split('\t')
  const [head = '', ...rest] = written.split(';')
  const conditions = rest.map((condition) => {
    const [key = '', value = ''] = condition.split('=')
    return { key: keys[Number(key)] ?? '', value }
  })
  // The numbers themselves are conditions, too: more of them are more specific.
  const numbers = head.split('.').filter((number) => number !== '')
  const own = numbers.map((value, place) => ({ key: `number ${place}`, value }))
  const definition = {
    variant: mark ?? ('both' as const),
    conditions: [...own, ...conditions],
    properties: rows[Number(row)] ?? [],
  }
  const known = folder.get(head)
  if (known === undefined) folder.set(head, [definition])
  else known.push(definition)
}

import { lazily } from '../../../lazily.ts'
import { type Condition, type KeyOf, mostSpecific } from './conditions.ts'
import { PARAMETERS } from './parameters.ts'
import { unpackedLines } from './text.ts'

/** What a parameter is called; absent where its definition does not say. */
type Properties = readonly string[]

/** Places in `Properties`. */
const PROPERTIES = ['paramId', 'shortName', 'name', 'units', 'cfName', 'cfVarName'] as const
export type Property = (typeof PROPERTIES)[number]

/** Definitions before the tables of 2024 (`before`), after, or of the oldest kind. */
export type Variant = 'after' | 'before' | 'legacy'

interface Definition {
  readonly variant: Variant | 'both'
  readonly conditions: readonly Condition[]
  readonly properties: Properties
}

/** The table as it is written: thousands of definitions, of which a file needs a few. */
interface Table {
  readonly keys: readonly string[]
  readonly rows: readonly string[]
  readonly folders: ReadonlyMap<string, Folder>
}

/** What stands for a property that is said to be nothing. */
const EMPTY = '""'

const loadedTable = lazily(loadTable)

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
  const table = loadedTable()
  const place = PROPERTIES.indexOf(property)
  const heads = numbers.map((_, count) => [
    ...numbers.slice(0, count + 1),
    ...numbers.slice(count + 1).fill(Number.NaN),
  ])
  const candidates: Definition[] = []
  for (const folder of folders) {
    for (const head of heads) {
      const key = head.map((number) => (Number.isNaN(number) ? '' : String(number))).join('.')
      candidates.push(...(table.folders.get(folder)?.definitions(key, table) ?? []))
    }
  }
  const fitting = candidates.filter(
    (definition) =>
      (definition.properties[place] ?? '') !== '' &&
      (definition.variant === variant || (definition.variant === 'both' && variant !== 'legacy')),
  )
  const found = mostSpecific(fitting, keyOf)?.properties[place]
  return found === EMPTY ? '' : found
}

const MARKS: ReadonlyMap<string, Definition['variant']> = new Map([
  ['+', 'after'],
  ['-', 'before'],
  ['~', 'legacy'],
])

function loadTable(): Table {
  const [keys = '', ...lines] = unpackedLines(PARAMETERS)
  const folders = new Map<string, Folder>()
  const rows: string[] = []
  let folder: Folder | undefined
  for (const line of lines) {
    if (line.startsWith('@')) {
      folder = new Folder()
      folders.set(line.slice(1), folder)
    } else if (folder === undefined) rows.push(line)
    else folder.add(line)
  }
  return { keys: keys.split('\t'), rows, folders }
}

/** Definitions of one folder by the numbers that each parameter has; each is read when it is first asked for. */
class Folder {
  readonly #lines: string[] = []
  readonly #linesByNumbers = lazily(() => Map.groupBy(this.#lines, numbersOf))
  readonly #known = new Map<string, readonly Definition[]>()

  add(line: string): void {
    this.#lines.push(line)
  }

  definitions(numbers: string, table: Table): readonly Definition[] {
    const known = this.#known.get(numbers)
    if (known !== undefined) return known
    const lines = this.#linesByNumbers().get(numbers)
    // What is not there is not kept: of that there is no end.
    if (lines === undefined) return []
    const definitions = lines.map((line) => definitionOf(line, table))
    this.#known.set(numbers, definitions)
    return definitions
  }
}

function numbersOf(line: string): string {
  return line.slice(MARKS.has(line.charAt(0)) ? 1 : 0, line.search(/[;\t]/))
}

function definitionOf(line: string, { keys, rows }: Table): Definition {
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
  return {
    variant: mark ?? ('both' as const),
    conditions: [...own, ...conditions],
    properties: (rows[Number(row)] ?? '').split('\t'),
  }
}

import { isJsonObject, type Json } from '../json/json.ts'
import type { ArrayInspection, Inspection } from '../service/api-schemas.ts'
import { shownExtension, shownSize, shownText, shownValue } from './shown.ts'

/** Nodes that are drawn, unless all are asked for. */
const MOST_NODES = 300
const MOST_ABOUT = 60

/** One line of the tree, in columns. */
interface Row {
  readonly name: string
  readonly type: string
  readonly dimensions: string
  readonly size: string
  readonly about: string
}

/** What a source holds as a tree: names, types, dimensions, sizes in memory, and what they are. */
export function treeText({ groups, arrays }: Inspection, isAll: boolean): string {
  const below = Map.groupBy(
    [...Object.keys(arrays), ...Object.keys(groups)].filter((path) => path !== ''),
    parentOf,
  )
  const rows: Row[] = [rootRow({ groups, arrays })]
  const walk = (path: string, indent: string) => {
    const members = below.get(path) ?? []
    for (const [at, member] of members.entries()) {
      const isLast = at === members.length - 1
      const array = arrays[member]
      const name = `${indent}${isLast ? '└─ ' : '├─ '}${shownText(member.slice(path === '' ? 0 : path.length + 1))}`
      rows.push(array === undefined ? { ...EMPTY, name: `${name}/` } : arrayRow(name, array))
      walk(member, `${indent}${isLast ? '   ' : '│  '}`)
    }
  }
  walk('', '')
  const shown = isAll ? rows : rows.slice(0, MOST_NODES)
  const rest = rows.length > shown.length ? `… and ${rows.length - shown.length} more (--all)\n` : ''
  return `${inColumns(shown)}${rest}`
}

const EMPTY: Row = { name: '', type: '', dimensions: '', size: '', about: '' }

function rootRow({ groups, arrays }: Pick<Inspection, 'groups' | 'arrays'>): Row {
  const array = arrays['']
  if (array !== undefined) return arrayRow('/', array)
  const [own, below] = [Object.keys(arrays).length, Object.keys(groups).filter((path) => path !== '').length]
  const inGroups = below > 0 ? ` in ${below + 1} groups` : ''
  return { ...EMPTY, name: '/', about: `${own} array${own === 1 ? '' : 's'}${inGroups}` }
}

function arrayRow(name: string, array: ArrayInspection): Row {
  const { shape, data_type: type, attributes } = array
  const names = Array.isArray(array.dimension_names) ? array.dimension_names : []
  const dimensions = shape.map((length, axis) => `${shownText(String(names[axis] ?? '?'))}: ${length}`)
  const itemBytes = itemBytesOf(type)
  const count = shape.reduce((product, length) => product * length, 1)
  return {
    name,
    type: shownExtension(type),
    dimensions: `(${dimensions.join(', ')})`,
    size: itemBytes === undefined ? '' : shownSize(count * itemBytes),
    about: aboutOf(attributes),
  }
}

/** Numbers are named by their bits. */
function itemBytesOf(type: Json): number | undefined {
  if (type === 'bool') return 1
  const bits = typeof type === 'string' ? /^(?:u?int|float|complex)(\d+)$/.exec(type)?.[1] : undefined
  return bits === undefined ? undefined : Number(bits) / 8
}

function aboutOf(attributes: Json): string {
  if (!isJsonObject(attributes)) return ''
  const { units } = attributes
  const name = attributes['long_name'] ?? attributes['standard_name'] ?? attributes['description']
  const texts = [name, units].filter((text) => typeof text === 'string' && text !== '')
  return texts.map((text) => shownValue(text ?? '', MOST_ABOUT)).join(', ')
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Names, types and dimensions one below another, as far as they are of a usual length; groups have a name only. */
function inColumns(rows: readonly Row[]): string {
  const widthOf = (column: keyof Row, most: number) =>
    Math.min(most, Math.max(0, ...rows.filter(isArray).map((row) => row[column].length)))
  const [name, type, dimensions, size] = [
    widthOf('name', 40),
    widthOf('type', 16),
    widthOf('dimensions', 48),
    widthOf('size', 10),
  ]
  const lines = rows.map((row) => {
    if (!isArray(row)) return `${row.name}  ${row.about}`
    const columns = [row.name.padEnd(name), row.type.padEnd(type), row.dimensions.padEnd(dimensions)]
    return [...columns, row.size.padStart(size), row.about].join('  ')
  })
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

function isArray({ type }: Row): boolean {
  return type !== ''
}

import { isJsonObject, type Json } from '../json/json.ts'
import type { ArrayInspection, Inspection } from '../service/api-schemas.ts'
import { treeText } from './inspection-tree.ts'
import { shownExtension, shownText, shownValue } from './shown.ts'

/** What is left out of what is printed, unless all is asked for. */
const MOST = { arrays: 100, attributes: 30, warnings: 30, text: 100 }
const ALL: typeof MOST = {
  arrays: Number.POSITIVE_INFINITY,
  attributes: Number.POSITIVE_INFINITY,
  warnings: Number.POSITIVE_INFINITY,
  text: Number.POSITIVE_INFINITY,
}

/** A source for people: its tree; then of each array how it is stored and served, what fills it and what marks missing points. */
export function inspectionText(inspection: Inspection, isAll: boolean): string {
  const most = isAll ? ALL : MOST
  const { source, format, version, groups, arrays, skipped, warnings } = inspection
  const paths = treeOrder(inspection)
  const shown = paths.slice(0, most.arrays)
  const nodes = shown.map((path) => {
    const array = arrays[path]
    return array === undefined ? groupText(path, groups[path]?.attributes ?? null, most) : arrayText(path, array, most)
  })
  const rest = paths.length > shown.length ? [`… and ${paths.length - shown.length} more (--all)\n`] : []
  const about = `${shownText(source)}\n${format}, version ${version}\n`
  return [
    about,
    treeText(inspection, isAll),
    ...nodes,
    ...rest,
    ...skippedText(skipped, most),
    ...warningsText(warnings, most),
  ].join('\n')
}

/** Each group with its arrays, in the order of the source, and then the groups below it. */
function treeOrder({ groups, arrays }: Inspection): string[] {
  const below = (paths: readonly string[]) =>
    Map.groupBy(
      paths.filter((path) => path !== ''),
      parentOf,
    )
  const arraysOf = below(Object.keys(arrays))
  const groupsOf = below(Object.keys(groups))
  const order: string[] = []
  const waiting = ['']
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    order.push(group, ...(arraysOf.get(group) ?? []))
    waiting.push(...(groupsOf.get(group) ?? []).toReversed())
  }
  return order
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function groupText(path: string, attributes: Json, most: typeof MOST): string {
  return `/${shownText(path)}\n${attributeLines(attributes, most)}`
}

function arrayText(path: string, array: ArrayInspection, most: typeof MOST): string {
  const { shape, chunk_shape: chunkShape, chunk_grid: grid, codecs, stored, delivery } = array
  const names = Array.isArray(array.dimension_names) ? array.dimension_names : []
  const dimensions = shape.map((length, axis) => `${shownText(String(names[axis] ?? '?'))}: ${length}`)
  const lines = [
    `${path === '' ? '/' : shownText(path)}  ${shownExtension(array.data_type)} (${dimensions.join(', ')})`,
    `    chunks   ${grid.reduce((count, length) => count * length, 1)} of (${chunkShape.join(', ')})`,
    `    codecs   ${codecsText(codecs)}`,
    ...stored.map(
      (encoding, at) => `    stored   ${codecsText(encoding)}, ${WAYS[delivery[at] ?? ''] ?? delivery[at]}`,
    ),
    `    fill     ${quotedValue(array.fill_value, most.text)}, from ${shownText(array.fill_value_from)}`,
    ...array.sentinels.map(
      ({ value, from }) => `    missing  ${shownValue(value, most.text)}, from ${shownText(from)}`,
    ),
  ]
  return `${lines.join('\n')}\n${attributeLines(array.attributes, most)}`
}

/** How stored chunks become served ones, in the words of docs/architecture.md. */
const WAYS: Readonly<Record<string, string>> = {
  pass: 'sent as they are',
  envelope: 'sent with a header in front',
  peel: 'sent without their outer codecs',
  recode: 'decoded and encoded again',
}

function codecsText(codecs: Json): string {
  return Array.isArray(codecs) && codecs.length > 0 ? codecs.map((codec) => shownExtension(codec)).join(', ') : 'none'
}

function attributeLines(attributes: Json, most: typeof MOST): string {
  if (!isJsonObject(attributes)) return ''
  const entries = Object.entries(attributes)
  const shown = entries.slice(0, most.attributes)
  const lines = shown.map(([name, value]) => `    ${shownText(name)} = ${quotedValue(value, most.text)}\n`)
  if (entries.length > shown.length) lines.push(`    … and ${entries.length - shown.length} more attributes (--all)\n`)
  return lines.join('')
}

/** Text stands in quotes, so that "1" is not taken for 1. */
function quotedValue(value: Json, most: number): string {
  if (typeof value !== 'string') return shownValue(value, most)
  return shownText(JSON.stringify(value.length > most ? `${value.slice(0, most)}…` : value))
}

function skippedText(skipped: Inspection['skipped'], most: typeof MOST): string[] {
  const entries = Object.entries(skipped)
  if (entries.length === 0) return []
  const lines = entries
    .slice(0, most.warnings)
    .map(([path, { code, reason }]) => `  ${shownText(path)}: ${shownValue(reason, 500)} (${code})\n`)
  return [`not served: ${entries.length}\n${lines.join('')}${restLine(entries.length, most.warnings)}`]
}

function warningsText(warnings: Inspection['warnings'], most: typeof MOST): string[] {
  if (warnings.length === 0) return []
  const lines = warnings
    .slice(0, most.warnings)
    .map(
      ({ code, message, path }) =>
        `  ${path === undefined ? '' : `${shownText(path)}: `}${shownValue(message, 500)} (${code})\n`,
    )
  return [`warnings: ${warnings.length}\n${lines.join('')}${restLine(warnings.length, most.warnings)}`]
}

function restLine(count: number, most: number): string {
  return count > most ? `  … and ${count - most} more (--all)\n` : ''
}

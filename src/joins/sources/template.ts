import { malformed } from '../../errors.ts'
import { dateRange, parseDate, spellDate } from './date-range.ts'
import { numberRange, spellNumber } from './number-range.ts'
import { combinations, type FieldValues, type SourceList } from './source-list.ts'

/** Values of a field as the document gives them: a range as text, one number, or a list. */
export type FieldSpec = string | number | readonly (string | number)[]

/** What stands in braces: a field's name and, after a colon, how its value is spelled. */
const FIELD = /\{([A-Za-z_]\w*)(?::([^{}]*))?\}/g

/**
 * The sources of a template such as `https://host/sst_{year}{month:02}.nc`: one for every combination of the fields' values, the
 * field that is named last running fastest.
 */
export function templateSources(template: string, specs: ReadonlyMap<string, FieldSpec>): SourceList {
  const names = [...specs.keys()]
  const fields = [...specs].map(([name, spec]) => fieldValues(name, spec))
  const pieces = piecesOf(template)
  const used = new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name])))
  for (const name of used) if (!specs.has(name)) throw malformed(`the template names {${name}}, which has no values`)
  for (const name of names) {
    if (!used.has(name)) throw malformed(`the template ${template.slice(0, 200)} does not name {${name}}`)
  }
  const list = combinations(fields, (positions) =>
    pieces
      .map((piece) => {
        if (typeof piece === 'string') return piece
        const place = names.indexOf(piece.name)
        return fields[place]?.spelled(positions[place] ?? 0, piece.format) ?? ''
      })
      .join(''),
  )
  // A format that is not for its field is told now and not by the source that is opened first.
  if (list.length > 0) list.at(0)
  return list
}

interface Field {
  readonly name: string
  readonly format: string | undefined
}

function piecesOf(template: string): readonly (string | Field)[] {
  const pieces: (string | Field)[] = []
  let end = 0
  for (const match of template.matchAll(FIELD)) {
    pieces.push(template.slice(end, match.index), { name: match[1] ?? '', format: match[2] })
    end = match.index + match[0].length
  }
  pieces.push(template.slice(end))
  const odd = pieces.find((piece) => typeof piece === 'string' && /[{}]/.test(piece))
  if (odd !== undefined)
    throw malformed(`braces of the template hold a field's name, as in {month:02}: ${template.slice(0, 200)}`)
  return pieces
}

function fieldValues(name: string, spec: FieldSpec): FieldValues {
  if (typeof spec === 'number') return listed([spec])
  if (typeof spec !== 'string') {
    if (spec.length === 0) throw malformed(`the field ${name} has no values`)
    return listed(spec)
  }
  return dateRange(spec) ?? numberRange(spec) ?? listed([spec])
}

function listed(values: readonly (string | number)[]): FieldValues {
  return {
    length: values.length,
    spelled(position, format) {
      const value = values[position] ?? ''
      if (typeof value === 'number') return spellNumber(value, format)
      if (format === undefined) return value
      const date = parseDate(value)
      if (date === undefined) throw malformed(`the format ${format} is for numbers and dates, and ${value} is neither`)
      return spellDate(date, format)
    },
  }
}

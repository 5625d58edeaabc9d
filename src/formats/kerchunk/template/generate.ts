// "gen" of references, version 1: keys and places by expressions over the product of some dimensions.
import { type ErrorContext, malformed, overLimit } from '../../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../json/json.ts'
import { turn } from '../../../turns.ts'
import { parseTemplate, type Template, type Templates } from './templates.ts'
import { refused, type Value } from './value.ts'

/** References that generators may make: each costs some microseconds. */
const MOST_GENERATED = 200_000
const MOST_DIMENSIONS = 16

/** Where a generated reference goes; a length of undefined means the whole object. */
export type TakeGenerated = (key: string, url: string, place: { offset: number; length: number } | undefined) => void

/** Makes the references of all generators. */
export async function generate(
  json: Json | undefined,
  templates: Templates,
  take: TakeGenerated,
  place: ErrorContext,
): Promise<void> {
  if (json === undefined || json === null) return
  if (!Array.isArray(json)) throw malformed('gen is no list', place)
  let made = 0
  for (const item of json as readonly Json[]) {
    const generator = parseGenerator(item, place)
    made += generator.count
    if (made > MOST_GENERATED) throw overLimit(`gen makes more than ${MOST_GENERATED} references`, place)
    await run(generator, templates, take, place)
  }
}

interface Generator {
  readonly names: readonly string[]
  readonly values: readonly (readonly Value[])[]
  readonly count: number
  readonly key: Template
  readonly url: Template
  readonly offset: Template | undefined
  readonly length: Template | undefined
}

function parseGenerator(json: Json, place: ErrorContext): Generator {
  const dimensions = isJsonObject(json) ? json['dimensions'] : undefined
  if (!isJsonObject(json) || !isJsonObject(dimensions)) throw malformed('a generator has no dimensions', place)
  const names = Object.keys(dimensions)
  if (names.length > MOST_DIMENSIONS) throw overLimit(`a generator of more than ${MOST_DIMENSIONS} dimensions`, place)
  const values = names.map((name) => dimensionOf(dimensions[name] ?? null, place))
  const [offset, length] = [json['offset'], json['length']]
  if ((offset === undefined) !== (length === undefined)) {
    throw malformed('a generator has only one of offset and length', place)
  }
  return {
    names,
    values,
    count: values.reduce((product, list) => product * list.length, 1),
    key: templateOf(json, 'key', place),
    url: templateOf(json, 'url', place),
    offset: offset === undefined ? undefined : templateOf(json, 'offset', place),
    length: length === undefined ? undefined : templateOf(json, 'length', place),
  }
}

function templateOf(json: JsonObject, member: string, place: ErrorContext): Template {
  const value = json[member]
  if (typeof value === 'number') return parseTemplate(String(value))
  if (typeof value !== 'string') throw malformed(`${member} of a generator is no text`, place)
  return parseTemplate(value)
}

/** A list of values, or `start` (0), `stop`, `step` (1) as in Python's range. */
function dimensionOf(json: Json, place: ErrorContext): readonly Value[] {
  if (Array.isArray(json)) return (json as readonly Json[]).map(itemOf)
  const { start = 0, stop, step = 1 } = isJsonObject(json) ? json : {}
  const areWhole = [start, stop, step].every((value) => typeof value === 'number' && Number.isSafeInteger(value))
  if (!areWhole || step === 0) throw malformed('a dimension of a generator is neither a list nor a range', place)
  const [first, last, by] = [Number(start), Number(stop), Number(step)]
  const count = Math.max(0, Math.ceil((last - first) / by))
  if (count > MOST_GENERATED) throw overLimit(`gen makes more than ${MOST_GENERATED} references`, place)
  return Array.from({ length: count }, (_, index) => BigInt(first + index * by))
}

function itemOf(json: Json): Value {
  if (typeof json === 'string') return json
  if (typeof json === 'number' && Number.isSafeInteger(json)) return BigInt(json)
  throw refused('a dimension whose values are neither whole numbers nor text')
}

async function run(
  generator: Generator,
  templates: Templates,
  take: TakeGenerated,
  place: ErrorContext,
): Promise<void> {
  const { names, values, count } = generator
  for (let index = 0; index < count; index++) {
    const wait = turn()
    if (wait !== undefined) await wait
    const variables = new Map<string, Value>()
    let rest = index
    for (let axis = names.length - 1; axis >= 0; axis--) {
      const list = values[axis] ?? []
      variables.set(names[axis] ?? '', list[rest % list.length] ?? '')
      rest = Math.floor(rest / list.length)
    }
    const text = (template: Template) => templates.render(template, variables)
    const { offset, length } = generator
    const at =
      offset === undefined || length === undefined
        ? undefined
        : { offset: wholeOf(text(offset), place), length: wholeOf(text(length), place) }
    take(text(generator.key), text(generator.url), at)
  }
}

function wholeOf(text: string, place: ErrorContext): number {
  if (!/^\s*[-+]?\d{1,16}\s*$/.test(text))
    throw malformed(`gen makes "${text.slice(0, 30)}", expected a whole number`, place)
  return Number(text)
}

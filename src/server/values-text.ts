import { overLimit } from '../errors.ts'
import { typeInWords } from '../fill-value/in-words.ts'
import { Float, type Json } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import { elementCount } from '../model/shape.ts'
import type { Box } from '../service/values/array-box.ts'
import type { ArrayReading } from '../service/values/read-array.ts'
import { type Edges, readEdges } from './array-edges.ts'
import { type Digits, shownNumber, shownText } from './shown.ts'

/** More values than this are not printed without being asked for: as text their edges are, as JSON none. */
const MOST_AS_TEXT = 1000
const MOST_AS_JSON = 1_000_000
/** Values that are held at once while all of a large array is printed. */
const BLOCK = 100_000

/** How nested lists are written. */
interface Style {
  readonly ndim: number
  /** Between two members of a list at this depth. */
  between(depth: number): string
  value(value: Json): string
  /** The members of an innermost list. */
  row(texts: readonly string[]): string
}

/** `{"shape": …, "values": …}`, written piece by piece. */
export async function* valuesJson(reading: ArrayReading, isAll: boolean): AsyncGenerator<string> {
  const shape = shapeOf(reading)
  const count = elementCount(shape)
  if (count > MOST_AS_JSON && !isAll) {
    throw overLimit(`${count} values are asked for, at most ${MOST_AS_JSON} are printed: narrow the slice, or --all`)
  }
  yield `{"shape":${writeJson(shape)},"values":`
  const row = (texts: readonly string[]) => texts.join(',')
  yield* nested(reading, reading.box, 0, { ndim: shape.length, between: () => ',', value: writeJson, row })
  yield '}\n'
}

/** As numpy prints an array, with its name, type and dimensions above. */
export async function* valuesText(reading: ArrayReading, isAll: boolean): AsyncGenerator<string> {
  const shape = shapeOf(reading)
  const dimensions = reading.axes.map((axis, at) => `${shownText(reading.dimensionNames[axis] ?? '?')}: ${shape[at]}`)
  const type = `${typeInWords(reading.dataType)}${reading.isDecoded ? ', decoded' : ''}`
  yield `${reading.path === '' ? 'the array' : shownText(reading.path)}  ${type} (${dimensions.join(', ')})\n`
  const count = elementCount(shape)
  if (isAll && count > MOST_AS_TEXT) yield* nested(reading, reading.box, 0, textStyle(reading, 0))
  else {
    const shown = count > MOST_AS_TEXT ? await readEdges(reading, MOST_AS_TEXT) : await wholeOf(reading, reading.box, 0)
    const style = textStyle(reading, 0)
    const width = shown.values.reduce((most: number, value) => Math.max(most, style.value(value).length), 0)
    yield listText(shown, 0, textStyle(reading, width))
  }
  yield '\n'
}

/** Columns of a line that is broken. */
const LINE = 100

/** Numpy's brackets, the values as wide as told. */
function textStyle({ axes, dataType, isDecoded }: ArrayReading, width: number): Style {
  const ndim = axes.length
  const digits = isDecoded ? 'rounded' : dataType.kind === 'float' && dataType.bits <= 32 ? 'single' : 'all'
  return {
    ndim,
    between: (depth) => `${'\n'.repeat(Math.max(1, ndim - depth - 1))}${' '.repeat(depth + 1)}`,
    value: (value) => {
      const text = valueText(value, digits)
      return typeof value === 'string' ? text.padEnd(width) : text.padStart(width)
    },
    row: (texts) => wrapped(texts, ' '.repeat(ndim)),
  }
}

function wrapped(texts: readonly string[], indent: string): string {
  const lines: string[] = []
  let line = ''
  for (const text of texts) {
    if (line !== '' && indent.length + line.length + 1 + text.length > LINE) {
      lines.push(line)
      line = text
    } else line = line === '' ? text : `${line} ${text}`
  }
  return [...lines, line].join(`\n${indent}`)
}

function shapeOf({ axes, box }: ArrayReading): number[] {
  return axes.map((axis) => box.extent[axis] ?? 0)
}

function valueText(value: Json, digits: Digits): string {
  if (value === null) return 'nan'
  if (typeof value === 'string') return shownText(JSON.stringify(value))
  return typeof value === 'number' || value instanceof Float ? shownNumber(value, digits) : shownText(writeJson(value))
}

async function wholeOf(reading: ArrayReading, box: Box, depth: number): Promise<Edges> {
  const shape = reading.axes.slice(depth).map((axis) => box.extent[axis] ?? 0)
  return { values: await reading.values(box), shape, gaps: [] }
}

/** The lists below a position, read in blocks along the first axis that is too long for one. */
async function* nested(reading: ArrayReading, box: Box, depth: number, style: Style): AsyncGenerator<string> {
  const axis = reading.axes[depth]
  if (axis === undefined || elementCount(box.extent) <= BLOCK) {
    yield listText(await wholeOf(reading, box, depth), depth, style)
    return
  }
  const length = box.extent[axis] ?? 0
  const isLast = depth === style.ndim - 1
  const step = isLast ? BLOCK : 1
  yield '['
  for (let at = 0; at < length; at += step) {
    if (at > 0) yield style.between(depth)
    const part = within(box, axis, at, Math.min(step, length - at))
    if (isLast) yield style.row((await reading.values(part)).map(style.value))
    else yield* nested(reading, part, depth + 1, style)
  }
  yield ']'
}

function within(box: Box, axis: number, at: number, length: number): Box {
  return { from: box.from.with(axis, (box.from[axis] ?? 0) + at), extent: box.extent.with(axis, length) }
}

/** Values as lists within lists, with dots where some are left out. */
function listText({ values, shape, gaps }: Edges, depth: number, style: Style): string {
  const [length, ...rest] = shape
  if (length === undefined) return values[0] === undefined ? '' : style.value(values[0])
  if (rest.length === 0) {
    const texts = values.map(style.value)
    return `[${style.row(gaps[0] === undefined ? texts : texts.toSpliced(gaps[0], 0, '...'))}]`
  }
  const size = elementCount(rest)
  const parts = Array.from({ length }, (_empty, i) => {
    const below = { values: values.slice(i * size, (i + 1) * size), shape: rest, gaps: gaps.slice(1) }
    return listText(below, depth + 1, style)
  })
  if (gaps[0] !== undefined) parts.splice(gaps[0], 0, '...')
  return `[${parts.join(style.between(depth))}]`
}

// The header of a NetCDF classic file: "The NetCDF Classic Format Specification", grammar rule `header`.
import type { CursorOrigin } from '../../bytes/cursor.ts'
import { malformed, overLimit } from '../../errors.ts'
import { encodingGuessed } from '../../model/guessed-text.ts'
import { type Numbers, uniqueName } from '../../model/unique-name.ts'
import type { Diagnostic } from '../../model/virtual-store.ts'
import { type ExternalType, externalType } from './external-types.ts'
import { HeaderCursor, type Version } from './header-cursor.ts'

export interface Header {
  readonly version: Version
  /** Undefined: not known when the header was written (STREAMING); the file's size tells. */
  readonly records: number | undefined
  readonly dimensions: readonly Dimension[]
  readonly attributes: readonly Attribute[]
  readonly variables: readonly Variable[]
  /** Where the data may begin. */
  readonly end: number
  readonly diagnostics: readonly Diagnostic[]
}

interface Dimension {
  readonly name: string
  /** Zero: this is the record dimension. */
  readonly length: number
}

/** An attribute as it lies in the file. */
export interface Attribute {
  readonly name: string
  readonly type: ExternalType
  readonly count: number
  readonly bytes: Uint8Array
}

export interface Variable {
  readonly name: string
  readonly dimensions: readonly number[]
  readonly attributes: readonly Attribute[]
  readonly type: ExternalType
  readonly begin: number
}

const ABSENT = 0
const NC_DIMENSION = 10
const NC_VARIABLE = 11
const NC_ATTRIBUTE = 12

/** Generous beside what is in the wild (the library once allowed 8,192), small beside what would hurt. */
const MOST_VARIABLES = 16_384
/** Axes of all variables together: each repeats a name of up to a kilobyte in the documents that are served. */
const MOST_AXES = 65_536
const MOST_DIMENSIONS = 65_536
const MOST_ATTRIBUTES = 32_768
/** Numbers in all attributes together: each becomes some tens of bytes of memory. */
const MOST_ATTRIBUTE_NUMBERS = 524_288
/** Beyond these a list of diagnostics tells nothing new. */
const MOST_DIAGNOSTICS = 100

/** What the parse has counted and noticed so far. */
interface Progress {
  readonly cursor: HeaderCursor
  readonly origin: CursorOrigin
  readonly diagnostics: Diagnostic[]
  /** Names that are not UTF-8. */
  readonly guessed: Set<string>
  axes: number
  attributes: number
  attributeNumbers: number
}

/** Asks the first bytes of a file for the version of the format; undefined when it is none. */
export function versionOf(head: Uint8Array): Version | undefined {
  if (head[0] !== 0x43 || head[1] !== 0x44 || head[2] !== 0x46) return undefined
  const version = head[3]
  return version === 1 || version === 2 || version === 5 ? version : undefined
}

/** Reads a header off the first bytes of a file; throws `HeaderCut` when it needs more of them. */
export function parseHeader(bytes: Uint8Array, fileSize: number, origin: CursorOrigin = {}): Header {
  const version = versionOf(bytes)
  if (version === undefined) {
    const found = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join(' ')
    throw malformed(`the file begins with "${found}", expected CDF and version 1, 2 or 5`, { ...origin, offset: 0 })
  }
  const cursor = new HeaderCursor(bytes, version, fileSize, origin)
  cursor.code()
  const counts = { axes: 0, attributes: 0, attributeNumbers: 0 }
  const progress: Progress = { cursor, origin, diagnostics: [], guessed: new Set(), ...counts }
  const records = cursor.integer()
  const dimensions = parseDimensions(progress)
  const attributes = parseAttributes(progress, undefined)
  const variables = parseVariables(progress, dimensions)
  return {
    version,
    records,
    dimensions,
    attributes,
    variables,
    end: cursor.position,
    diagnostics: progress.diagnostics,
  }
}

/** The count of a list, which is absent (two zeros) when it is empty. */
function parseListLength({ cursor }: Progress, tag: number, what: string, elementSize: number): number {
  const at = cursor.position
  const found = cursor.code()
  const length = cursor.count(what, elementSize)
  if (found === tag || (found === ABSENT && length === 0)) return length
  throw cursor.fail(`tag ${found} before the list of ${what}, expected ${tag}, or 0 and an empty list`, at)
}

function parseDimensions(progress: Progress): Dimension[] {
  const { cursor } = progress
  const dimensions: Dimension[] = []
  let record: string | undefined
  const count = parseListLength(progress, NC_DIMENSION, 'dimensions', 8)
  if (count > MOST_DIMENSIONS) {
    throw overLimit(`${count} dimensions, expected at most ${MOST_DIMENSIONS}`, progress.origin)
  }
  for (let left = count; left > 0; left--) {
    const name = parseName(progress, 'dimension')
    const at = cursor.position
    const length = cursor.integer()
    if (length === undefined) throw cursor.fail(`dimension "${name}" has a negative length`, at)
    if (length === 0 && record !== undefined) {
      throw cursor.fail(`two record dimensions, "${record}" and "${name}", expected at most one`, at)
    }
    if (length === 0) record = name
    dimensions.push({ name, length })
  }
  return dimensions
}

function parseAttributes(progress: Progress, path: string | undefined): Attribute[] {
  const { cursor } = progress
  const attributes = new Map<string, Attribute>()
  for (let left = parseListLength(progress, NC_ATTRIBUTE, 'attributes', 12); left > 0; left--) {
    const name = parseName(progress, 'attribute', path)
    const type = parseType(progress, `attribute "${name}"`)
    const count = cursor.count(`values of attribute "${name}"`, type.size)
    const bytes = cursor.padded(count * type.size)
    countAttribute(progress, type.name === 'char' ? 0 : count)
    if (attributes.has(name)) {
      const message = `attribute "${name}" is there twice: the first one counts`
      note(progress, { code: 'attribute-repeated', message, path })
    } else {
      attributes.set(name, { name, type, count, bytes })
    }
  }
  return [...attributes.values()]
}

function countAttribute(progress: Progress, numbers: number): void {
  progress.attributes += 1
  progress.attributeNumbers += numbers
  if (progress.attributes > MOST_ATTRIBUTES) throw overLimit(`more than ${MOST_ATTRIBUTES} attributes`, progress.origin)
  if (progress.attributeNumbers > MOST_ATTRIBUTE_NUMBERS) {
    throw overLimit(`attributes of more than ${MOST_ATTRIBUTE_NUMBERS} numbers in all`, progress.origin)
  }
}

function parseVariables(progress: Progress, dimensions: readonly Dimension[]): Variable[] {
  const variables = new Map<string, Variable>()
  const numbers: Numbers = new Map()
  const count = parseListLength(progress, NC_VARIABLE, 'variables', 28)
  if (count > MOST_VARIABLES) {
    throw overLimit(`${count} variables, expected at most ${MOST_VARIABLES}`, progress.origin)
  }
  for (let left = count; left > 0; left--) {
    const at = progress.cursor.position
    const variable = parseVariable(progress, dimensions)
    if (variables.has(variable.name) && !progress.guessed.has(variable.name))
      throw progress.cursor.fail(`two variables are named "${variable.name}"`, at)
    // What is guessed may be what another one is really called.
    const name = uniqueName(variable.name, variables, numbers)
    variables.set(name, { ...variable, name })
  }
  return [...variables.values()]
}

function parseVariable(progress: Progress, dimensions: readonly Dimension[]): Variable {
  const { cursor } = progress
  const at = cursor.position
  const name = parseName(progress, 'variable')
  if (name === '') throw cursor.fail('a variable without a name', at)
  const axes: number[] = []
  const rank = cursor.count(`dimensions of variable "${name}"`, 4)
  progress.axes += rank
  if (progress.axes > MOST_AXES) throw overLimit(`variables of more than ${MOST_AXES} axes in all`, progress.origin)
  for (let axis = 0; axis < rank; axis++) axes.push(parseDimensionId(progress, name, axis, dimensions))
  const attributes = parseAttributes(progress, name)
  const type = parseType(progress, `variable "${name}"`)
  // vsize says nothing that shape and type don't, and is wrong for variables too large for it: "redundant" to the specification.
  cursor.integer()
  return { name, dimensions: axes, attributes, type, begin: cursor.offset() }
}

function parseDimensionId(
  { cursor }: Progress,
  variable: string,
  axis: number,
  dimensions: readonly Dimension[],
): number {
  const at = cursor.position
  const id = cursor.integer()
  const dimension = id === undefined ? undefined : dimensions[id]
  if (id === undefined || dimension === undefined) {
    throw cursor.fail(
      `variable "${variable}" has dimension ${id ?? -1}, where there are ${dimensions.length} of them`,
      at,
    )
  }
  if (dimension.length === 0 && axis > 0) {
    throw cursor.fail(`variable "${variable}" has the record dimension as axis ${axis}, expected 0`, at)
  }
  return id
}

function parseType({ cursor }: Progress, what: string): ExternalType {
  const at = cursor.position
  const code = cursor.code()
  const type = externalType(code, cursor.version)
  if (type === undefined) throw cursor.fail(`type ${code} of ${what} is not defined in CDF-${cursor.version}`, at)
  return type
}

function parseName(progress: Progress, what: string, path?: string): string {
  let isGuessed = false
  const name = progress.cursor.name(() => {
    isGuessed = true
  })
  if (isGuessed) {
    progress.guessed.add(name)
    note(progress, encodingGuessed('name', `the name of ${what} "${name}"`, path, [name]))
  }
  return name
}

function note({ diagnostics }: Progress, diagnostic: Diagnostic): void {
  if (diagnostics.length < MOST_DIAGNOSTICS) diagnostics.push(diagnostic)
}

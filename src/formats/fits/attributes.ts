import type { Json } from '../../json/json.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { Card } from './card.ts'

/** What the shape, the type and the packing of an array say already, or what only describes the file's bytes. */
const STRUCTURAL =
  /^(?:SIMPLE|XTENSION|BITPIX|NAXIS\d*|PCOUNT|GCOUNT|GROUPS|EXTEND|BLOCKED|TFIELDS|THEAP|BSCALE|BZERO|BLANK|BUNIT|CONTINUE)$/
/** The same of a compressed image's tiles, and of the header that it had before. */
const OF_TILES =
  /^Z(?:IMAGE|CMPTYPE|BITPIX|NAXIS\d*|TILE\d+|NAME\d+|VAL\d+|MASKCMP|QUANTIZ|DITHER0|SIMPLE|TENSION|EXTEND|BLOCKED|PCOUNT|GCOUNT|HECKSUM|DATASUM|SCALE|ZERO|BLANK)$/
/** Records of a column, or of a group parameter, end in its number; these are said by the column's array itself. */
const OF_COLUMN = /^T(?:TYPE|FORM|UNIT|NULL|SCAL|ZERO|BCOL|DIM|DISP)\d+$/
const ABOUT_COLUMN = /^(T[A-Z]+)([1-9]\d*)$/
const OF_PARAMETER = /^P(?:TYPE|SCAL|ZERO)\d+$/

/** Which records are said by something else than attributes. */
export interface AttributeFilter {
  readonly isTiled?: boolean
  readonly isGroups?: boolean
  /** Of a table. */
  readonly columns?: number
}

/**
 * The records of a header as attributes, by their keywords. COMMENT and HISTORY are lists of text, records without a keyword
 * go with COMMENT. A keyword that is given several values is the list of them: so are record-valued keywords written.
 */
export function headerAttributes(cards: readonly Card[], filter: AttributeFilter = {}): Map<string, AttributeValue> {
  const lists = new Map<string, Json[]>()
  const attributes = new Map<string, AttributeValue>()
  const list = (name: string) => {
    const known = lists.get(name) ?? []
    lists.set(name, known)
    return known
  }
  for (const card of cards) {
    if (isLeftOut(card.keyword, filter)) continue
    if (card.kind === 'value') list(card.keyword).push(plainValue(card.value))
    else if (card.text !== '') list(card.keyword === '' ? 'COMMENT' : card.keyword).push(card.text)
  }
  for (const [name, values] of lists) {
    const isComment = name === 'COMMENT' || name === 'HISTORY'
    const different = isComment ? values : distinct(values)
    attributes.set(name, isComment || different.length > 1 ? different : (different[0] ?? ''))
  }
  return attributes
}

/** T and F are 1 and 0: NetCDF has no booleans, and what xarray opens it shall be able to write. */
function plainValue(value: Json): Json {
  return typeof value === 'boolean' ? Number(value) : value
}

function isLeftOut(keyword: string, { isTiled, columns = 0, isGroups }: AttributeFilter): boolean {
  if (STRUCTURAL.test(keyword)) return true
  if (columnOf(keyword) <= columns) return true
  if (isGroups === true && OF_PARAMETER.test(keyword)) return true
  return isTiled === true && (OF_TILES.test(keyword) || OF_COLUMN.test(keyword))
}

/** The column that a keyword speaks of; infinite for those that speak of none. */
function columnOf(keyword: string): number {
  return Number(ABOUT_COLUMN.exec(keyword)?.[2] ?? Number.POSITIVE_INFINITY)
}

function distinct(values: readonly Json[]): Json[] {
  const seen = new Set<string>()
  return values.filter((value) => {
    const spelled = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
    if (seen.has(spelled)) return false
    seen.add(spelled)
    return true
  })
}

/** Records about one column (TDISP3, TUCD3, TDMIN3, ...) by their name without its number. */
export function columnAttributes(cards: readonly Card[]): ReadonlyMap<number, Map<string, AttributeValue>> {
  const columns = new Map<number, Map<string, AttributeValue>>()
  for (const card of cards) {
    const [, name, number] = ABOUT_COLUMN.exec(card.keyword) ?? []
    if (card.kind !== 'value' || name === undefined || SPOKEN.has(name)) continue
    const attributes = columns.get(Number(number)) ?? new Map<string, AttributeValue>()
    columns.set(Number(number), attributes)
    if (!attributes.has(name)) attributes.set(name, plainValue(card.value))
  }
  return columns
}

/** What a column's array says by its own means. */
const SPOKEN: ReadonlySet<string> = new Set(['TTYPE', 'TFORM', 'TUNIT', 'TNULL', 'TSCAL', 'TZERO', 'TBCOL', 'TDIM'])

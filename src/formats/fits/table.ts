import { type ErrorContext, malformed } from '../../errors.ts'
import { readFitsBlank } from '../../fill-value/fits-blank.ts'
import type { DataType } from '../../model/data-type.ts'
import { skippedArray } from '../../model/skipped-array.ts'
import type { AttributeValue, Member, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import { columnAttributes, headerAttributes } from './attributes.ts'
import type { Hdu } from './hdu.ts'
import { numbered } from './hdu-names.ts'
import { countOf, type Header, numberOf, textOf, wholeOf } from './header.ts'
import { type FitsFile, listener } from './image.ts'

/** One column, still as its keywords say. */
export interface Column {
  /** Counted from 1. */
  readonly number: number
  readonly name: string
  /** The array's path. */
  readonly path: string
  readonly form: string
  readonly attributes: ReadonlyMap<string, AttributeValue>
  readonly place: ErrorContext
}

/** The standard's own limit. */
const MOST_COLUMNS = 999

/** The columns of a table; names are those of TTYPE, made unique. */
export function columnsOf({ header }: Hdu, path: string): Column[] {
  const count = countOf(header, 'TFIELDS')
  if (count > MOST_COLUMNS) throw malformed(`TFIELDS is ${count}, expected at most ${MOST_COLUMNS}`, header.place)
  const about = columnAttributes(header.cards)
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, i) => {
    const number = i + 1
    const name = numbered(textOf(header, `TTYPE${number}`)?.trim() || `col${number}`, taken)
    taken.add(name)
    const form = textOf(header, `TFORM${number}`)
    const own = { path: `${path}/${name}`, place: { ...header.place, path: `${path}/${name}` } }
    if (form === undefined) throw malformed(`TFORM${number} is missing`, own.place)
    return { number, name, form, attributes: about.get(number) ?? new Map(), ...own }
  })
}

/** A table as a group of its columns; one that can't be served costs the others nothing. */
export function tableGroup(
  hdu: Hdu,
  columns: readonly Column[],
  memberOf: (column: Column) => readonly (readonly [string, Member])[],
): VirtualGroup {
  const members = new Map<string, Member>()
  for (const column of columns) {
    for (const [name, member] of orSkipped(column, memberOf)) members.set(name, member)
  }
  const attributes = headerAttributes(hdu.header.cards, { columns: columns.length })
  return { kind: 'group', attributes: attributes.set('hdu', hdu.index), members }
}

function orSkipped(
  column: Column,
  memberOf: (column: Column) => readonly (readonly [string, Member])[],
): readonly (readonly [string, Member])[] {
  try {
    return memberOf(column)
  } catch (error) {
    return [[column.name, skippedArray(error)]]
  }
}

/** Fill value, sentinel, packing and units of a column of numbers. */
export function columnFill(
  header: Header,
  column: Column,
  dataType: DataType,
  file: FitsFile,
  blank: number | bigint | undefined = dataType.kind === 'float' ? undefined : wholeOf(header, `TNULL${column.number}`),
): Pick<VirtualArray, 'fillValue' | 'fillOrigin' | 'sentinels' | 'attributes'> {
  const { fillValue, sentinels, attributes } = readFitsBlank({
    blank,
    bscale: numberOf(header, `TSCAL${column.number}`) ?? 1,
    bzero: numberOf(header, `TZERO${column.number}`) ?? 0,
    dataType,
    ...listener(column.path, file.context),
  })
  const isNull = sentinels.fillValue !== undefined
  const fillOrigin = isNull ? `keyword TNULL${column.number}` : dataType.kind === 'float' ? 'NaN of floats' : 'zero'
  return {
    fillValue,
    fillOrigin,
    sentinels,
    attributes: new Map([...describedBy(header, column), ...attributes]),
  }
}

/** The attributes of a column that is no number. */
export function describedBy(header: Header, { number, attributes }: Column): Map<string, AttributeValue> {
  const units = textOf(header, `TUNIT${number}`)
  return new Map([...attributes, ...(units === undefined ? [] : ([['units', units]] as const))])
}

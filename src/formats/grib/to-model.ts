import type { ByteRange } from '../../bytes/byte-range.ts'
import { gribField } from '../../codecs/grib/codec.ts'
import { packingProblem } from '../../codecs/grib/grib2-field.ts'
import { reconcileGrid } from '../../codecs/grib/grids/reconcile.ts'
import type { VirtualZarrError } from '../../errors.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { otherGrid } from '../../model/other-grid.ts'
import { elementCount } from '../../model/shape.ts'
import { isOwnFault, skippedArray } from '../../model/skipped-array.ts'
import { type Numbers, uniqueName } from '../../model/unique-name.ts'
import {
  type AttributeValue,
  type Member,
  NO_SENTINELS,
  type StoredArray,
  type VirtualGroup,
} from '../../model/virtual-store.ts'
import { turn } from '../../turns.ts'
import type { ParseContext } from '../format.ts'
import { arrayAttributes, groupAttributes } from './attributes.ts'
import { fieldIndex, listedIndex } from './chunk-index.ts'
import { axisCoordinate, validTime } from './coordinates.ts'
import type { Cube, PlacedGrid } from './cubes/cube.ts'
import { atRoot, datasetsOf } from './cubes/datasets.ts'
import { type Described, makeCubes } from './cubes/make-cubes.ts'
import type { Description } from './describe/description.ts'
import { describeEdition1 } from './describe/edition1.ts'
import { describeEdition2 } from './describe/edition2.ts'
import type { KnownParameters } from './describe/parameter.ts'
import { geographyOf } from './geography.ts'
import { gridOf } from './grid-of.ts'
import type { Field, FieldOfEdition2 } from './messages/field.ts'
import type { FileContents } from './messages/read-fields.ts'

/** Offsets that a diagnostic names. */
const MOST_NAMED = 20
const FLOAT_BYTES = 4
const FLOAT32 = { kind: 'float', bits: 32 } as const
const NAN = { kind: 'number', value: Number.NaN } as const

/** Fields as groups of arrays. */
export async function toModel({ fields, broken }: FileContents, context: ParseContext): Promise<VirtualGroup> {
  const faults = new Map(broken)
  const { cubes, again, left } = makeCubes(await describeAll(fields, faults, context))
  warnOfRepeated(again, left, context)
  const { root, apart } = atRoot(datasetsOf(cubes))
  const repeated = again.map((cube) => ({ typeOfLevel: cube.first.typeOfLevel, cubes: [cube] }))
  const members = new Map<string, Member>(arraysOf(root))
  const numbers: Numbers = new Map()
  for (const { typeOfLevel, cubes: own } of [...apart, ...repeated]) {
    const [first] = own
    if (first !== undefined) members.set(uniqueName(typeOfLevel, members, numbers), groupOf(first.first, own))
  }
  // Listed as what can't be served: a file whose end is missing is not shown as if it were whole.
  for (const [offset, error] of faults)
    members.set(uniqueName(`message_${offset}`, members, numbers), skippedArray(error))
  const [first] = root.length > 0 ? root : cubes
  const attributes = first === undefined ? new Map<string, AttributeValue>() : groupAttributes(first.first)
  return { kind: 'group', attributes: withCoordinates(attributes, members, root), members }
}

function groupOf(first: Description, cubes: readonly Cube[]): VirtualGroup {
  const members = arraysOf(cubes)
  return { kind: 'group', attributes: withCoordinates(groupAttributes(first), members, cubes), members }
}

/** DM-6: everything but the data. */
function withCoordinates(
  attributes: Map<string, AttributeValue>,
  members: ReadonlyMap<string, Member>,
  cubes: readonly Cube[],
): Map<string, AttributeValue> {
  const data = new Set(cubes.map(({ name }) => name))
  const names = [...members].filter(([name, { kind }]) => kind === 'array' && !data.has(name)).map(([name]) => name)
  return names.length === 0 ? attributes : attributes.set('coordinates', names.join(' '))
}

/** A field that can't be described costs the others nothing. */
async function describeAll(
  fields: readonly Field[],
  faults: Map<number, unknown>,
  context: ParseContext,
): Promise<Described[]> {
  const grids: PlacedGrids = { bySection: new Map(), context }
  const described: Described[] = []
  const known: KnownParameters = new Map()
  for (const field of fields) {
    const wait = turn()
    if (wait !== undefined) await wait
    try {
      const description = field.edition === 1 ? describeEdition1(field, known) : describeEdition2(field, known)
      described.push({ description, grid: placedGrid(field, grids) })
    } catch (error) {
      if (!isOwnFault(error)) throw error
      faults.set(field.offset, error)
    }
  }
  return described
}

interface PlacedGrids {
  /** Of the bytes of a section, which fields share: by how many points the grid has, since reduced grids of edition 1 leave that to the values. */
  readonly bySection: Map<Uint8Array | number, Map<number, PlacedGrid>>
  readonly context: ParseContext
}

function placedGrid(field: Field, { bySection, context }: PlacedGrids): PlacedGrid {
  const section = field.grid ?? (field.edition === 1 ? field.dataLength : 0)
  const byPoints = bySection.get(section) ?? new Map<number, PlacedGrid>()
  const [any] = byPoints.values()
  if (any !== undefined && (field.edition === 2 || any.definition.rowLengths === undefined)) return any
  const definition = gridOf(field)
  const known = byPoints.get(definition.points)
  if (known !== undefined) return known
  const { grid: reconciled, contradictions } = reconcileGrid(definition)
  for (const contradiction of contradictions) {
    const message = `grid ${definition.type}: ${contradiction}`
    context.warn({ code: 'grid-contradiction', message, values: [field.offset] })
  }
  const grid = { definition, geography: geographyOf(reconciled) }
  bySection.set(section, byPoints.set(definition.points, grid))
  return grid
}

function warnOfRepeated(again: readonly Cube[], left: readonly Field[], context: ParseContext): void {
  const repeated = again.reduce((sum, { fields }) => sum + fields.size, 0)
  if (repeated > 0) {
    const names = [...new Set(again.map(({ name }) => name))].slice(0, MOST_NAMED).join(', ')
    const message = `${repeated} fields say of themselves what one before them says (${names}): they are in groups of their own`
    context.warn({ code: 'field-repeated', message })
  }
  if (left.length === 0) return
  const values = left.slice(0, MOST_NAMED).map(({ offset }) => offset)
  context.warn({ code: 'field-dropped', message: `${left.length} fields say what a hundred before them say`, values })
}

/** Data and coordinates of one group; axes of one value are scalars. */
function arraysOf(cubes: readonly Cube[]): Map<string, Member> {
  const members = new Map<string, Member>()
  for (const { axes, grid } of cubes) {
    for (const axis of axes) if (!members.has(axis.name)) members.set(axis.name, axisCoordinate(axis))
    for (const [name, array] of grid.geography.coordinates) members.set(name, squeezed(array))
    const [time, step] = ['time', 'step'].map((key) => axes.find((axis) => axis.key === key))
    if (time !== undefined && step !== undefined) members.set('valid_time', validTime(time, step))
  }
  for (const cube of cubes) {
    const problem = packingProblemOf(cube)
    members.set(cube.name, problem === undefined ? dataArray(cube) : skippedArray(problem))
  }
  return members
}

/** Why no field of an array can be read: then the array is listed with the reason. */
function packingProblemOf({ fields }: Cube): VirtualZarrError | undefined {
  let problem: VirtualZarrError | undefined
  for (const field of fields.values()) {
    const { packing } = field
    problem = field.edition === 2 ? packingProblem((packing[4] ?? 0) * 256 + (packing[5] ?? 0)) : undefined
    if (problem === undefined) return undefined
  }
  return problem
}

function dataArray(cube: Cube): StoredArray {
  const { axes, grid, fields } = cube
  const long = axes.filter(({ values }) => values.length > 1)
  const { geography } = grid
  const shape = [...long.map(({ values }) => values.length), ...geography.shape]
  const chunkShape = [...long.map(() => 1), ...geography.shape]
  const gridShape = [...long.map(({ values }) => values.length), ...geography.shape.map(() => 1)]
  const listed = listedFields(cube)
  const packed = [gribField.stored({ order: geography.order, ...(listed === undefined ? {} : { isListed: true }) })]
  const passing = passingFields(cube)
  const array: StoredArray = {
    kind: 'array',
    shape,
    chunkShape,
    dataType: FLOAT32,
    fillValue: NAN,
    fillOrigin: 'no field of this file',
    sentinels: { ...NO_SENTINELS, fillValue: NAN },
    attributes: arrayAttributes(cube),
    dimensionNames: [...long.map(({ name }) => name), ...geography.dimensions],
    // What passes comes first: the others are made like it.
    encodings: passing.size > 0 ? [rawEncoding('big'), packed] : [packed],
    edges: 'padded',
    chunks: listed === undefined ? fieldIndex(gridShape, fields, passing) : listedIndex(gridShape, listed),
  }
  return squeezed(array)
}

/** The fields of an array where an index beside the file said what they are: it said so of all, or of none. */
function listedFields({ fields }: Cube): ReadonlyMap<number, FieldOfEdition2> | undefined {
  const listed = new Map<number, FieldOfEdition2>()
  for (const [position, field] of fields)
    if (field.edition === 2 && field.isListed === true) listed.set(position, field)
  return listed.size === fields.size ? listed : undefined
}

/** Fields whose values lie in the file as they are served: single IEEE numbers in rows, none missing. */
function passingFields({ fields, grid: { geography } }: Cube): ReadonlyMap<Field, ByteRange> {
  const length = elementCount(geography.shape) * FLOAT_BYTES
  const passing = new Map<Field, ByteRange>()
  if (geography.order !== 'rows') return passing
  for (const field of fields.values()) {
    const { floats } = field
    // Sections of GRIB 1 have an even length.
    if (floats !== undefined && floats.length >= length && floats.length <= length + 1) {
      passing.set(field, { offset: floats.offset, length })
    }
  }
  return passing
}

/** Without dimensions of length 1, as cfgrib shows it; chunks stay what they are. */
function squeezed(array: StoredArray): StoredArray {
  const kept = array.shape.map((length) => length > 1)
  if (kept.every(Boolean) || elementCount(array.shape) === 0) return array
  const keep = <Item>(items: readonly Item[]) => items.filter((_, axis) => kept[axis])
  const { chunks, encodings } = array
  // The order of points needs both sides of the grid.
  const gridShape = keep(chunks.gridShape)
  let next = 0
  const from = kept.map((isKept) => (isKept ? next++ : undefined))
  return {
    ...array,
    shape: keep(array.shape),
    chunkShape: keep(array.chunkShape),
    dimensionNames: keep(array.dimensionNames ?? []),
    encodings,
    chunks: otherGrid({ chunks, gridShape, from }),
  }
}

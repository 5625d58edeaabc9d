// Where the values of each variable lie: "The NetCDF Classic Format Specification", grammar rule `data` and the notes on it.
import { type ErrorContext, malformed } from '../../errors.ts'
import type { Header, Variable } from './header.ts'
import { padding } from './header-cursor.ts'

/** Where one variable's values lie. */
export interface VariableLayout {
  readonly shape: readonly number[]
  readonly begin: number
  /** Bytes that lie together: a record's values, or the whole of a fixed variable; without padding. */
  readonly slab: number
  /** Slabs and the distance between them; undefined for a fixed variable. */
  readonly records: Records | undefined
}

interface Records {
  readonly count: number
  readonly stride: number
}

interface Slab {
  readonly variable: Variable
  readonly isRecord: boolean
  /** Shape of one slab. */
  readonly shape: readonly number[]
  readonly size: number
}

interface Extent {
  readonly name: string
  readonly begin: number
  readonly end: number
}

/** The layout of each variable of a header, in its order; throws where variables lie in the header or on each other. */
export function layoutOf(header: Header, fileSize: number, context: ErrorContext = {}): VariableLayout[] {
  const slabs = header.variables.map((variable) => slabOf(header, variable, context))
  const recorded = slabs.filter((slab) => slab.isRecord)
  const stride = recordSize(recorded)
  const first = recorded.reduce((begin, slab) => Math.min(begin, slab.variable.begin), Number.POSITIVE_INFINITY)
  const count = header.records ?? streamedRecords(recorded, first, stride, fileSize)
  checkExtents(header, slabs, { count, stride }, first, context)
  return slabs.map(({ variable, isRecord, shape, size }) => ({
    shape: isRecord ? [count, ...shape] : shape,
    begin: variable.begin,
    slab: size,
    records: isRecord ? { count, stride } : undefined,
  }))
}

/** The first position behind a variable's last value. */
export function endOfVariable({ begin, slab, records }: VariableLayout): number {
  if (records === undefined) return begin + slab
  return records.count === 0 ? 0 : begin + (records.count - 1) * records.stride + slab
}

function slabOf(header: Header, variable: Variable, context: ErrorContext): Slab {
  const lengths = variable.dimensions.map((id) => header.dimensions[id]?.length ?? 0)
  const isRecord = lengths[0] === 0
  const shape = isRecord ? lengths.slice(1) : lengths
  const size = shape.reduce((product, length) => product * length, variable.type.size)
  if (!Number.isSafeInteger(size)) {
    throw malformed(`variable "${variable.name}" takes more than 2^53 bytes`, { ...context, path: variable.name })
  }
  return { variable, isRecord, shape, size }
}

/** Slabs of a record are padded to four bytes each, except that a single record variable is packed ("Note on padding"). */
function recordSize(recorded: readonly Slab[]): number {
  const [only] = recorded
  if (only !== undefined && recorded.length === 1) return only.size
  return recorded.reduce((total, slab) => total + paddedSize(slab), 0)
}

function paddedSize(slab: Slab): number {
  return slab.size + padding(slab.size)
}

/** Whole records in the file; the last one may lack the padding behind its last value. */
function streamedRecords(recorded: readonly Slab[], first: number, stride: number, fileSize: number): number {
  if (recorded.length === 0) return 0
  const needed = recorded.reduce((end, slab) => Math.max(end, slab.variable.begin + slab.size), 0) - first
  return Math.max(0, Math.floor((fileSize - first - needed) / stride) + 1)
}

/**
 * The library refuses a file whose variables overlap, and whatever was read from one would be wrong. The order in which
 * they lie is not checked: it makes no difference to a reader.
 */
function checkExtents(
  header: Header,
  slabs: readonly Slab[],
  records: Records,
  first: number,
  context: ErrorContext,
): void {
  const section = records.count * records.stride
  if (!Number.isSafeInteger(section) || (Number.isFinite(first) && !Number.isSafeInteger(first + section))) {
    throw malformed(`${records.count} records of ${records.stride} bytes take more than 2^53 bytes`, context)
  }
  const inRecord = slabs.filter((slab) => slab.isRecord).map(extentOf)
  const fixed = slabs.filter((slab) => !slab.isRecord).map(extentOf)
  const end = first + section
  checkDisjoint(section > 0 ? [...fixed, { name: 'the records', begin: first, end }] : fixed, header.end, context)
  checkDisjoint(inRecord, header.end, context)
  for (const extent of inRecord) {
    if (inRecord.length > 1 && extent.end > first + records.stride) {
      throw malformed(`variable "${extent.name}" reaches out of its record of ${records.stride} bytes`, {
        ...context,
        path: extent.name,
        offset: extent.begin,
      })
    }
  }
}

function extentOf(slab: Slab): Extent {
  const { name, begin } = slab.variable
  return { name, begin, end: begin + paddedSize(slab) }
}

function checkDisjoint(extents: readonly Extent[], dataBegin: number, context: ErrorContext): void {
  let before: Extent = { name: 'the header', begin: 0, end: dataBegin }
  for (const extent of extents.toSorted((a, b) => a.begin - b.begin)) {
    if (!Number.isSafeInteger(extent.end)) {
      throw malformed(`variable "${extent.name}" ends beyond 2^53`, { ...context, path: extent.name })
    }
    if (extent.begin < before.end) {
      const message = `"${extent.name}" begins at ${extent.begin}, inside of "${before.name}" that ends at ${before.end}`
      throw malformed(message, { ...context, offset: extent.begin })
    }
    before = extent
  }
}

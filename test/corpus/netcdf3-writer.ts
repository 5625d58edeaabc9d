/** A fixed float32 variable of a NetCDF-3 file to be written. */
export interface FloatVariable {
  readonly name: string
  readonly shape: readonly number[]
}

export interface WrittenFile {
  readonly bytes: Buffer
  /** Where each variable's values begin, and how many bytes they take. */
  readonly extents: ReadonlyMap<string, { readonly offset: number; readonly length: number }>
}

const NC_DIMENSION = 10
const NC_VARIABLE = 11
const NC_FLOAT = 5

/**
 * A CDF-2 file (64-bit offsets) of fixed float32 variables, each with dimensions of its own. Value `i` of every variable is
 * `variable index * 1000 + i mod 997`, so that bytes from a wrong place are wrong values.
 */
export function writeNetcdf3(variables: readonly FloatVariable[], dataOffset = 0): WrittenFile {
  const headerLength = header(
    variables,
    variables.map(() => 0),
  ).length
  let end = Math.max(headerLength, dataOffset)
  const offsets = variables.map((variable) => {
    const offset = end
    end += byteLength(variable)
    return offset
  })
  const bytes = Buffer.alloc(end)
  header(variables, offsets).copy(bytes)
  const extents = new Map<string, { offset: number; length: number }>()
  for (const [index, variable] of variables.entries()) {
    const offset = offsets[index] ?? 0
    const count = byteLength(variable) / 4
    for (let position = 0; position < count; position++) {
      bytes.writeFloatBE(index * 1000 + (position % 997), offset + 4 * position)
    }
    extents.set(variable.name, { offset, length: 4 * count })
  }
  return { bytes, extents }
}

function byteLength(variable: FloatVariable): number {
  return 4 * variable.shape.reduce((product, length) => product * length, 1)
}

/** NetCDF classic format specification: magic, numrecs, dim_list, gatt_list (absent), var_list. */
function header(variables: readonly FloatVariable[], offsets: readonly number[]): Buffer {
  const dimensions = variables.flatMap(({ name, shape }) =>
    shape.map((length, axis) => ({ name: `${name}_${axis}`, length })),
  )
  let dimension = 0
  return Buffer.concat([
    Buffer.from('CDF\x02', 'latin1'),
    int32(0),
    int32(NC_DIMENSION, dimensions.length),
    ...dimensions.flatMap(({ name, length }) => [nameOf(name), int32(length)]),
    int32(0, 0),
    int32(NC_VARIABLE, variables.length),
    ...variables.flatMap((variable, index) => [
      nameOf(variable.name),
      int32(variable.shape.length, ...variable.shape.map(() => dimension++)),
      int32(0, 0),
      int32(NC_FLOAT, byteLength(variable)),
      int64(offsets[index] ?? 0),
    ]),
  ])
}

function nameOf(name: string): Buffer {
  return Buffer.concat([int32(name.length), Buffer.from(name, 'latin1'), Buffer.alloc(-name.length & 3)])
}

function int32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, 4 * index)
  return bytes
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}

import { file, type TestAttribute, type TestHeader, u32 } from '../formats/netcdf3/build.ts'

/** A variable of a dataset that a test writes: numbers of a type of the classic format. */
export interface DatasetVariable {
  readonly dims: readonly string[]
  readonly type: keyof typeof TYPES
  readonly values: readonly number[]
  readonly attributes?: TestAttributes
}

type TestAttributes = Readonly<Record<string, string | number | readonly number[]>>

export interface Dataset {
  readonly dims: Readonly<Record<string, number>>
  readonly variables: Readonly<Record<string, DatasetVariable>>
  readonly attributes?: Readonly<Record<string, string | number>>
}

const TYPES = { byte: 1, short: 3, int: 4, float: 5, double: 6 } as const
const SIZES = { byte: 1, short: 2, int: 4, float: 4, double: 8 } as const

/** A NetCDF classic file of it, without a record dimension. */
export function netcdfDataset({ dims, variables, attributes = {} }: Dataset): Uint8Array {
  const names = Object.keys(dims)
  let size = 4096
  const data: [number, Uint8Array][] = []
  const described = Object.entries(variables).map(([name, variable]) => {
    const bytes = bigEndian(variable.values, variable.type)
    const begin = size
    data.push([begin, bytes])
    size += Math.ceil(bytes.length / 4) * 4
    return {
      name,
      dims: variable.dims.map((dim) => names.indexOf(dim)),
      type: TYPES[variable.type],
      begin,
      attributes: attributesOf(variable.attributes ?? {}, variable.type),
    }
  })
  const header: TestHeader = {
    dims: names.map((name) => ({ name, length: dims[name] ?? 0 })),
    attributes: attributesOf(attributes, 'double'),
    variables: described,
  }
  return file(header, data, size)
}

/** Sentinels have the type of their variable; other numbers are doubles. */
function attributesOf(attributes: TestAttributes, type: keyof typeof TYPES): TestAttribute[] {
  return Object.entries(attributes).map(([name, value]) => {
    if (typeof value === 'string') return { name, type: 2, value }
    const own = name === '_FillValue' || name === 'missing_value' ? type : 'double'
    return { name, type: TYPES[own], value: bigEndian(typeof value === 'number' ? [value] : value, own) }
  })
}

function bigEndian(values: readonly number[], type: keyof typeof TYPES): Uint8Array {
  const bytes = Buffer.alloc(values.length * SIZES[type])
  for (const [place, value] of values.entries()) {
    const at = place * SIZES[type]
    if (type === 'byte') bytes.writeInt8(value, at)
    else if (type === 'short') bytes.writeInt16BE(value, at)
    else if (type === 'int') bytes.set(u32(value), at)
    else if (type === 'float') bytes.writeFloatBE(value, at)
    else bytes.writeDoubleBE(value, at)
  }
  return bytes
}

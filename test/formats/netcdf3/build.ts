// Builds classic files byte by byte, so that a test shows the layout it checks.

/** Numbers, big-endian. */
export function u32(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, i * 4)
  return bytes
}

export function u64(...values: (number | bigint)[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [i, value] of values.entries()) bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)), i * 8)
  return bytes
}

/** Bytes filled up to a multiple of four. */
export function padded(bytes: Uint8Array, filler = 0): Uint8Array {
  return join(bytes, new Uint8Array((4 - (bytes.length % 4)) % 4).fill(filler))
}

export function join(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}

export interface TestDimension {
  readonly name: string | Uint8Array
  readonly length: number
}

export interface TestAttribute {
  readonly name: string
  readonly type: number
  /** Big-endian, without padding; text for type 2. */
  readonly value: Uint8Array | string
  readonly count?: number
}

export interface TestVariable {
  readonly name: string | Uint8Array
  readonly dims: readonly number[]
  readonly type: number
  readonly begin: number
  readonly attributes?: readonly TestAttribute[]
  readonly vsize?: number
}

export interface TestHeader {
  readonly version?: 1 | 2 | 5
  /** -1: streaming. */
  readonly records?: number | bigint
  readonly dims?: readonly TestDimension[]
  readonly attributes?: readonly TestAttribute[]
  readonly variables?: readonly TestVariable[]
}

const SIZES = [0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8]

/** The bytes of a header. */
export function header({
  version = 1,
  records = 0,
  dims = [],
  attributes = [],
  variables = [],
}: TestHeader): Uint8Array {
  const count = (value: number | bigint): Uint8Array => (version === 5 ? u64(value) : u32(Number(value)))
  const offset = (value: number): Uint8Array => (version === 1 ? u32(value) : u64(value))
  const name = (text: string | Uint8Array): Uint8Array => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    return join(count(bytes.length), padded(bytes))
  }
  const list = (tag: number, items: readonly Uint8Array[]): Uint8Array =>
    items.length === 0 ? join(u32(0), count(0)) : Buffer.concat([u32(tag), count(items.length), ...items])
  const attribute = ({ name: key, type, value, count: declared }: TestAttribute): Uint8Array => {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value
    return join(name(key), u32(type), count(declared ?? bytes.length / (SIZES[type] ?? 1)), padded(bytes))
  }
  const variable = (v: TestVariable): Uint8Array =>
    join(
      name(v.name),
      count(v.dims.length),
      ...v.dims.map(count),
      list(12, (v.attributes ?? []).map(attribute)),
      u32(v.type),
      count(v.vsize ?? 0),
      offset(v.begin),
    )
  return join(
    Buffer.from(['CDF', String.fromCharCode(version)].join('')),
    count(records),
    list(
      10,
      dims.map((dim) => join(name(dim.name), count(dim.length))),
    ),
    list(12, attributes.map(attribute)),
    list(11, variables.map(variable)),
  )
}

/** A header with room behind it, so that its variables may begin at 1024, 2048, ... */
export function file(
  description: TestHeader,
  data: readonly (readonly [number, Uint8Array])[],
  size: number,
): Uint8Array {
  const bytes = new Uint8Array(size)
  bytes.set(header(description))
  for (const [at, values] of data) bytes.set(values, at)
  return bytes
}

/** A field of a directory that a test builds: type by number (TIFF 6.0 page 15), values, or text. */
export interface BuiltField {
  readonly tag: number
  readonly type: number
  readonly values: readonly number[] | string
  /** Claims another number of values, or another place, than the field has. */
  readonly count?: number
  readonly position?: number
}

export interface BuiltIfd {
  readonly fields: readonly BuiltField[]
  /** Where the chain goes on, when not to the next directory. */
  readonly next?: number
}

export interface BuildOptions {
  readonly endian?: 'little' | 'big'
  readonly big?: boolean
  /** What lies between header and directories: blocks begin at `dataStart`. */
  readonly data?: Uint8Array
}

const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 11: 4, 12: 8, 13: 4, 16: 8 }

/** Position of the data of a built file. */
export function dataStart({ big = false }: BuildOptions = {}): number {
  return big ? 16 : 8
}

/** A TIFF file: header, data, directories, each followed by its values. */
export function buildTiff(ifds: readonly BuiltIfd[], options: BuildOptions = {}): Uint8Array {
  const { data = new Uint8Array(0), big = false } = options
  const start = dataStart(options) + data.length + (data.length % 2)
  const positions: number[] = []
  let position = start
  for (const ifd of ifds) {
    positions.push(position)
    position += sizeOf(ifd, big)
  }
  const writer = new Writer(position, options.endian ?? 'little')
  writer.header(big, positions[0] ?? 0)
  writer.bytes(dataStart(options), data)
  for (const [i, ifd] of ifds.entries()) {
    writer.ifd(ifd, positions[i] ?? 0, ifd.next ?? positions[i + 1] ?? 0, big)
  }
  return writer.content
}

/** A small grey image of one strip or tile, with what a test changes in it. */
export function greyFields(width: number, height: number, changes: readonly BuiltField[] = []): BuiltField[] {
  const fields: BuiltField[] = [
    { tag: 256, type: 4, values: [width] },
    { tag: 257, type: 4, values: [height] },
    { tag: 258, type: 3, values: [8] },
    { tag: 259, type: 3, values: [1] },
    { tag: 262, type: 3, values: [1] },
    { tag: 273, type: 4, values: [8] },
    { tag: 277, type: 3, values: [1] },
    { tag: 278, type: 4, values: [height] },
    { tag: 279, type: 4, values: [width * height] },
  ]
  const changed = new Set(changes.map(({ tag }) => tag))
  return [...fields.filter(({ tag }) => !changed.has(tag)), ...changes].sort((one, other) => one.tag - other.tag)
}

function sizeOf({ fields }: BuiltIfd, big: boolean): number {
  const values = fields.reduce((sum, field) => sum + outside(field, big), 0)
  return (big ? 16 : 6) + fields.length * (big ? 20 : 12) + values
}

function lengthOf({ type, values }: BuiltField): number {
  return (typeof values === 'string' ? Buffer.byteLength(values) : values.length) * (SIZES[type] ?? 1)
}

function outside(field: BuiltField, big: boolean): number {
  const length = lengthOf(field)
  return length <= (big ? 8 : 4) ? 0 : length + (length % 2)
}

class Writer {
  readonly content: Uint8Array
  readonly #view: DataView
  readonly #little: boolean

  constructor(length: number, endian: 'little' | 'big') {
    this.content = new Uint8Array(length)
    this.#view = new DataView(this.content.buffer)
    this.#little = endian === 'little'
  }

  header(big: boolean, first: number): void {
    this.bytes(0, Buffer.from(this.#little ? 'II' : 'MM'))
    this.#view.setUint16(2, big ? 43 : 42, this.#little)
    if (big) this.#view.setUint16(4, 8, this.#little)
    this.#pointer(big ? 8 : 4, first, big)
  }

  bytes(at: number, bytes: Uint8Array): void {
    this.content.set(bytes, at)
  }

  ifd({ fields }: BuiltIfd, at: number, next: number, big: boolean): void {
    const entrySize = big ? 20 : 12
    const entries = at + (big ? 8 : 2)
    if (big) this.#pointer(at, fields.length, true)
    else this.#view.setUint16(at, fields.length, this.#little)
    const after = entries + fields.length * entrySize
    this.#pointer(after, next, big)
    let values = after + (big ? 8 : 4)
    for (const [i, field] of fields.entries()) {
      const entry = entries + i * entrySize
      this.#view.setUint16(entry, field.tag, this.#little)
      this.#view.setUint16(entry + 2, field.type, this.#little)
      const count = field.count ?? lengthOf(field) / (SIZES[field.type] ?? 1)
      this.#pointer(entry + 4, count, big)
      const place = entry + (big ? 12 : 8)
      const length = outside(field, big)
      if (length > 0) this.#pointer(place, field.position ?? values, big)
      this.#values(field, length > 0 ? values : place)
      values += length
    }
  }

  #pointer(at: number, value: number, big: boolean): void {
    if (big) this.#view.setBigUint64(at, BigInt(value), this.#little)
    else this.#view.setUint32(at, value, this.#little)
  }

  #values({ type, values }: BuiltField, at: number): void {
    const size = SIZES[type] ?? 1
    if (typeof values === 'string') this.bytes(at, Buffer.from(values))
    else for (const [i, value] of values.entries()) this.#value(type, at + i * size, value)
  }

  #value(type: number, at: number, value: number): void {
    if (type === 3) this.#view.setUint16(at, value, this.#little)
    else if (type === 4 || type === 13) this.#view.setUint32(at, value, this.#little)
    else if (type === 12) this.#view.setFloat64(at, value, this.#little)
    else if (type === 16) this.#view.setBigUint64(at, BigInt(value), this.#little)
    else this.#view.setUint8(at, value)
  }
}

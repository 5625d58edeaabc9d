/** An element of a file made in a test; `next` and `count` of blocks can be lied about. */
export interface TestElement {
  readonly tag: number
  readonly ref: number
  readonly bytes: Uint8Array
  /** In place of those that are true. */
  readonly offset?: number
  readonly length?: number
}

const MAGIC = [0x0e, 0x03, 0x13, 0x01]

/** One descriptor block, then the elements; `next` is that of the block. */
export function hdf4File(elements: readonly TestElement[], next = 0, count = elements.length): Uint8Array {
  const start = 4 + 6 + 12 * elements.length
  let at = start
  const descriptors = elements.map(({ tag, ref, bytes, offset, length }) => {
    const row = [...u16(tag), ...u16(ref), ...u32(offset ?? at), ...u32(length ?? bytes.length)]
    at += bytes.length
    return row
  })
  const head = [...MAGIC, ...u16(count), ...u32(next), ...descriptors.flat()]
  return new Uint8Array(Buffer.concat([Uint8Array.from(head), ...elements.map(({ bytes }) => bytes)]))
}

export function u16(value: number): number[] {
  return [(value >> 8) & 0xff, value & 0xff]
}

export function u32(value: number): number[] {
  return [...u16(Math.floor(value / 65_536)), ...u16(value % 65_536)]
}

/** A vgroup of members given as tag and reference number. */
export function vgroup(
  ref: number,
  name: string,
  className: string,
  members: readonly (readonly [number, number])[],
): TestElement {
  const bytes = [
    ...u16(members.length),
    ...members.flatMap(([tag]) => u16(tag)),
    ...members.flatMap(([, own]) => u16(own)),
    ...text(name),
    ...text(className),
    ...[0, 0, 0, 0, 0, 3, 0, 0, 0],
  ]
  return { tag: 1965, ref, bytes: Uint8Array.from(bytes) }
}

export interface TestField {
  readonly name: string
  readonly type: number
  readonly bytes: number
  readonly order: number
}

/** The header of a table. */
export function vdata(
  ref: number,
  name: string,
  className: string,
  records: number,
  fields: readonly TestField[],
  interlace = 0,
): TestElement {
  const starts = fields.map((_, i) => fields.slice(0, i).reduce((sum, { bytes }) => sum + bytes, 0))
  const bytes = [
    ...u16(interlace),
    ...u32(records),
    ...u16(fields.reduce((sum, field) => sum + field.bytes, 0)),
    ...u16(fields.length),
    ...fields.flatMap(({ type }) => u16(type)),
    ...fields.flatMap((field) => u16(field.bytes)),
    ...starts.flatMap(u16),
    ...fields.flatMap(({ order }) => u16(order)),
    ...fields.flatMap((field) => text(field.name)),
    ...text(name),
    ...text(className),
    ...[0, 0, 0, 0, 0, 3, 0, 0, 0],
  ]
  return { tag: 1962, ref, bytes: Uint8Array.from(bytes) }
}

/** A data set of 16-bit integers along dimensions of these lengths, with its data under the tag and reference number given. */
export function dataSet(shape: readonly number[], data: TestElement): TestElement[] {
  const dimensions = shape.flatMap((length, axis) => [
    vdata(100 + axis, `d${axis}`, 'DimVal0.1', 1, [{ name: 'Values', type: 24, bytes: 4, order: 1 }]),
    { tag: 1963, ref: 100 + axis, bytes: Uint8Array.from(u32(length)) },
    vgroup(200 + axis, `d${axis}`, 'Dim0.0', [[1962, 100 + axis]]),
  ])
  const links = shape.map((_, axis) => [1965, 200 + axis] as const)
  return [
    ...dimensions,
    { tag: 106, ref: 1, bytes: Uint8Array.of(1, 22, 16, 1) },
    vgroup(300, 'data', 'Var0.0', [...links, [702, data.ref], [106, 1], [720, 1]]),
    vgroup(301, 'file', 'CDF0.0', [...links, [1965, 300]]),
    data,
  ]
}

function text(value: string): number[] {
  return [...u16(value.length), ...Buffer.from(value, 'latin1')]
}

import type { Box } from '../model/virtual-store.ts'
import { isSame } from './compare-values.ts'
import type { Foretold, Values } from './readers/reader.ts'

/** What was served of a chunk, and what a reader gave. */
export interface TwoSides {
  readonly served: Values
  readonly source: Values
  readonly box: Box
  /** As Zarr names it. */
  readonly type: string
}

/** Whether a reader gave just what its fault makes of the values that were served: then these are right. */
export function isForetold(fault: Foretold, { served, source, box, type }: TwoSides): boolean {
  if (served.length !== source.length) return false
  switch (fault.kind) {
    case 'swapped-bytes':
      return isEach(served, source, (value, other) => isSame(swapped(value, type), other))
    case 'raw-bits':
      return isRawBits(served, source, type)
    case 'windows-1252':
      return isEach(served, source, (value, other) => asWindows1252(value).includes(String(other)))
    case 'swapped-differences':
      return isEach(swappedDifferences(served, box, fault, type), source, isSame)
    case 'rounded-fill':
      return isEach(served, source, (value, other) => other === fault.fill && value === roundedFill(fault.fill, type))
    case 'rounded':
      return isEach(served, source, (value, other) => Math.abs(Number(value) - Number(other)) <= fault.by)
    case 'luma':
      return hasLuma({ served, source, box, type }, fault.by)
  }
}

/**
 * Whether the luma of served red, green and blue is the reader's Y, whatever the two decoders make of chroma between its samples.
 * The conversion clips to 0..255, so the luma of pixels with a component there is unknown.
 */
function hasLuma({ served, source, box }: TwoSides, tolerance: number): boolean {
  // A box of fewer bands, as `;chunks=` makes them, has no luma.
  if (box.shape[0] !== 3) return true
  const pixels = served.length / 3
  for (let pixel = 0; pixel < pixels; pixel++) {
    const rgb = [0, 1, 2].map((band) => Number(served[band * pixels + pixel]))
    const [red = 0, green = 0, blue = 0] = rgb
    const luma = 0.299 * red + 0.587 * green + 0.114 * blue
    const isClipped = rgb.some((value) => value === 0 || value === 255)
    if (!isClipped && Math.abs(luma - Number(source[pixel])) > tolerance) return false
  }
  return true
}

type Value = Values[number]

type IsRight = (one: Value, other: Value) => boolean

function isEach(one: Values, other: Values, isRight: IsRight): boolean {
  return isEvery(one, other, (left, right) => isSame(left, right) || isRight(left, right))
}

function isEvery(one: Values, other: Values, isRight: IsRight): boolean {
  for (let index = 0; index < one.length; index++) {
    const [left, right] = [one[index], other[index]]
    if (left === undefined || right === undefined || !isRight(left, right)) return false
  }
  return true
}

const NUMBERS = {
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const
const LONG_NUMBERS = { int64: BigInt64Array, uint64: BigUint64Array } as const

/** The number that these bytes are in the other order. */
function swapped(value: Value, type: string): number | bigint {
  if (type === 'int64' || type === 'uint64') {
    const long = LONG_NUMBERS[type].of(BigInt(value))
    new Uint8Array(long.buffer).reverse()
    return long[0] ?? 0n
  }
  const numbers = NUMBERS[type as keyof typeof NUMBERS]?.of(Number(value))
  if (numbers === undefined) return Number(value)
  new Uint8Array(numbers.buffer).reverse()
  return numbers[0] ?? 0
}

/**
 * Horizontal differences of big-endian integers that were added up as little-endian ones: along each row of a block, from its first
 * column on.
 */
function swappedDifferences(
  served: Values,
  { origin, shape }: Box,
  { columns }: Extract<Foretold, { kind: 'swapped-differences' }>,
  type: string,
): Values {
  const width = shape.at(-1) ?? 1
  const left = origin.at(-1) ?? 0
  const made = new Array<Value>(served.length)
  let [before, sum] = [0n, 0n]
  for (let index = 0; index < served.length; index++) {
    if (index % width === 0 || (left + (index % width)) % columns === 0) [before, sum] = [0n, 0n]
    const value = BigInt(served[index] ?? 0)
    sum = bits(type, sum + BigInt(swapped(bits(type, value - before), type)))
    made[index] = swapped(sum, type)
    before = value
  }
  return made
}

function bits(type: string, value: bigint): bigint {
  const size = Number(type.replace(/^\D+/, ''))
  return type.startsWith('u') ? BigInt.asUintN(size, value) : BigInt.asIntN(size, value)
}

function roundedFill(fill: bigint, type: string): bigint {
  return bits(type, BigInt(Number(fill)))
}

/** Whether all are the same some lower bits of what was served, moved by some places. */
function isRawBits(served: Values, source: Values, type: string): boolean {
  const size = Number(type.replace(/^\D+/, ''))
  for (let count = 1; count < size; count++) {
    for (let place = 0; place + count <= size; place++) {
      const raw = (value: Value) => BigInt.asUintN(count, BigInt(value)) << BigInt(place)
      const fits = (value: Value, other: Value) => raw(value) === BigInt.asUintN(size, BigInt(other))
      if (isEvery(served, source, fits)) return true
    }
  }
  return false
}

/** The bytes of a text, whether it was read as Latin-1 or as UTF-8, up to the first NUL and as a browser takes those of no known coding. */
function asWindows1252(value: Value): readonly string[] {
  const text = String(value).split('\0', 1)[0] ?? ''
  return (['latin1', 'utf8'] as const).map((coding) =>
    new TextDecoder('windows-1252').decode(Buffer.from(text, coding)),
  )
}

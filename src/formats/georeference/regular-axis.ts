import { decodeChunk } from '../../codecs/decode.ts'
import { numbersOf } from '../../codecs/numbers.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import type { GridAxis } from './cf-grid.ts'
import { numberOf } from './cf-reference-system.ts'

/** Values in equal steps, those of points: a pixel reaches half a step to both sides. */
export interface RegularAxis {
  readonly first: number
  readonly step: number
  readonly length: number
}

/** A longer axis, or one in more pieces, is not looked at. */
const MOST_VALUES = 65_536
const MOST_CHUNKS = 16
const MOST_STORED_BYTES = 1_048_576
/** Part of a step that a value may lie beside its place: those of Gaussian grids lie further. */
const TOLERANCE = 0.005
/** The same where neighbouring numbers of the type lie hardly closer than the steps. */
const MOST_TOLERANCE = 0.1
/** Half the distance of neighbouring numbers around 1. */
const ROUNDING = { 16: 2 ** -11, 32: 2 ** -24, 64: 2 ** -53 } as const

/** The steps of a coordinate variable; undefined where they are not equal, or its values can't be had by a few reads of the file. */
export async function readRegularAxis(
  { array, unit }: GridAxis,
  source: Source,
  options: ReadOptions,
): Promise<RegularAxis | undefined> {
  const values = await readValues(array, source, options)
  if (values === undefined) return undefined
  const scale = (numberOf(array, 'scale_factor') ?? 1) * unit
  const offset = (numberOf(array, 'add_offset') ?? 0) * unit
  const { dataType } = array
  const rounding = dataType.kind === 'float' ? ROUNDING[dataType.bits] : 0
  return regular(
    Float64Array.from(values, (value) => value * scale + offset),
    rounding,
  )
}

function regular(values: Float64Array, rounding: number): RegularAxis | undefined {
  const { length } = values
  const first = values[0] ?? Number.NaN
  const last = values[length - 1] ?? Number.NaN
  const step = (last - first) / (length - 1)
  // Two roundings: that of the value, and those of both ends.
  const rounded = 2 * rounding * Math.max(Math.abs(first), Math.abs(last))
  const allowed = Math.min(Math.max(TOLERANCE * Math.abs(step), rounded), MOST_TOLERANCE * Math.abs(step))
  const isRegular = values.every((value, i) => Math.abs(value - (first + i * step)) <= allowed)
  return isRegular && step !== 0 && Number.isFinite(step) ? { first, step, length } : undefined
}

async function readValues(
  array: VirtualArray,
  source: Source,
  options: ReadOptions,
): Promise<Float64Array | undefined> {
  if (array.operation !== undefined) return undefined
  const { shape, chunkShape, dataType, chunks } = array
  const [length = 0] = shape
  const [chunkLength = 1] = chunkShape
  const isNumber = dataType.kind === 'int' || dataType.kind === 'uint' || dataType.kind === 'float'
  const count = Math.ceil(length / chunkLength)
  if (!isNumber || length < 2 || length > MOST_VALUES || count > MOST_CHUNKS) return undefined
  const values = new Float64Array(count * chunkLength)
  const read = async (chunk: number): Promise<boolean> => {
    const ref = await chunks.at([chunk], options.signal)
    const encoding = 'encoding' in ref ? array.encodings[ref.encoding] : undefined
    if (encoding === undefined || (ref.kind !== 'inline' && (ref.kind !== 'range' || ref.source !== 0))) return false
    if (ref.kind === 'range' && ref.length > MOST_STORED_BYTES) return false
    const stored = ref.kind === 'inline' ? ref.bytes : await source.read(ref, options)
    const start = chunk * chunkLength
    const storedLength = array.edges === 'cropped' ? Math.min(chunkLength, length - start) : chunkLength
    const decoding = { limit: MOST_STORED_BYTES, fillValue: array.fillValue }
    const elements = await decodeChunk(stored, encoding, { shape: [storedLength], dataType }, decoding)
    if (elements.kind !== 'fixed') return false
    values.set(Array.from(numbersOf(elements.bytes, dataType), Number), start)
    return true
  }
  const isRead = await Promise.all(Array.from({ length: count }, (_, chunk) => read(chunk)))
  return isRead.every(Boolean) ? values.subarray(0, length) : undefined
}

import { malformed, unsupported } from '../../errors.ts'
import { internalBytes } from '../internal.ts'
import { BitReader } from '../kernels/bit-reader.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { byteKernels } from '../kernels/wasm/bytes.ts'
import type { ClientData } from './nbit.ts'

// Order of the client data (H5Zscaleoffset.c).
const SCALE_TYPE = 0
const SCALE_FACTOR = 1
const ELEMENTS = 2
const CLASS = 3
const SIZE = 4
const ORDER = 6
const FILL_DEFINED = 7
const FILL_VALUE = 8

const DECIMAL = 0
const EXPONENT = 1
const INTEGER = 2

/** Number of bits (4 bytes), length of the minimum (1), the minimum (8), 8 bytes unused. */
const HEADER_LENGTH = 21

/** HDF5's filter 6: integers, or floats times a power of ten, above their minimum, in few bits. `clientData` is the filter's own. */
export const scaleOffsetHdf5 = internalBytes<ClientData>({
  name: 'vz.scaleoffset',
  prepare: ({ clientData }) => {
    const settings = settingsOf(clientData)
    const { size, count, scale } = settings
    // "No compression": the writer chose the whole width.
    if (scale.kind === 'integer' && scale.bits === size * 8) return { decode: (bytes) => bytes }
    return {
      decode: (bytes, { limit }) => {
        if (count * size > limit) {
          throw malformed(`scale-offset: ${count} elements of ${size} bytes, at most ${limit} bytes are expected`)
        }
        const result = decoded(bytes, settings)
        if (settings.isBig) reverseItems(result, size)
        return result
      },
    }
  },
})

interface Settings {
  readonly count: number
  readonly size: number
  readonly isBig: boolean
  /** Low and high 32 bits of what the highest code stands for. */
  readonly fill: readonly [number, number] | undefined
  readonly scale:
    | { readonly kind: 'integer'; readonly bits: number }
    | { readonly kind: 'decimal'; readonly digits: number }
}

function settingsOf(data: readonly number[]): Settings {
  if (data.length < FILL_VALUE) throw malformed(`scale-offset: ${data.length} parameters, expected at least 8`)
  const type = data[SCALE_TYPE] ?? 0
  const size = data[SIZE] ?? 0
  const isFloat = data[CLASS] === 1
  if (type === EXPONENT)
    throw unsupported('scale-offset by exponent', 'the E-scaling of scale-offset was never defined')
  if (type !== (isFloat ? DECIMAL : INTEGER))
    throw malformed(`scale-offset: scale type ${type} for class ${data[CLASS]}`)
  if (!(isFloat ? [4, 8] : [1, 2, 4, 8]).includes(size)) {
    throw unsupported(
      `scale-offset of ${size} bytes`,
      `scale-offset of ${isFloat ? 'floats' : 'integers'} of ${size} bytes`,
    )
  }
  const factor = (data[SCALE_FACTOR] ?? 0) | 0
  return {
    count: data[ELEMENTS] ?? 0,
    size,
    isBig: data[ORDER] === 1,
    fill: data[FILL_DEFINED] === 1 ? [data[FILL_VALUE] ?? 0, data[FILL_VALUE + 1] ?? 0] : undefined,
    scale: isFloat ? { kind: 'decimal', digits: factor } : { kind: 'integer', bits: factor },
  }
}

/** What the header of a chunk says. */
interface Codes {
  readonly bits: number
  /** Low and high 32 bits. */
  readonly minimum: readonly [number, number]
  readonly body: Uint8Array
}

function decoded(bytes: Uint8Array, settings: Settings): Uint8Array {
  if (bytes.length < HEADER_LENGTH) throw malformed(`${bytes.length} bytes hold no scale-offset header of 21 bytes`)
  const { size, count } = settings
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bits = view.getUint32(0, true)
  if (bits > size * 8) throw malformed(`scale-offset: ${bits} bits for elements of ${size} bytes`)
  const body = bytes.subarray(HEADER_LENGTH)
  if (body.length < Math.ceil((count * bits) / 8)) {
    throw malformed(`scale-offset: ${body.length} bytes hold no ${count} elements of ${bits} bits`)
  }
  if (bits === size * 8) return body.slice(0, count * size)
  const minimum = minimumOf(bytes)
  const codes = { bits, minimum, body }
  const { scale } = settings
  if (scale.kind === 'decimal') return decodeFloats(codes, settings, scale.digits)
  return size === 8 ? decodeLongs(codes, settings) : decodeIntegers(codes, settings)
}

function minimumOf(bytes: Uint8Array): [number, number] {
  const minimum = new Uint8Array(8)
  const length = Math.min(bytes[4] ?? 0, 8)
  minimum.set(bytes.subarray(5, 5 + length))
  const view = new DataView(minimum.buffer)
  return [view.getUint32(0, true), view.getUint32(4, true)]
}

/** Codes that are decoded at once, whole bytes of them: they and their numbers stay in the processor's cache. */
const AT_ONCE = 2 ** 15
/** So many bytes more are read than hold codes. */
const VECTOR_BYTES = 16

function decodeIntegers({ bits, minimum, body }: Codes, { size, count, fill }: Settings): Uint8Array {
  const result = chunkMemory.take(count * size)
  // Codes are shorter than 32 bits, so that none has all of them.
  const highest = fill === undefined ? -1 : 2 ** bits - 1
  const most = Math.min(count, AT_ONCE)
  const lengths = [Math.ceil((most * bits) / 8) + VECTOR_BYTES, most * size] as const
  byteKernels.use(lengths, (kernels, memory, source, target) => {
    for (let first = 0; first < count; first += most) {
      const some = Math.min(most, count - first)
      const from = (first / 8) * bits
      memory.set(body.subarray(from, from + Math.ceil((some * bits) / 8)), source)
      kernels.scaleOffset(source, some, bits, size, minimum[0], highest, fill?.[0] ?? 0, target)
      result.set(memory.subarray(target, target + some * size), first * size)
    }
  })
  return result
}

function decodeLongs({ bits, minimum, body }: Codes, { count, fill }: Settings): Uint8Array {
  const reader = readerOf(body)
  /** Low and high 32 bits of each. */
  const halves = new Uint32Array(2 * count)
  const highBits = Math.max(bits - 32, 0)
  const lowBits = bits - highBits
  const [lowHighest, highHighest] = [2 ** lowBits - 1, 2 ** highBits - 1]
  for (let i = 0; i < halves.length; i += 2) {
    const high = reader.read(highBits)
    const low = reader.read(lowBits)
    if (fill !== undefined && low === lowHighest && high === highHighest) {
      halves[i] = fill[0]
      halves[i + 1] = fill[1]
    } else {
      const sum = low + minimum[0]
      halves[i] = sum
      halves[i + 1] = high + minimum[1] + (sum >= 2 ** 32 ? 1 : 0)
    }
  }
  return new Uint8Array(halves.buffer)
}

/** In the arithmetic of the type itself, as the C code does it. */
function decodeFloats({ bits, minimum, body }: Codes, { size, count, fill }: Settings, digits: number): Uint8Array {
  const reader = readerOf(body)
  const result = new Uint8Array(count * size)
  const round = size === 4 ? Math.fround : (value: number) => value
  const view = new DataView(result.buffer)
  const header = new DataView(new Uint32Array(minimum).buffer)
  const least = size === 4 ? header.getFloat32(0, true) : header.getFloat64(0, true)
  const power = round(10 ** digits)
  const highBits = Math.max(bits - 32, 0)
  const lowBits = bits - highBits
  const [lowHighest, highHighest] = [2 ** lowBits - 1, 2 ** highBits - 1]
  for (let at = 0; at < result.length; at += size) {
    const high = reader.read(highBits)
    const low = reader.read(lowBits)
    if (fill !== undefined && low === lowHighest && high === highHighest) {
      view.setUint32(at, fill[0], true)
      if (size === 8) view.setUint32(at + 4, fill[1], true)
      continue
    }
    const value = round(round(round(high * 2 ** 32 + low) / power) + least)
    if (size === 4) view.setFloat32(at, value, true)
    else view.setFloat64(at, value, true)
  }
  return result
}

function readerOf(body: Uint8Array): BitReader {
  return new BitReader(body, 'a scale-offset chunk')
}

function reverseItems(bytes: Uint8Array, size: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (size === 2) buffer.swap16()
  else if (size === 4) buffer.swap32()
  else if (size === 8) buffer.swap64()
}

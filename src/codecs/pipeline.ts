import { malformed, unsupported } from '../errors.ts'
import { type Scalar, zeroOf } from '../model/data-type.ts'
import type { ArrayStep, ByteStep, ChunkLayout, DecodeContext, Elements, SerialStep } from './codec.ts'

/** An encoding made ready for chunks of one layout (`prepare.ts`); every list runs from the array outward. */
export interface Pipeline {
  readonly layout: ChunkLayout
  readonly arrays: readonly ArrayStep[]
  /** The layout that the codec sees which makes bytes. */
  readonly inner: ChunkLayout
  /** Most bytes of what the byte codecs hold, besides what the caller says; undefined where elements have no fixed size. */
  readonly mostBytes: number | undefined
  readonly serial: SerialStep
  readonly bytes: readonly NamedStep[]
  /** What the array codecs make of the shape of a part of the chunk; undefined where nobody asks for that. */
  readonly insideOf: ((shape: readonly number[]) => readonly number[]) | undefined
}

export interface NamedStep extends ByteStep {
  readonly name: string
  /** No step between this one and the array changes how many bytes there are: what the array needs is enough here. */
  readonly isNextToArray: boolean
}

/** What the caller says: most bytes that a chunk may hold, and what else a `DecodeContext` is. */
export type DecodeOptions = Omit<DecodeContext, 'enough'>

/** From stored bytes to the elements of a chunk. */
export function decode(pipeline: Pipeline, stored: Uint8Array, options: DecodeOptions): Elements | Promise<Elements> {
  const { arrays, inner, mostBytes, serial, bytes, insideOf } = pipeline
  const { surplus } = serial
  const context = { ...options, fillValue: storedFill(arrays, inner, options.fillValue) }
  const limit = mostBytes === undefined ? options.limit : Math.min(options.limit + ROOM, mostBytes)
  const undone = undoBytes(stored, bytes, { ...context, limit, enough: surplus?.enough })
  const inside = options.inside === undefined ? undefined : insideOf?.(options.inside)
  const elements = serial.decode(undone, { ...context, inside })
  if (arrays.length === 0) return elements
  const finish = (encoded: Elements) => undoArrays(encoded, arrays)
  return elements instanceof Promise ? elements.then(finish) : finish(elements)
}

/** Undoes byte codecs alone, outermost first, down to the `kept` innermost; `limit` bounds the result, the steps before it have some room more. */
export function peel({ bytes }: Pipeline, stored: Uint8Array, kept: number, limit: number): Uint8Array {
  const peeled = undoBytes(stored, bytes.slice(kept), { limit: withRoom(limit) })
  if (peeled.length <= limit) return peeled
  throw malformed(`a chunk decodes to ${peeled.length} bytes, at most ${limit} are expected`)
}

/** The other direction, for the codecs that this server advertises. */
export function encode({ arrays, serial, bytes }: Pipeline, elements: Elements): Uint8Array {
  const encoded = arrays.reduce((decoded, step) => (step.encode ?? cannotEncode)(decoded), elements)
  const serialised = (serial.encode ?? cannotEncode)(encoded)
  return bytes.reduce((decoded, step) => (step.encode ?? cannotEncode)(decoded), serialised)
}

function cannotEncode(): never {
  throw unsupported('writing a chunk', 'a codec can be decoded by this server, not written')
}

function undoBytes(stored: Uint8Array, steps: readonly NamedStep[], context: DecodeContext): Uint8Array {
  return steps.reduceRight((bytes, { name, isNextToArray, decode: undo }) => {
    const enough = isNextToArray ? context.enough : undefined
    const decoded = undo(bytes, { ...context, enough })
    if (enough !== undefined && decoded.length > enough) return decoded.subarray(0, enough)
    if (decoded.length <= context.limit) return decoded
    throw malformed(`codec ${name} decodes to ${decoded.length} bytes, at most ${context.limit} are expected`)
  }, stored)
}

function undoArrays(encoded: Elements, arrays: readonly ArrayStep[]): Elements {
  return arrays.reduceRight((elements, step) => step.decode(elements), encoded)
}

/** What a fill value becomes on the stored side of the array codecs: inner chunks of shards are filled there. */
function storedFill(arrays: readonly ArrayStep[], inner: ChunkLayout, fill: Scalar | undefined): Scalar {
  return arrays.reduce((value, step) => step.encodeFill?.(value) ?? value, fill ?? zeroOf(inner.dataType))
}

const ROOM = 65_536

/**
 * No step between the stored bytes and the packed array holds much more than the packed array: room is left for
 * checksums, headers, and the growth of what doesn't compress.
 */
export function withRoom(length: number): number {
  return length + Math.ceil(length / 8) + ROOM
}

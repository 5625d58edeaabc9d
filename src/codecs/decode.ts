import { malformed, unsupported } from '../errors.ts'
import { type Scalar, zeroOf } from '../model/data-type.ts'
import type { Encoding } from '../model/encoding.ts'
import type { ArrayCodec, ChunkLayout, DecodeContext, Elements } from './codec.ts'
import { packedLength } from './elements.ts'
import { type Pipeline, resolveEncoding, type Step } from './pipeline.ts'

/** What the caller says: most bytes that a chunk may hold, and what `DecodeContext` passes on. */
export type DecodeOptions = Omit<DecodeContext, 'decodeInner' | 'enough'>

/** Undoes an encoding: from stored bytes to the elements of a chunk of this layout. */
export function decodeChunk(
  stored: Uint8Array,
  encoding: Encoding,
  layout: ChunkLayout,
  options: DecodeOptions,
): Elements | Promise<Elements> {
  const context = contextOf(options)
  const pipeline = resolveEncoding(encoding)
  const layouts = layoutsOf(pipeline.arrays, layout)
  const inner = layouts.at(-1) ?? layout
  const serial = { ...context, fillValue: storedFill(pipeline.arrays, layouts, context.fillValue) }
  const { codec, configuration } = pipeline.serial
  const surplus = codec.surplus?.(inner, configuration)
  const limit = byteLimit(surplus?.most ?? packedLength(inner), context.limit)
  const bytes = undoBytes(stored, pipeline, { ...serial, limit, enough: surplus?.enough })
  const inside = codec.mayLackRows === true ? insideOf(pipeline.arrays, layout, context) : undefined
  const elements = codec.decode(bytes, inner, configuration, { ...serial, inside })
  const finish = (encoded: Elements) => undoArrays(encoded, pipeline.arrays, layouts)
  return elements instanceof Promise ? elements.then(finish) : finish(elements)
}

function insideOf(
  arrays: readonly Step<ArrayCodec>[],
  layout: ChunkLayout,
  { inside }: DecodeContext,
): readonly number[] | undefined {
  return inside === undefined ? undefined : layoutsOf(arrays, { ...layout, shape: inside }).at(-1)?.shape
}

/** Undoes byte codecs alone, outermost first; `limit` bounds the result, the steps before it have some room more. */
export function decodeBytes(stored: Uint8Array, codecs: Encoding, limit: number): Uint8Array {
  const pipeline = resolveEncoding([{ name: 'bytes', configuration: {} }, ...codecs])
  const bytes = undoBytes(stored, pipeline, contextOf({ limit: withRoom(limit) }))
  if (bytes.length <= limit) return bytes
  throw malformed(`a chunk decodes to ${bytes.length} bytes, at most ${limit} are expected`)
}

/** The other direction, for the codecs that this server advertises. */
export function encodeElements(elements: Elements, target: Encoding, layout: ChunkLayout): Uint8Array {
  const { arrays, serial, bytes } = resolveEncoding(target)
  const layouts = layoutsOf(arrays, layout)
  let encoded = elements
  arrays.forEach(({ codec, configuration }, place) => {
    if (codec.encode === undefined) throw cannotEncode(codec.name)
    encoded = codec.encode(encoded, layouts[place] ?? layout, configuration)
  })
  if (serial.codec.encode === undefined) throw cannotEncode(serial.codec.name)
  let result = serial.codec.encode(encoded, layouts.at(-1) ?? layout, serial.configuration)
  for (const { codec, configuration } of bytes) {
    if (codec.encode === undefined) throw cannotEncode(codec.name)
    result = codec.encode(result, configuration)
  }
  return result
}

/** Whether stored chunks may hold more than is needed of them. */
export function ignoresSurplus(encoding: Encoding): boolean {
  return resolveEncoding(encoding).serial.codec.surplus !== undefined
}

/** Whether every codec of an encoding can be written too. */
export function canEncode(target: Encoding): boolean {
  const { arrays, serial, bytes } = resolveEncoding(target)
  return [...arrays, serial, ...bytes].every(({ codec }) => codec.encode !== undefined)
}

function contextOf(options: DecodeOptions): DecodeContext {
  return {
    ...options,
    decodeInner: (stored, encoding, layout, fillValue) =>
      decodeChunk(stored, encoding, layout, { ...options, fillValue }),
  }
}

/** The layout before each array codec, and the one after the last. */
export function layoutsOf(arrays: readonly Step<ArrayCodec>[], layout: ChunkLayout): ChunkLayout[] {
  const layouts = [layout]
  for (const { codec, configuration } of arrays) {
    layouts.push(codec.encodedLayout(layouts.at(-1) ?? layout, configuration))
  }
  return layouts
}

function undoBytes(stored: Uint8Array, pipeline: Pipeline, context: DecodeContext): Uint8Array {
  return pipeline.bytes.reduceRight((bytes, { codec, configuration }, place) => {
    const keepsLength = pipeline.bytes.slice(0, place).every((inner) => inner.codec.keepsLength === true)
    const enough = keepsLength ? context.enough : undefined
    const decoded = codec.decode(bytes, configuration, { ...context, enough })
    if (enough !== undefined && decoded.length > enough) return decoded.subarray(0, enough)
    if (decoded.length <= context.limit) return decoded
    throw malformed(`codec ${codec.name} decodes to ${decoded.length} bytes, at most ${context.limit} are expected`)
  }, stored)
}

function undoArrays(encoded: Elements, arrays: readonly Step<ArrayCodec>[], layouts: readonly ChunkLayout[]): Elements {
  return arrays.reduceRight((elements, { codec, configuration }, place) => {
    const layout = layouts[place]
    return layout === undefined ? elements : codec.decode(elements, layout, configuration)
  }, encoded)
}

/** What a fill value becomes on the stored side of the array codecs: inner chunks of shards are filled there. */
function storedFill(
  arrays: readonly Step<ArrayCodec>[],
  layouts: readonly ChunkLayout[],
  fill: Scalar | undefined,
): Scalar | undefined {
  const inner = layouts.at(-1)
  return arrays.reduce(
    (value, { codec, configuration }, place) => {
      const layout = layouts[place]
      if (value === undefined || layout === undefined || codec.encodeFill === undefined) return value
      return codec.encodeFill(value, layout, configuration)
    },
    fill ?? (inner === undefined ? undefined : zeroOf(inner.dataType)),
  )
}

/**
 * No step between the stored bytes and the packed array holds much more than the packed array: room is left for
 * checksums, headers, and the growth of what doesn't compress.
 */
function byteLimit(packed: number | undefined, limit: number): number {
  return packed === undefined ? limit : Math.min(limit + 65536, withRoom(packed))
}

function withRoom(length: number): number {
  return length + Math.ceil(length / 8) + 65536
}

function cannotEncode(name: string): Error {
  return unsupported(`writing ${name}`, `codec ${name} can be decoded by this server, not written`)
}

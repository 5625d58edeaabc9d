import { anyText } from '../bytes/text.ts'
import { fixedText } from '../codecs/own/fixed-text.ts'
import { isCharacter } from '../model/characters.ts'
import { gridShapeOf } from '../model/chunk-index.ts'
import { type ArrayChange, composedArray, placedArrays, storedArray, withArrays } from '../model/composed-array.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import type { Encoding } from '../model/encoding.ts'
import { missingIndex } from '../model/plain-indexes.ts'
import type { ArraySpec, Attributes, Sentinels, StoredArray, VirtualArray } from '../model/virtual-store.ts'
import type { PortableContext } from './portable-context.ts'

type FixedText = Extract<DataType, { readonly kind: 'fixed-text' }>

/** Longest joined text whose fill is spelled out when it is not empty. */
const MOST_FILL = 2 ** 16

/** Text of fixed length as `string`; characters that are texts are joined along their last dimension (TREE-9). */
export function asText(array: VirtualArray, type: FixedText, { path, warn }: PortableContext): VirtualArray {
  if (array.isText !== true || !isCharacter(type) || array.shape.length === 0) return singleText(array, type)
  if (!canBeJoined(array)) {
    const message = 'characters are served one by one: stored chunks do not hold whole texts'
    warn({ code: 'text-not-joined', message, path })
    return singleText(array, type)
  }
  return joinedText(array)
}

function singleText(array: VirtualArray, type: FixedText): VirtualArray {
  const spec: ArraySpec = {
    ...array,
    dataType: { kind: 'string' },
    fillValue: unpadded(textOf(array.fillValue), type),
    sentinels: textSentinels(array.sentinels),
    attributes: withoutEncoding(array.attributes),
  }
  const encoding = (stored: Encoding) => withTextCodec(stored, type)
  if (array.operation === undefined) return storedArray(spec, { ...array, encodings: array.encodings.map(encoding) })
  return composedArray(spec, withArrays(array.operation, { array: (part) => singleText(part, type), encoding }))
}

/** Whether each stored chunk holds whole texts, one after the other, and so does each array that this one is composed of. */
function canBeJoined(array: VirtualArray): boolean {
  const { shape, fillValue } = array
  const length = shape.at(-1) ?? 0
  if (length > MOST_FILL && textOf(fillValue).value !== '') return false
  if (array.operation === undefined) return joinedLength(array) !== undefined
  const placed = placedArrays(array.operation)
  return (
    placed?.every(
      (part) => part.array.shape.at(-1) === length && part.origin.at(-1) === 0 && canBeJoined(part.array),
    ) === true
  )
}

/**
 * Bytes of a stored text; undefined where a chunk is shorter than the last dimension, where codecs count dimensions, and where a
 * longer chunk is filled up with something that is no padding.
 */
function joinedLength({ shape, chunkShape, edges, encodings, fillValue }: StoredArray): number | undefined {
  const length = shape.at(-1) ?? 0
  const chunkLength = chunkShape.at(-1) ?? 1
  if (length === 0) return 0
  if (chunkLength < length || !encodings.every((encoding) => encoding[0]?.name === 'bytes')) return undefined
  if (chunkLength === length || edges === 'cropped') return length
  return textOf(fillValue).value === '' ? chunkLength : undefined
}

function joinedText(array: VirtualArray): VirtualArray {
  const shape = array.shape.slice(0, -1)
  const chunkShape = array.chunkShape.slice(0, -1)
  const character = textOf(array.fillValue).value
  const spec: ArraySpec = {
    ...array,
    shape,
    chunkShape,
    dataType: { kind: 'string' },
    fillValue: { kind: 'string', value: character === '' ? '' : character.repeat(array.shape.at(-1) ?? 0) },
    // As readers of NetCDF have it: a text is missing that is nothing but this one character.
    sentinels: textSentinels(array.sentinels),
    attributes: withoutEncoding(array.attributes),
    dimensionNames: array.dimensionNames?.slice(0, shape.length),
  }
  // Of no width, nothing is stored and every text is empty.
  if (array.shape.at(-1) === 0)
    return storedArray(spec, { encodings: NOTHING_STORED, edges: 'padded', chunks: missingIndex(shape, chunkShape) })
  if (array.operation !== undefined) return composedArray(spec, withArrays(array.operation, JOINED))
  const { encodings, edges, chunks } = array
  const type: FixedText = { kind: 'fixed-text', encoding: 'bytes', length: joinedLength(array) ?? 0 }
  return storedArray(spec, {
    encodings: encodings.map((encoding) => withTextCodec(encoding, type)),
    edges,
    chunks: {
      gridShape: gridShapeOf(shape, chunkShape),
      of: chunks,
      // The joined dimension is one chunk wide.
      at: (coords, signal) => chunks.at([...coords, 0], signal),
      isComplete: (signal) => chunks.isComplete?.(signal) ?? false,
      weight: () => chunks.weight(),
    },
  })
}

const JOINED: ArrayChange = {
  array: joinedText,
  // How the parts of a composed array are stored is no matter of its own.
  encoding: (encoding) => encoding,
  axes: {
    outward: ({ origin, shape }) => ({ origin: origin.slice(0, -1), shape: shape.slice(0, -1) }),
    inward: ({ origin, shape }) => ({ origin: [...origin, 0], shape: [...shape, 1] }),
  },
}

const NOTHING_STORED: readonly Encoding[] = [[{ name: 'vlen-utf8', configuration: {} }]]

function withTextCodec(encoding: Encoding, type: FixedText): Encoding {
  const { kind, ...text } = type
  return [fixedText.stored(text), ...encoding]
}

/** Bytes as text as the codec reads them: UTF-8, else Latin-1. */
function textOf(scalar: Scalar): Extract<Scalar, { kind: 'string' }> {
  if (scalar.kind === 'string') return scalar
  if (scalar.kind !== 'bytes') return { kind: 'string', value: '' }
  return { kind: 'string', value: anyText(scalar.value) }
}

/** The fill value is padded as the text is. */
function unpadded(
  text: Extract<Scalar, { kind: 'string' }>,
  { padding }: FixedText,
): Extract<Scalar, { kind: 'string' }> {
  if (padding === 'terminated') return { kind: 'string', value: text.value.replace(/\0.*$/s, '') }
  return padding === 'space' ? { kind: 'string', value: text.value.replace(/[\0 ]+$/, '') } : text
}

function textSentinels({ fillValue, missingValue, declared }: Sentinels): Sentinels {
  return {
    fillValue: fillValue === undefined ? undefined : textOf(fillValue),
    missingValue: missingValue === undefined ? undefined : textOf(missingValue),
    declared: declared === undefined ? undefined : textOf(declared),
  }
}

/** Readers would decode the text a second time by `_Encoding`, and fail. */
function withoutEncoding(attributes: Attributes): Attributes {
  return new Map([...attributes].filter(([name]) => name !== '_Encoding'))
}

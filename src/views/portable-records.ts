import { recordField } from '../codecs/own/field.ts'
import { overLimit } from '../errors.ts'
import { scalarFromBytes } from '../fill-value/from-bytes.ts'
import { isSameScalar } from '../fill-value/numbers.ts'
import { type ChunkIndex, gridShapeOf } from '../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../model/chunk-ref.ts'
import { type ArrayChange, composedArray, storedArray, withArrays } from '../model/composed-array.ts'
import { type DataType, itemSize, type Scalar, type StructField, zeroOf } from '../model/data-type.ts'
import { type Encoding, rawEncoding, type StoredCodec } from '../model/encoding.ts'
import { elementCount } from '../model/shape.ts'
import type {
  ArraySpec,
  Sentinels,
  SkippedArray,
  StoredArray,
  VirtualArray,
  VirtualGroup,
} from '../model/virtual-store.ts'
import { joinedPath, withClientNames } from './names.ts'
import { type PortableContext, skipped } from './portable-context.ts'

type Structured = Extract<DataType, { readonly kind: 'structured' }>

/** An array of records as a group with one array a field; the array's attributes are the group's. */
export function asRecordGroup(
  array: VirtualArray,
  type: Structured,
  context: PortableContext,
): VirtualGroup | SkippedArray {
  if (itemSize(type) === undefined) return skipped('records with fields of varying length')
  const fields = type.fields.map(withJoinedCharacters)
  const record: Structured = { kind: 'structured', fields }
  const fill = array.fillValue.kind === 'bytes' ? array.fillValue.value : new Uint8Array(itemSize(type) ?? 0)
  const members = new Map<string, VirtualArray | SkippedArray>()
  let offset = 0
  fields.forEach((field, index) => {
    const length = lengthOf(field)
    const range = { offset, length }
    const fillBytes = fill.subarray(offset, offset + length)
    const place: FieldPlace = {
      field,
      ...fillOf(fillBytes, field),
      sentinels: {
        fillValue: sentinelOf(array.sentinels.fillValue, field, range, context),
        missingValue: sentinelOf(array.sentinels.missingValue, field, range, context),
      },
      codec: recordField.stored({ type: record, field: index }),
      fieldCount: fields.length,
    }
    const isGap = array.operation !== undefined && place.unevenFill !== undefined
    members.set(
      field.name,
      isGap ? skipped('an array field with several fill values, of parts') : fieldArray(array, place),
    )
    offset += length
  })
  for (const [name, text] of array.textFields ?? []) {
    const isOwn = text.shape.join() === array.shape.join()
    if (members.has(name)) continue
    members.set(
      name,
      isOwn ? { ...text, dimensionNames: array.dimensionNames } : skipped('texts of records that were changed'),
    )
  }
  const group: VirtualGroup = { kind: 'group', attributes: array.attributes, members }
  const warn: PortableContext['warn'] = (diagnostic) =>
    context.warn({ ...diagnostic, path: joinedPath(context.path, diagnostic.path ?? '') })
  const named = withClientNames(group, warn)
  return named.kind === 'group' ? named : group
}

interface FieldPlace {
  readonly field: StructField
  readonly fillValue: Scalar
  /** The fill bytes of an array field whose elements differ in it: no fill value can say that. */
  readonly unevenFill: Uint8Array | undefined
  /** What marks missing points of the field: its part of the record that does so for the array. */
  readonly sentinels: Sentinels
  readonly codec: StoredCodec
  readonly fieldCount: number
}

function fieldArray(array: VirtualArray, place: FieldPlace): VirtualArray {
  const { field, fillValue, unevenFill, sentinels, codec } = place
  const inner = field.shape ?? []
  const withCodec = (encoding: Encoding): Encoding => [codec, ...encoding]
  const shape = [...array.shape, ...inner]
  const chunkShape = [...array.chunkShape, ...inner.map((length) => Math.max(length, 1))]
  const spec: ArraySpec = {
    ...array,
    shape,
    chunkShape,
    dataType: field.type,
    fillValue,
    sentinels,
    attributes: new Map(),
    dimensionNames: [...array.shape.map((_, axis) => array.dimensionNames?.[axis] ?? null), ...inner.map(() => null)],
    textFields: undefined,
  }
  if (array.operation !== undefined) {
    const rank = array.shape.length
    const axes: ArrayChange['axes'] = {
      outward: (box) => ({ origin: [...box.origin, ...inner.map(() => 0)], shape: [...box.shape, ...inner] }),
      inward: (box) => ({ origin: box.origin.slice(0, rank), shape: box.shape.slice(0, rank) }),
    }
    const change = { array: (part: VirtualArray) => fieldArray(part, place), encoding: withCodec, axes }
    return composedArray(spec, withArrays(array.operation, change))
  }
  const encodings = array.encodings.map(withCodec)
  return storedArray(spec, {
    encodings: unevenFill === undefined ? encodings : [...encodings, rawEncoding('little')],
    edges: array.edges,
    chunks: fieldChunks(array, gridShapeOf(shape, chunkShape), place),
  })
}

/** All fields of a record lie in the same chunks. */
function fieldChunks(array: StoredArray, gridShape: readonly number[], place: FieldPlace): ChunkIndex {
  const { chunks } = array
  const { unevenFill, fieldCount } = place
  const isEmpty = gridShape.includes(0)
  const isFilled = unevenFill !== undefined
  const at: ChunkIndex['at'] = (coords, signal) => {
    const own = coords.slice(0, array.shape.length)
    if (isEmpty) return MISSING
    const ref = chunks.at(own, signal)
    if (unevenFill === undefined) return ref
    const filled = (found: ChunkRef) => (found.kind === 'missing' ? filledChunk(array, own, unevenFill) : found)
    return ref instanceof Promise ? ref.then(filled) : filled(ref)
  }
  return {
    gridShape,
    of: chunks,
    at,
    isComplete: (signal) => isFilled || (chunks.isComplete?.(signal) ?? false),
    // The fields share one index: each counts for its part of it.
    weight: () => Math.ceil(chunks.weight() / fieldCount),
  }
}

/** Most bytes of a chunk that is made of fill values. */
const MOST_FILLED_BYTES = 2 ** 26

/** A chunk that was never written, in full, where a reader could not know what to fill it with. */
function filledChunk(array: StoredArray, coords: readonly number[], fill: Uint8Array): ChunkRef {
  const lengths = array.chunkShape.map((length, axis) => {
    const left = (array.shape[axis] ?? 0) - (coords[axis] ?? 0) * length
    return array.edges === 'cropped' ? Math.min(length, left) : length
  })
  const size = elementCount(lengths) * fill.length
  if (size > MOST_FILLED_BYTES)
    throw overLimit(`a chunk of ${size} bytes that was never written, with several fill values`)
  return { kind: 'inline', bytes: new Uint8Array(Buffer.alloc(size, fill)), encoding: array.encodings.length }
}

/** A field of characters is text of their number: the bytes are the same. */
function withJoinedCharacters(field: StructField): StructField {
  const { type, shape } = field
  const last = shape?.at(-1)
  if (type.kind !== 'fixed-text' || type.encoding !== 'bytes' || type.length !== 1) return field
  if (shape === undefined || last === undefined || last === 0) return field
  const outer = shape.slice(0, -1)
  const joined: DataType = { kind: 'fixed-text', encoding: 'bytes', length: last }
  return { name: field.name, type: joined, ...(outer.length === 0 ? {} : { shape: outer }) }
}

/** A Zarr array has one fill value; where those of an array field's elements differ, chunks never written are made in full. */
function fillOf(bytes: Uint8Array, field: StructField): Pick<FieldPlace, 'fillValue' | 'unevenFill'> {
  const size = itemSize(field.type) ?? 0
  const fillValue = scalarFromBytes(bytes.subarray(0, size), field.type, 'little') ?? zeroOf(field.type)
  for (let at = size; size > 0 && at + size <= bytes.length; at += size) {
    const next = scalarFromBytes(bytes.subarray(at, at + size), field.type, 'little')
    if (next === undefined || !isSameScalar(fillValue, next)) return { fillValue, unevenFill: bytes }
  }
  return { fillValue, unevenFill: undefined }
}

/** A field's part of a record that marks missing points. One that is a record itself has it from there. */
function sentinelOf(
  record: Scalar | undefined,
  field: StructField,
  { offset, length }: { readonly offset: number; readonly length: number },
  { path, warn }: PortableContext,
): Scalar | undefined {
  if (record?.kind !== 'bytes') return undefined
  const bytes = record.value.subarray(offset, offset + length)
  if (bytes.length !== length) return undefined
  const { fillValue, unevenFill } = fillOf(bytes, field)
  if (unevenFill === undefined) return length === 0 ? undefined : fillValue
  const message = `the sentinel of the array field ${field.name} has several values: it is dropped`
  warn({ code: 'sentinel-dropped', message, path })
  return undefined
}

function lengthOf({ type, shape }: StructField): number {
  return (itemSize(type) ?? 0) * elementCount(shape ?? [])
}

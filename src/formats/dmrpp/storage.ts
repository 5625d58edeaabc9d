import { type ErrorContext, malformed, overLimit, unsupported } from '../../errors.ts'
import { fromBase64 } from '../../fill-value/base64.ts'
import { gridShapeOf } from '../../model/chunk-index.ts'
import { inlineIndex, missingIndex } from '../../model/plain-indexes.ts'
import { valuesChunkShape } from '../../model/run-chunks.ts'
import { elementCount } from '../../model/shape.ts'
import type { StoredArray } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { piecesIndex, tableIndex, unknownIndex } from './chunk-index.ts'
import { lengthOf, type StoredChunks, type StoredPlace } from './chunk-table.ts'
import type { DmrInline, DmrVariable } from './document.ts'
import { type ElementPlan, isSized, planElement } from './element-plan.ts'
import { planEncodings } from './encodings.ts'
import type { InlineBudget } from './inline-budget.ts'
import { inflatedBytes } from './text-values.ts'

/** What making arrays needs of the document they are in. */
export interface DocumentWorld {
  readonly url: string
  /** Of the writer. */
  readonly version: string | undefined
  readonly context: ParseContext
  /** The source of a file's number; throws where the sidecar names none. */
  sourceOf(file: number): number
  /** Counts bytes of values that are held in memory. */
  readonly spend: InlineBudget
}

/** Where the values of a variable are, and how its elements are stored there. */
export interface PlacedVariable extends Pick<StoredArray, 'shape' | 'chunkShape' | 'encodings' | 'edges' | 'chunks'> {
  readonly plan: ElementPlan
  /** Whether any chunk may be missing, so that the fill value shows. */
  readonly showsFill: boolean
}

const MOST_ELEMENTS = Number.MAX_SAFE_INTEGER / 1024

/** Places a variable; throws for what makes no sense or can't be served. */
export function placeVariable(variable: DmrVariable, world: DocumentWorld, place: ErrorContext): PlacedVariable {
  const { storage } = variable
  if (storage.problem !== undefined) throw malformed(storage.problem, place)
  const shape = variable.dimensions.map(({ length }) => length)
  const count = elementCount(shape)
  if (count > MOST_ELEMENTS) throw overLimit(`an array of shape [${shape}] has too many elements`)
  const { inline, collected } = storage
  const chunkShape = storage.chunkShape ?? wholeShape(shape)
  const stored = collected?.chunks(gridShapeOf(shape, chunkShape))
  if (inline?.kind === 'compact' || inline?.kind === 'missingdata') {
    return placeInline(variable, inline, shape, world)
  }
  if (stored === undefined || count === 0) return placeNothing(variable, shape, place)
  return storage.chunkShape === undefined && isUnfiltered(variable)
    ? placePieces(variable, stored.partsAt(0), shape, world, place)
    : placeChunks(variable, { stored, shape, chunkShape }, world, place)
}

/** Little-endian is what Hyrax takes where nothing is said, its own documentation notwithstanding. */
function endianOf({ storage }: DmrVariable): 'little' | 'big' {
  const order = storage.chunks?.get('byteOrder') ?? storage.chunkByteOrder
  if (order !== undefined && order !== 'LE' && order !== 'BE')
    throw malformed(`byteOrder is ${order}, expected LE or BE`)
  return order === 'BE' ? 'big' : 'little'
}

function wholeShape(shape: readonly number[]): number[] {
  return shape.map((length) => Math.max(length, 1))
}

/** No chunk was written: all values are the fill value. That takes a word of the document; silence means nothing. */
function placeNothing(variable: DmrVariable, shape: readonly number[], place: ErrorContext): PlacedVariable {
  const { storage } = variable
  const plan = planElement(variable, {
    endian: endianOf(variable),
    width: storage.fixedText?.length,
    isStored: storage.fixedText !== undefined,
  })
  const chunkShape = storage.chunkShape ?? wholeShape(shape)
  const isKnown = storage.chunks !== undefined || shape.includes(0)
  const chunks = isKnown ? missingIndex(shape, chunkShape) : unknownIndex(shape, chunkShape, place)
  return { plan, shape, chunkShape, encodings: [plan.codecs], edges: 'padded', chunks, showsFill: isKnown }
}

function placeInline(
  variable: DmrVariable,
  inline: Extract<DmrInline, { readonly text: string }>,
  shape: readonly number[],
  { spend }: DocumentWorld,
): PlacedVariable {
  const count = elementCount(shape)
  const packed = fromBase64(inline.text.replace(/\s+/g, ''))
  if (packed === undefined) throw malformed(`${inline.kind} is not base64`)
  const isPacked = inline.kind === 'missingdata'
  const plan = planElement(variable, {
    // Made by the writer of the sidecar, in the order of its machine.
    endian: isPacked ? 'little' : endianOf(variable),
    width: widthOf(variable, isPacked ? undefined : packed.length, count),
    isStored: true,
  })
  const { size } = plan
  const needed = (size ?? 0) * count
  if (size === undefined) throw unsupported(`DAP4 ${variable.type}`, 'elements of unknown size')
  spend(needed)
  const bytes = isPacked ? inflatedBytes(packed, needed) : packed
  if (bytes === undefined || bytes.length !== needed) {
    throw malformed(`${inline.kind} holds ${bytes?.length ?? 'another number of'} bytes, expected ${needed}`)
  }
  const chunkShape = wholeShape(shape)
  const chunks = inlineIndex(shape, chunkShape, bytes)
  return { plan, shape, chunkShape, encodings: [plan.codecs], edges: 'padded', chunks, showsFill: false }
}

/** Bytes of an element whose type doesn't say, by what all take. */
function widthOf({ type, storage }: DmrVariable, bytes: number | undefined, elements: number): number | undefined {
  if (!isSized(type)) return undefined
  if (storage.fixedText !== undefined) return storage.fixedText.length
  if (bytes === undefined || elements === 0) return undefined
  if (bytes % elements !== 0)
    throw unsupported(`DAP4 ${type}`, `${elements} elements of unknown size in ${bytes} bytes`)
  return bytes / elements
}

function isUnfiltered({ storage }: DmrVariable): boolean {
  return (storage.chunks?.get('compressionType') ?? '').trim() === ''
}

/** All values together, with no filter at work: cut into runs of bytes. */
function placePieces(
  variable: DmrVariable,
  parts: readonly StoredPlace[],
  shape: readonly number[],
  world: DocumentWorld,
  place: ErrorContext,
): PlacedVariable {
  const count = elementCount(shape)
  const stored = lengthOf(parts)
  const width = widthOf(variable, stored, count)
  const plan = planElement(variable, { endian: endianOf(variable), width, isStored: true })
  const itemSize = plan.size
  if (itemSize === undefined || stored !== itemSize * count) {
    throw malformed(
      `${stored} bytes of values where ${variable.type} of shape [${shape}] needs ${(itemSize ?? 0) * count}`,
    )
  }
  const chunkShape = valuesChunkShape(shape, plan.dataType, itemSize)
  const chunks = piecesIndex({ parts, shape, chunkShape, itemSize, sourceOf: world.sourceOf, place })
  return { plan, shape, chunkShape, encodings: [plan.codecs], edges: 'cropped', chunks, showsFill: false }
}

interface Grid {
  readonly stored: StoredChunks
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
}

function placeChunks(variable: DmrVariable, grid: Grid, world: DocumentWorld, place: ErrorContext): PlacedVariable {
  const { stored, shape, chunkShape } = grid
  const elements = elementCount(chunkShape)
  const first = isUnfiltered(variable) ? stored.firstLength : undefined
  const width = widthOf(variable, first, elements)
  const plan = planElement(variable, { endian: endianOf(variable), width, isStored: true })
  if (plan.size === undefined) throw unsupported(`DAP4 ${variable.type}`, 'elements of unknown size')
  const planned = planEncodings({
    chunks: variable.storage.chunks,
    version: world.version,
    codecs: plan.codecs,
    size: plan.size,
    hasMasks: stored.hasMasks,
  })
  const chunkBytes = elements * plan.size
  if (!Number.isSafeInteger(chunkBytes)) throw overLimit(`chunks of ${chunkBytes} bytes`)
  const { codecs } = plan
  const chunks = tableIndex({ stored, shape, chunkShape, planned, codecs, chunkBytes, sourceOf: world.sourceOf, place })
  return {
    plan,
    shape,
    chunkShape,
    encodings: planned.encodings,
    edges: 'padded',
    chunks,
    showsFill: chunks.isComplete?.() !== true,
  }
}

import type { ChunkLayout, Elements } from '../../codecs/codec.ts'
import { type Canvas, copyBox, filledElements, fixedBytes } from '../../codecs/elements.ts'
import { chunkMemory } from '../../codecs/kernels/chunk-memory.ts'
import { isBroken } from '../../codecs/kernels/wasm-decoder.ts'
import { decode, encode, peel } from '../../codecs/pipeline.ts'
import { malformed, VirtualZarrError } from '../../errors.ts'
import { itemSize, type Scalar, zeroOf } from '../../model/data-type.ts'
import type { AssembleTask, MaskTask, PeelTask, ReadAgain, RecodeTask, ReduceTask, StoredPiece } from '../delivery.ts'
import { MOST_DECODED_BYTES } from '../limits.ts'
import { ofFile } from '../part-world.ts'
import { maskedElements } from './mask.ts'
import { type CopyPiece, painted } from './paint.ts'
import { reducedBytes, reducedShape } from './reduce.ts'

/** Makes wire bytes; the same stored bytes always give the same wire bytes. */
export async function recode(task: RecodeTask, read?: ReadAgain): Promise<Uint8Array> {
  try {
    if (task.kind === 'peel') return peeled(task)
    if (task.kind === 'reduce') return await reduce(task)
    return task.kind === 'mask' ? await mask(task) : await assemble(task, read)
  } catch (cause) {
    // What breaks a decoder ends its thread: what is refused then is the chunk, by whoever waits for the thread.
    if (cause instanceof VirtualZarrError || isBroken(cause)) throw cause
    // Hostile bytes may lead a decoder anywhere; they never are the server's failure.
    throw malformed(`a chunk can't be decoded: ${cause instanceof Error ? cause.message : String(cause)}`, {}, cause)
  }
}

function peeled({ stored, coding, kept, length }: PeelTask): Uint8Array {
  const bytes = peel(coding.pipeline(), stored, kept, length ?? MOST_DECODED_BYTES)
  if (length === undefined || bytes.length === length) return bytes
  throw malformed(`a chunk decodes to ${bytes.length} bytes, expected ${length}`)
}

async function assemble({ pieces, painting, target }: AssembleTask, read: ReadAgain | undefined): Promise<Uint8Array> {
  const { layout, fillValue } = target
  const elements =
    painting === undefined
      ? await assembledElements(pieces, layout, fillValue, read)
      : await painted(painting, layout, fillValue, copier(pieces))
  return encode(target.pipeline(), elements)
}

async function mask({ pieces, painting, values, mask, target }: MaskTask): Promise<Uint8Array> {
  const { layout, fillValue } = target
  const own: ChunkLayout = { shape: layout.shape, dataType: values.dataType }
  const none = zeroOf(mask.dataType)
  const numbers =
    painting === undefined
      ? await assembledElements(pieces.slice(0, values.count), own, values.fillValue)
      : await painted(painting.values, own, values.fillValue, copier(pieces))
  const over =
    painting === undefined
      ? await assembledElements(pieces.slice(values.count), mask, none)
      : await painted(painting.mask, mask, none, copier(pieces))
  return encode(target.pipeline(), maskedElements(numbers, own, over, { ...layout, fillValue }))
}

async function reduce({ pieces, painting, values, factors, reduction, target }: ReduceTask): Promise<Uint8Array> {
  const { layout, fillValue } = values
  const elements =
    painting === undefined
      ? await assembledElements(pieces, layout, fillValue)
      : await painted(painting, layout, fillValue, copier(pieces))
  const { shape, dataType } = layout
  const bytes = reducedBytes({ bytes: fixedBytes(elements, 'overview'), shape, dataType, factors }, reduction)
  const extent = reducedShape(shape, factors)
  const chunk = target.layout.shape
  if (chunk.every((length, axis) => length === extent[axis])) return encode(target.pipeline(), { kind: 'fixed', bytes })
  const canvas = filledElements(target.layout, target.fillValue)
  const origin = extent.map(() => 0)
  copyBox(
    { kind: 'fixed', bytes },
    extent,
    canvas,
    chunk,
    { from: origin, to: origin, extent },
    itemSize(dataType) ?? 1,
  )
  return encode(target.pipeline(), canvas)
}

/** Stored chunks by their places. */
function copier(pieces: readonly StoredPiece[]): CopyPiece {
  return async (place, canvas, layout) => {
    const piece = pieces[place]
    if (piece === undefined) throw new TypeError(`a chunk is painted of piece ${place} of ${pieces.length}`)
    await copyPiece(piece, canvas, layout)
  }
}

/** The elements of a box, from the stored chunks that reach into it. */
async function assembledElements(
  pieces: readonly StoredPiece[],
  layout: ChunkLayout,
  fillValue: Scalar,
  read?: ReadAgain,
): Promise<Elements> {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1 && isWhole(only, layout)) return await decoded(only, read)
  const canvas: Canvas = filledElements(layout, fillValue)
  for (const piece of pieces) await copyPiece(piece, canvas, layout, read)
  return canvas
}

async function copyPiece(
  piece: StoredPiece,
  canvas: Canvas,
  { shape, dataType }: ChunkLayout,
  read?: ReadAgain,
): Promise<void> {
  const copy = async () => {
    const elements = await decoded(piece, read)
    copyBox(elements, piece.storedShape, canvas, shape, piece, itemSize(dataType) ?? 1)
  }
  // Bytes of varying length stay where they were decoded.
  await (canvas.kind === 'fixed' ? chunkMemory.during(copy) : copy())
}

async function decoded(piece: StoredPiece, read: ReadAgain | undefined): Promise<Elements> {
  const { stored, coding, storedShape, inside, file } = piece
  const { fillValue } = coding
  try {
    return await decode(coding.pipeline(storedShape), stored, { limit: MOST_DECODED_BYTES, fillValue, inside, read })
  } catch (error) {
    throw ofFile(error, file)
  }
}

function isWhole(piece: StoredPiece, { shape }: ChunkLayout): boolean {
  return shape.every((length, axis) => piece.storedShape[axis] === length && piece.extent[axis] === length)
}

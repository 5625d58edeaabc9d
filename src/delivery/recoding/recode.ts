import type { ByteRange } from '../../bytes/byte-range.ts'
import type { ChunkLayout, Elements } from '../../codecs/codec.ts'
import { decodeBytes, decodeChunk, encodeElements } from '../../codecs/decode.ts'
import { type Canvas, copyBox, filledElements } from '../../codecs/elements.ts'
import { isBroken } from '../../codecs/kernels/wasm-decoder.ts'
import { malformed, VirtualZarrError } from '../../errors.ts'
import { itemSize, zeroOf } from '../../model/data-type.ts'
import type { AssembleTask, MaskTask, PeelTask, RecodeTask, StoredPiece } from '../delivery.ts'
import { MOST_DECODED_BYTES } from '../limits.ts'
import { maskedElements } from './mask.ts'

/** Reads the source again, for codecs whose bytes only point at the content. */
export type ReadAgain = (range: ByteRange) => Promise<Uint8Array>

/** Makes wire bytes; the same stored bytes always give the same wire bytes. */
export async function recode(task: RecodeTask, read?: ReadAgain): Promise<Uint8Array> {
  try {
    if (task.kind === 'peel') return peel(task)
    return task.kind === 'mask' ? await mask(task) : await assemble(task, read)
  } catch (cause) {
    // What breaks a decoder ends its thread: what is refused then is the chunk, by whoever waits for the thread.
    if (cause instanceof VirtualZarrError || isBroken(cause)) throw cause
    // Hostile bytes may lead a decoder anywhere; they never are the server's failure.
    throw malformed(`a chunk can't be decoded: ${cause instanceof Error ? cause.message : String(cause)}`, {}, cause)
  }
}

function peel({ stored, codecs, length }: PeelTask): Uint8Array {
  const bytes = decodeBytes(stored, codecs, length ?? MOST_DECODED_BYTES)
  if (length === undefined || bytes.length === length) return bytes
  throw malformed(`a chunk decodes to ${bytes.length} bytes, expected ${length}`)
}

async function assemble(task: AssembleTask, read: ReadAgain | undefined): Promise<Uint8Array> {
  const layout: ChunkLayout = { shape: task.chunkShape, dataType: task.dataType }
  return encodeElements(await assembledElements(task, layout, read), task.target, layout)
}

async function mask({ pieces, values, mask, chunkShape: shape, dataType, fillValue, target }: MaskTask) {
  const own: ChunkLayout = { shape, dataType: values.dataType }
  const result: ChunkLayout = { shape, dataType }
  const numbers = await assembledElements({ pieces: pieces.slice(0, values.count), fillValue: values.fillValue }, own)
  const over = await assembledElements({ pieces: pieces.slice(values.count), fillValue: zeroOf(mask.dataType) }, mask)
  return encodeElements(maskedElements(numbers, own, over, { ...result, fillValue }), target, result)
}

/** The elements of a box, from the stored chunks that reach into it. */
export async function assembledElements(
  { pieces, fillValue }: Pick<AssembleTask, 'pieces' | 'fillValue'>,
  layout: ChunkLayout,
  read?: ReadAgain,
): Promise<Elements> {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1 && isWhole(only, layout)) return await decoded(only, layout, read)
  const canvas: Canvas = filledElements(layout, fillValue)
  for (const piece of pieces) {
    const elements = await decoded(piece, layout, read)
    copyBox(elements, piece.storedShape, canvas, layout.shape, piece, itemSize(layout.dataType) ?? 1)
  }
  return canvas
}

async function decoded(piece: StoredPiece, layout: ChunkLayout, read: ReadAgain | undefined): Promise<Elements> {
  const stored: ChunkLayout = { shape: piece.storedShape, dataType: layout.dataType }
  const { fillValue, inside } = piece
  return await decodeChunk(piece.stored, piece.encoding, stored, { limit: MOST_DECODED_BYTES, fillValue, inside, read })
}

function isWhole(piece: StoredPiece, { shape }: ChunkLayout): boolean {
  return shape.every((length, axis) => piece.storedShape[axis] === length && piece.extent[axis] === length)
}

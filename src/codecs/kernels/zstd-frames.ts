// RFC 8878, section 3.1: frames and the blocks they are made of, as far as their lengths go.

const MAGIC = 0xfd2fb528
/** Sixteen numbers mean a frame to skip. */
const SKIPPABLE = 0x184d2a50
const DICTIONARY_BYTES = [0, 1, 2, 4]
const CONTENT_SIZE_BYTES = [0, 2, 4, 8]
const RUN = 1
const COMPRESSED = 2
/** What a block holds at the most, section 3.1.1.2.4. */
const MOST_BLOCK = 2 ** 17

/** Without what follows the last frame; as it is where the first one is none, or is cut off. */
export function withoutTrailing(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = 0
  for (;;) {
    const next = frameEnd(view, end)
    if (next === undefined || next > bytes.length) return end === 0 ? bytes : bytes.subarray(0, end)
    end = next
  }
}

/** The frames that have content, one after the other: a cut one as it is, and nothing of what is no frame behind them. */
export function framesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const frames: Uint8Array[] = []
  for (let at = 0; at + 4 <= bytes.length; ) {
    const magic = view.getUint32(at, true)
    const end = Math.min(frameEnd(view, at) ?? (magic === MAGIC ? bytes.length : at), bytes.length)
    if (magic === MAGIC) frames.push(bytes.subarray(at, end))
    if (end === at) break
    at = end
  }
  return frames
}

/** The most bytes that these frames inflate to, as their blocks say: what is cut off says less, and does not inflate at all. */
export function mostZstdContent(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let most = 0
  const count = (blockBytes: number) => {
    most += blockBytes
  }
  for (let end: number | undefined = 0; end !== undefined && end < bytes.length; ) end = frameEnd(view, end, count)
  return most
}

/** Where the frame at a position ends; undefined where there is none. `tell` is called with the most that each block inflates to. */
function frameEnd(view: DataView, at: number, tell?: (most: number) => void): number | undefined {
  if (at + 8 > view.byteLength) return undefined
  const magic = view.getUint32(at, true)
  if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) return at + 8 + view.getUint32(at + 4, true)
  if (magic !== MAGIC) return undefined
  const descriptor = view.getUint8(at + 4)
  const isSingle = (descriptor & 0x20) !== 0
  const sizeBytes = CONTENT_SIZE_BYTES[descriptor >> 6] ?? 0
  const contentSize = isSingle && sizeBytes === 0 ? 1 : sizeBytes
  let block = at + 5 + (isSingle ? 0 : 1) + (DICTIONARY_BYTES[descriptor & 3] ?? 0) + contentSize
  for (let isLast = false; !isLast; ) {
    if (block + 3 > view.byteLength) return undefined
    const header = view.getUint16(block, true) | (view.getUint8(block + 2) << 16)
    isLast = (header & 1) === 1
    const type = (header >> 1) & 3
    const length = header >> 3
    tell?.(type === COMPRESSED ? MOST_BLOCK : length)
    block += 3 + (type === RUN ? 1 : length)
  }
  return block + ((descriptor & 4) === 0 ? 0 : 4)
}

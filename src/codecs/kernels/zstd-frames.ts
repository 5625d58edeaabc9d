// RFC 8878, section 3.1: frames and the blocks they are made of, as far as their lengths go.

const MAGIC = 0xfd2fb528
/** Sixteen numbers mean a frame to skip. */
const SKIPPABLE = 0x184d2a50
const DICTIONARY_BYTES = [0, 1, 2, 4]
const CONTENT_SIZE_BYTES = [0, 2, 4, 8]
const RUN = 1

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

/** Where the frame at a position ends; undefined where there is none. */
function frameEnd(view: DataView, at: number): number | undefined {
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
    block += 3 + (((header >> 1) & 3) === RUN ? 1 : header >> 3)
  }
  return block + ((descriptor & 4) === 0 ? 0 : 4)
}

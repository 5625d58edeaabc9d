// RFC 8878: frames are read by fzstd, and written as blocks that are stored as they are.

import { Decompress } from 'fzstd'

const MAGIC = 0xfd2fb528
/** A single segment whose content size takes four bytes. */
const DESCRIPTOR = 0b1010_0000
const HEADER_BYTES = 9
const MOST_BLOCK = 131_072

/** The content of frames, at most so many bytes. */
export function unzstd(bytes: Uint8Array, most: number): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  const frames = new Decompress((part) => {
    length += part.length
    if (length > most) throw new RangeError(`the content is longer than ${most} bytes`)
    parts.push(part.slice())
  })
  frames.push(bytes, true)
  const content = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    content.set(part, at)
    at += part.length
  }
  return content
}

/** A frame that states its content size, of blocks that are stored. */
export function zstdStored(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MOST_BLOCK))
  const frame = new Uint8Array(HEADER_BYTES + 3 * blocks + bytes.length)
  const view = new DataView(frame.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint8(4, DESCRIPTOR)
  view.setUint32(5, bytes.length, true)
  let at = HEADER_BYTES
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * MOST_BLOCK, (block + 1) * MOST_BLOCK)
    const header = (part.length << 3) | (block === blocks - 1 ? 1 : 0)
    view.setUint16(at, header & 0xffff, true)
    view.setUint8(at + 2, header >> 16)
    frame.set(part, at + 3)
    at += 3 + part.length
  }
  return frame
}

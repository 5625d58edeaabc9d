import { malformed } from '../../errors.ts'

/** The content of a block after its decoded length (32 bits, little-endian), at most `limit` bytes. */
export function decodeLz4(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length < 4) throw malformed(`${bytes.length} bytes hold no LZ4 header of 4 bytes`)
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  if (length > limit) throw malformed(`an LZ4 block says ${length} bytes, at most ${limit} are expected`)
  const result = new Uint8Array(length)
  const written = decodeLz4Block(bytes.subarray(4), result)
  if (written !== length) throw malformed(`an LZ4 block holds ${written} bytes, its header says ${length}`)
  return result
}

/** Decodes one block (LZ4 block format) and says how many bytes it gave; more than the target holds is malformed. */
export function decodeLz4Block(source: Uint8Array, target: Uint8Array): number {
  const sourceView = new DataView(source.buffer, source.byteOffset, source.byteLength)
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength)
  // Up to here, as many bytes as are copied at once can be read and written.
  const [wideSource, wideTarget] = [source.length - WIDE, target.length - WIDE]
  let from = 0
  let to = 0
  while (from < source.length) {
    const token = source[from++] ?? 0
    let literals = token >> 4
    if (literals === 15) {
      let more = 255
      while (more === 255 && from < source.length) {
        more = source[from++] ?? 0
        literals += more
      }
    }
    if (literals > source.length - from || literals > target.length - to) throw damaged(from)
    if (literals <= WIDE && from <= wideSource && to <= wideTarget) copyWide(sourceView, from, view, to)
    else copyForward(source, from, target, to, literals)
    from += literals
    to += literals
    if (from >= source.length) return to
    const distance = (source[from] ?? 0) | ((source[from + 1] ?? 0) << 8)
    from += 2
    let length = (token & 15) + 4
    if (length === 19) {
      let more = 255
      while (more === 255 && from < source.length) {
        more = source[from++] ?? 0
        length += more
      }
    }
    if (distance === 0 || distance > to || length > target.length - to || from > source.length) throw damaged(from)
    if (distance >= WIDE && length <= 2 * WIDE && to < wideTarget - WIDE) {
      copyWide(view, to - distance, view, to)
      if (length > WIDE) copyWide(view, to + WIDE - distance, view, to + WIDE)
      to += length
    } else to = repeatBack(target, to, distance, length)
  }
  return to
}

/** Bytes that are copied at once: most copies are shorter, and what is too much is written over. */
const WIDE = 16

function copyWide(source: DataView, from: number, target: DataView, to: number): void {
  target.setBigUint64(to, source.getBigUint64(from, true), true)
  target.setBigUint64(to + 8, source.getBigUint64(from + 8, true), true)
}

function copyForward(source: Uint8Array, from: number, target: Uint8Array, to: number, length: number): void {
  if (length > 64) target.set(source.subarray(from, from + length), to)
  else for (let i = 0; i < length; i++) target[to + i] = source[from + i] ?? 0
}

/** Appends `length` bytes that begin `distance` back and may overlap what is being written; returns the new end. */
export function repeatBack(target: Uint8Array, to: number, distance: number, length: number): number {
  if (distance === 1) target.fill(target[to - 1] ?? 0, to, to + length)
  else if (distance >= length && length > 64) target.copyWithin(to, to - distance, to - distance + length)
  else for (let i = 0; i < length; i++) target[to + i] = target[to + i - distance] ?? 0
  return to + length
}

function damaged(at: number): Error {
  return malformed('an LZ4 block runs past its end, or refers to before its beginning', { offset: at })
}

import { Cursor } from '../../../bytes/cursor.ts'
import { malformed } from '../../../errors.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'

export const HEADER_BYTES = 6
export const DESCRIPTOR_BYTES = 12
/** What a block takes in nearly every file. */
const USUAL_BYTES = HEADER_BYTES + 200 * DESCRIPTOR_BYTES

/** A block as it stands in the file. */
export interface Block {
  readonly bytes: Uint8Array
  /** 0: there is no other. */
  readonly next: number
}

export async function readBlock(source: Source, offset: number, options: ReadOptions): Promise<Block> {
  const origin = { url: source.url, format: 'hdf4', base: offset }
  const length = Math.min(USUAL_BYTES, source.size - offset)
  if (length < HEADER_BYTES) {
    throw malformed(`a data descriptor block is expected where the file ends`, { ...origin, offset })
  }
  const bytes = await source.read({ offset, length }, options)
  const header = new Cursor(bytes, 'big', origin)
  const count = header.u16()
  const next = header.u32()
  const needed = count * DESCRIPTOR_BYTES
  if (offset + HEADER_BYTES + needed > source.size) {
    throw header.fail(`${count} data descriptors are expected, and the file ends before: it is cut off`)
  }
  if (needed <= header.remaining) return { bytes: bytes.subarray(HEADER_BYTES, HEADER_BYTES + needed), next }
  return { bytes: await source.read({ offset: offset + HEADER_BYTES, length: needed }, options), next }
}

import type { CursorOrigin } from '../../bytes/cursor.ts'
import { overLimit } from '../../errors.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import { type Header, parseHeader } from './header.ts'
import { HeaderCut } from './header-cursor.ts'

/** What opening a source has brought along already, so that reading it costs no request. */
const HEAD_BYTES = 65_536
/** Nearly every header that is longer than the head fits into this, so that the file opens with one more request. */
const SECOND_READ_BYTES = 1_048_576
/** Sixteen thousand variables with a kilobyte of attributes each. */
const MOST_HEADER_BYTES = 16_777_216

/** Reads as much of a file as its header needs: the head, then one larger piece, doubling from there. */
export async function readHeader(source: Source, options: ReadOptions): Promise<Header> {
  const origin = { url: source.url, format: 'netcdf3' }
  const most = Math.min(source.size, MOST_HEADER_BYTES)
  let bytes = await source.read({ offset: 0, length: Math.min(HEAD_BYTES, source.size) }, options)
  for (;;) {
    const header = tryHeader(bytes, source.size, origin)
    if (!(header instanceof HeaderCut)) return header
    if (header.needed > most) {
      throw overLimit(`a header of more than ${MOST_HEADER_BYTES} bytes`, { ...origin, offset: MOST_HEADER_BYTES })
    }
    const length = Math.min(most, Math.max(2 * bytes.length, header.needed + HEAD_BYTES, SECOND_READ_BYTES))
    bytes = await extend(source, bytes, length, options)
  }
}

function tryHeader(bytes: Uint8Array, fileSize: number, origin: CursorOrigin): Header | HeaderCut {
  try {
    return parseHeader(bytes, fileSize, origin)
  } catch (error) {
    if (error instanceof HeaderCut) return error
    throw error
  }
}

async function extend(source: Source, bytes: Uint8Array, length: number, options: ReadOptions): Promise<Uint8Array> {
  const rest = await source.read({ offset: bytes.length, length: length - bytes.length }, options)
  const all = new Uint8Array(length)
  all.set(bytes)
  all.set(rest, bytes.length)
  return all
}

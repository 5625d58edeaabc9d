import { Cursor } from '../../../bytes/cursor.ts'
import { malformed } from '../../../errors.ts'
import { boxesOf } from '../boxes.ts'

const START = 0xff4f
const END = 0xffd9

/** The codestream of a picture: all of it, or what a JP2 file has in its box. One that is cut off is refused: OpenJPEG fills in what is missing. */
export function codestreamOf(bytes: Uint8Array): Uint8Array {
  if (new Cursor(bytes, 'big').u16() === START) return whole(bytes)
  for (const { kind, content } of boxesOf(bytes)) if (kind === 'jp2c') return whole(content)
  throw malformed('a block is no JPEG 2000 picture')
}

/** Zeros may follow its end. */
function whole(codestream: Uint8Array): Uint8Array {
  let end = codestream.length
  while (end > 2 && codestream[end - 1] === 0) end--
  const marker = end < 2 ? undefined : new Cursor(codestream.subarray(end - 2, end), 'big').u16()
  if (marker === END) return codestream.subarray(0, end)
  throw malformed('a JPEG 2000 picture is cut off')
}

import { uintAt } from '../../bytes/integers.ts'
import { malformed } from '../../errors.ts'
import { repeatBack } from './repeat-back.ts'

/** The length that a raw Snappy stream says its content has. */
export function snappyLength(source: Uint8Array): number {
  return preamble(source).declared
}

function preamble(source: Uint8Array) {
  let declared = 0
  for (let from = 0; ; ) {
    const byte = source[from]
    if (byte === undefined || from > 4) throw damaged(from)
    declared += (byte & 127) * 2 ** (7 * from++)
    if (byte < 128) return { declared, from }
  }
}

/** Decodes a raw Snappy stream (format_description.txt); returns the bytes written. */
export function decodeSnappy(source: Uint8Array, target: Uint8Array): number {
  const { declared, from: start } = preamble(source)
  let from = start
  if (declared > target.length) throw damaged(from)
  let to = 0
  while (from < source.length) {
    const tag = source[from++] ?? 0
    const kind = tag & 3
    if (kind === 0) {
      const extra = Math.max((tag >> 2) - 59, 0)
      const length = 1 + (extra === 0 ? tag >> 2 : uintAt(source, from, extra, 'little'))
      from += extra
      if (length > source.length - from || length > declared - to) throw damaged(from)
      target.set(source.subarray(from, from + length), to)
      from += length
      to += length
      continue
    }
    const size = kind === 3 ? 4 : kind
    const length = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    const distance = uintAt(source, from, size, 'little') + (kind === 1 ? (tag >> 5) << 8 : 0)
    from += size
    if (distance === 0 || distance > to || length > declared - to || from > source.length) throw damaged(from)
    to = repeatBack(target, to, distance, length)
  }
  if (to !== declared) throw damaged(from)
  return to
}

function damaged(at: number): Error {
  return malformed('a Snappy stream runs past its end, or refers to before its beginning', { offset: at })
}

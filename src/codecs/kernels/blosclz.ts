import { malformed } from '../../errors.ts'
import { repeatBack } from './lz4.ts'

const FAR = 8191

/** Decodes one BloscLZ stream (c-blosc, `blosclz.c`: a descendant of FastLZ level 2); returns the bytes written. */
export function decodeBloscLz(source: Uint8Array, target: Uint8Array): number {
  let from = 1
  let to = 0
  let control = (source[0] ?? 0) & 31
  if (source.length === 0) return 0
  for (;;) {
    if (control < 32) {
      const length = control + 1
      if (length > source.length - from || length > target.length - to) throw damaged(from)
      for (let i = 0; i < length; i++) target[to + i] = source[from + i] ?? 0
      from += length
      to += length
    } else {
      let length = (control >> 5) + 2
      if (length === 9) {
        let more = 255
        while (more === 255 && from < source.length) {
          more = source[from++] ?? 0
          length += more
        }
      }
      const near = source[from++] ?? 0
      let distance = ((control & 31) << 8) + near + 1
      if (near === 255 && control % 32 === 31) {
        distance = ((source[from] ?? 0) << 8) + (source[from + 1] ?? 0) + FAR + 1
        from += 2
      }
      if (from > source.length || distance > to || length > target.length - to) throw damaged(from)
      to = repeatBack(target, to, distance, length)
    }
    if (from >= source.length) return to
    control = source[from++] ?? 0
  }
}

function damaged(at: number): Error {
  return malformed('a BloscLZ stream runs past its end, or refers to before its beginning', { offset: at })
}

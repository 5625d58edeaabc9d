import { copyBack, copyOn } from './copies'
import { damaged, written } from './result'

/** The distance beyond which two more bytes say it. */
const FAR: usize = 8191

/** One BloscLZ stream (c-blosc, `blosclz.c`: a descendant of FastLZ level 2); returns how many bytes it gave. */
export function blosclz(source: usize, sourceEnd: usize, target: usize, targetEnd: usize): i32 {
  if (source >= sourceEnd) return 0
  let from = source + 1
  let to = target
  let control: usize = load<u8>(source) & 31
  while (true) {
    if (control < 32) {
      const length = control + 1
      if (length > sourceEnd - from || length > targetEnd - to) return damaged(from, source)
      copyOn(from, sourceEnd, to, targetEnd, length)
      from += length
      to += length
    } else {
      let length = (control >> 5) + 2
      if (length === 9) {
        let more: usize = 255
        while (more === 255 && from < sourceEnd && length <= targetEnd - to) {
          more = load<u8>(from++)
          length += more
        }
      }
      if (from >= sourceEnd) return damaged(from, source)
      const near: usize = load<u8>(from++)
      let distance = ((control & 31) << 8) + near + 1
      if (near === 255 && (control & 31) === 31) {
        if (sourceEnd - from < 2) return damaged(from, source)
        distance = ((load<u8>(from) as usize) << 8) + load<u8>(from, 1) + FAR + 1
        from += 2
      }
      if (distance > to - target || length > targetEnd - to) return damaged(from, source)
      to = copyBack(to, targetEnd, distance, length)
    }
    if (from >= sourceEnd) return written(to, target)
    control = load<u8>(from++)
  }
}

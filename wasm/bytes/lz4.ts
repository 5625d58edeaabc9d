import { copyBack, copyOn } from './copies'
import { damaged, written } from './result'

/** One block (LZ4 block format); returns how many bytes it gave. More than there is room for is damage. */
export function lz4(source: usize, sourceEnd: usize, target: usize, targetEnd: usize): i32 {
  // Up to here, short literals and the distance behind them can be read, and they and a short match written, without looking.
  const fastSource = sourceEnd - 18
  const fastTarget = targetEnd - 34
  let from = source
  let to = target
  while (from < sourceEnd) {
    const token: usize = load<u8>(from++)
    let length = token >> 4
    if (length < 15 && from <= fastSource && to <= fastTarget) {
      v128.store(to, v128.load(from))
      from += length
      to += length
    } else {
      if (length === 15) {
        let more: usize = 255
        while (more === 255 && from < sourceEnd && length <= targetEnd - to) {
          more = load<u8>(from++)
          length += more
        }
      }
      if (length > sourceEnd - from || length > targetEnd - to) return damaged(from, source)
      copyOn(from, sourceEnd, to, targetEnd, length)
      from += length
      to += length
      if (from >= sourceEnd) break
    }
    if (sourceEnd - from < 2) return damaged(from, source)
    const distance: usize = load<u16>(from)
    from += 2
    if (distance === 0 || distance > to - target) return damaged(from, source)
    length = (token & 15) + 4
    if (length < 19 && distance >= 8 && targetEnd - to >= 18) {
      const match = to - distance
      store<u64>(to, load<u64>(match))
      store<u64>(to, load<u64>(match, 8), 8)
      store<u16>(to, load<u16>(match, 16), 16)
      to += length
      continue
    }
    if (length === 19) {
      let more: usize = 255
      while (more === 255 && from < sourceEnd && length <= targetEnd - to) {
        more = load<u8>(from++)
        length += more
      }
    }
    if (length > targetEnd - to) return damaged(from, source)
    to = copyBack(to, targetEnd, distance, length)
  }
  return written(to, target)
}

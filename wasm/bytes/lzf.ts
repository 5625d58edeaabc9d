import { copyBack, copyOn } from './copies'
import { damaged, FULL, written } from './result'

/** A LibLZF stream (`lzf_d.c`): runs of literals, and matches up to 8 kB back. Returns how many bytes it gave. */
export function lzf(source: usize, sourceEnd: usize, target: usize, targetEnd: usize): i32 {
  let from = source
  let to = target
  while (from < sourceEnd) {
    const control: usize = load<u8>(from++)
    if (control < 32) {
      const length = control + 1
      if (length > sourceEnd - from) return damaged(from, source)
      if (length > targetEnd - to) return FULL
      copyOn(from, sourceEnd, to, targetEnd, length)
      from += length
      to += length
      continue
    }
    let length = (control >> 5) + 2
    if (length === 9) {
      if (from >= sourceEnd) return damaged(from, source)
      length += load<u8>(from++)
    }
    if (from >= sourceEnd) return damaged(from, source)
    const distance = ((control & 31) << 8) + load<u8>(from++) + 1
    if (distance > to - target) return damaged(from, source)
    if (length > targetEnd - to) return FULL
    to = copyBack(to, targetEnd, distance, length)
  }
  return written(to, target)
}

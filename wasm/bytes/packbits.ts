// TIFF 6.0 section 9.
import { copyBack, copyOn } from './copies'
import { damaged, FULL, written } from './result'

/** Macintosh run lengths, until `enough` bytes are there; returns how many bytes they gave. */
export function packbits(source: usize, sourceEnd: usize, target: usize, targetEnd: usize, enough: usize): i32 {
  let from = source
  let to = target
  while (from < sourceEnd && to - target < enough) {
    const control: usize = load<u8>(from++)
    if (control === 128) continue
    if (control < 128) {
      const length = min(control + 1, enough - (to - target))
      if (length > sourceEnd - from) return damaged(from + length, sourceEnd)
      if (length > targetEnd - to) return FULL
      copyOn(from, sourceEnd, to, targetEnd, length)
      from += length
      to += length
    } else {
      // One byte of padding at the end may look like the beginning of a run.
      if (from >= sourceEnd) break
      const length: usize = (257 as usize) - control
      if (length > targetEnd - to) return FULL
      store<u8>(to, load<u8>(from++))
      to = copyBack(to + 1, targetEnd, 1, length - 1)
    }
  }
  return written(to, target)
}

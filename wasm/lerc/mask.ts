// Which pixels hold something: a bit each, the highest first, in runs.
import { blob, has } from './blob'
import { DAMAGED, MASKED, WHOLE } from './result'

const LAST_RUN: i16 = -32768

/** Reads the mask of `valid` pixels, or keeps that of the blob before. */
export function readMask(valid: i32): i32 {
  const pixels = blob.rows * blob.columns
  if (!has(4)) return DAMAGED
  const length: usize = load<u32>(blob.at)
  blob.at += 4
  if (!has(length)) return DAMAGED
  const end = blob.at + length
  if (valid === pixels || valid === 0) {
    if (length !== 0) return DAMAGED
    if (valid === 0) memory.fill(blob.mask, 0, pixels)
  } else if (length !== 0 && !readRuns(end, pixels)) return DAMAGED
  blob.at = end
  return valid === pixels ? WHOLE : MASKED
}

function readRuns(end: usize, pixels: i32): bool {
  let at = blob.at
  let left = (pixels + 7) >> 3
  let pixel = 0
  while (at + 2 <= end) {
    const run = load<i16>(at)
    at += 2
    if (run === LAST_RUN) break
    const count = run < 0 ? -i32(run) : i32(run)
    const bytes: usize = run < 0 ? 1 : count
    if (count > left || bytes > end - at) return false
    left -= count
    for (let place = 0; place < count; place++) {
      pixel = unpack(load<u8>(run < 0 ? at : at + place), pixel, pixels)
    }
    at += bytes
  }
  return left === 0
}

/** The bits of a byte as bytes of the mask. */
function unpack(bits: u32, first: i32, pixels: i32): i32 {
  const end = min(first + 8, pixels)
  for (let pixel = first, bit = 7; pixel < end; pixel++, bit--) store<u8>(blob.mask + pixel, (bits >> bit) & 1)
  return end
}

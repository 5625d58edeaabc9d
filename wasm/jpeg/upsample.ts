// Chroma at full resolution: the triangle filter of libjpeg-turbo (jdsample.c) where it has one, else repeated samples.
import { Part, picture } from './part'

/** Where row `y` of the image is, of one component. */
export function rowOf(part: Part, y: i32): usize {
  const near = y / part.timesDown
  const nearRow = rowAt(part, near)
  if (part.timesAcross === 1 && part.timesDown === 1) return nearRow
  const isDouble = part.timesAcross === 2 && part.width > 2
  if (part.smooth && part.timesDown === 1 && isDouble) {
    widen(part, nearRow, 0)
    double(part, i16x8.splat(1), i16x8.splat(2), 2)
  } else if (part.smooth && part.timesDown === 2 && (part.timesAcross === 1 || isDouble)) {
    const far = max(0, min(near + (y & 1 ? 1 : -1), part.height - 1))
    widen(part, nearRow, rowAt(part, far))
    if (isDouble) double(part, i16x8.splat(8), i16x8.splat(7), 4)
    else keep(part, i16x8.splat(y & 1 ? 2 : 1))
  } else if (part.timesAcross === 1) return nearRow
  else if (picture.deep) repeat<u16>(part, nearRow)
  else repeat<u8>(part, nearRow)
  return part.row
}

function rowAt(part: Part, row: i32): usize {
  return part.samples + ((usize(row) * usize(part.stride)) << picture.deep)
}

/** Samples of a row as 16-bit words: as they are, or three times them and those of the row that is farther off. */
function widen(part: Part, near: usize, far: usize): void {
  const row = picture.row
  const width = usize(part.width)
  for (let x: usize = 0; x < width; x += 8) {
    let words = wordsAt(near, x)
    if (far !== 0) words = i16x8.add(i16x8.add(words, i16x8.add(words, words)), wordsAt(far, x))
    v128.store(row + (x << 1), words)
  }
  // Those at the ends are their own neighbours.
  store<u16>(row - 2, load<u16>(row))
  store<u16>(row + (width << 1), load<u16>(row + (width << 1) - 2))
}

function wordsAt(row: usize, x: usize): v128 {
  return picture.deep ? v128.load(row + (x << 1)) : i16x8.extend_low_i8x16_u(v128.load64_zero(row + x))
}

/** Two samples for each, a quarter of the way to its neighbours. */
function double(part: Part, before: v128, after: v128, shift: i32): void {
  const deep = picture.deep
  const width = usize(part.width)
  let from = picture.row
  let to = part.row
  for (let x: usize = 0; x < width; x += 8, from += 16) {
    const here = v128.load(from)
    const thrice = i16x8.add(here, i16x8.add(here, here))
    const left = i16x8.shr_u(i16x8.add(i16x8.add(thrice, v128.load(from - 2)), before), shift)
    const right = i16x8.shr_u(i16x8.add(i16x8.add(thrice, v128.load(from, 2)), after), shift)
    if (deep) {
      v128.store(to, i16x8.shuffle(left, right, 0, 8, 1, 9, 2, 10, 3, 11))
      v128.store(to, i16x8.shuffle(left, right, 4, 12, 5, 13, 6, 14, 7, 15), 16)
      to += 32
    } else {
      v128.store(to, v128.or(left, i16x8.shl(right, 8)))
      to += 16
    }
  }
}

/** One sample for each: a quarter of what was added up. */
function keep(part: Part, rounding: v128): void {
  const deep = picture.deep
  const width = usize(part.width)
  for (let x: usize = 0; x < width; x += 8) {
    const words = i16x8.shr_u(i16x8.add(v128.load(picture.row + (x << 1)), rounding), 2)
    if (deep) v128.store(part.row + (x << 1), words)
    else v128.store64_lane(part.row + x, i8x16.narrow_i16x8_u(words, words), 0)
  }
}

function repeat<T>(part: Part, near: usize): void {
  const size = sizeof<T>()
  let to = part.row
  for (let x = 0; x < part.width; x++, near += size) {
    for (let time = 0; time < part.timesAcross; time++, to += size) store<T>(to, load<T>(near))
  }
}

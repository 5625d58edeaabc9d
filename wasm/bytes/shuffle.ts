// Bytes of items, and items of bytes: 16 of them at a time where an item has 2, 4 or 8 bytes.

/** Puts items together of planes: all first bytes, all second bytes, ... Planes begin `stride` bytes after each other. */
export function unshuffle(planes: usize, stride: usize, count: usize, size: usize, target: usize): void {
  let item: usize = 0
  const whole = count - (count & 15)
  if (size === 2) for (; item < whole; item += 16) join2(planes + item, stride, target + 2 * item)
  else if (size === 4) for (; item < whole; item += 16) join4(planes + item, stride, target + 4 * item)
  else if (size === 8) for (; item < whole; item += 16) join8(planes + item, stride, target + 8 * item)
  for (let byte: usize = 0; byte < size; byte++) {
    const plane = planes + byte * stride
    let to = target + item * size + byte
    for (let i = item; i < count; i++, to += size) store<u8>(to, load<u8>(plane + i))
  }
}

function join2(planes: usize, stride: usize, to: usize): void {
  const a = v128.load(planes)
  const b = v128.load(planes + stride)
  v128.store(to, low8(a, b))
  v128.store(to, high8(a, b), 16)
}

function join4(planes: usize, stride: usize, to: usize): void {
  const a = v128.load(planes)
  const b = v128.load(planes + stride)
  const c = v128.load(planes + 2 * stride)
  const d = v128.load(planes + 3 * stride)
  const ab = low8(a, b)
  const cd = low8(c, d)
  v128.store(to, low16(ab, cd))
  v128.store(to, high16(ab, cd), 16)
  const abHigh = high8(a, b)
  const cdHigh = high8(c, d)
  v128.store(to, low16(abHigh, cdHigh), 32)
  v128.store(to, high16(abHigh, cdHigh), 48)
}

function join8(planes: usize, stride: usize, to: usize): void {
  const a = v128.load(planes)
  const b = v128.load(planes + stride)
  const c = v128.load(planes + 2 * stride)
  const d = v128.load(planes + 3 * stride)
  const half = planes + 4 * stride
  const e = v128.load(half)
  const f = v128.load(half + stride)
  const g = v128.load(half + 2 * stride)
  const h = v128.load(half + 3 * stride)
  joinBytes(a, b, c, d, e, f, g, h, to)
}

/** 16 items of 8 bytes. */
export function joinBytes(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128, to: usize): void {
  join8Half(low8(a, b), low8(c, d), low8(e, f), low8(g, h), to)
  join8Half(high8(a, b), high8(c, d), high8(e, f), high8(g, h), to + 64)
}

function join8Half(ab: v128, cd: v128, ef: v128, gh: v128, to: usize): void {
  const abcd = low16(ab, cd)
  const efgh = low16(ef, gh)
  v128.store(to, low32(abcd, efgh))
  v128.store(to, high32(abcd, efgh), 16)
  const abcdHigh = high16(ab, cd)
  const efghHigh = high16(ef, gh)
  v128.store(to, low32(abcdHigh, efghHigh), 32)
  v128.store(to, high32(abcdHigh, efghHigh), 48)
}

/** Takes items apart: what `unshuffle` puts together. */
export function shuffle(source: usize, count: usize, size: usize, planes: usize, stride: usize): void {
  let item: usize = 0
  const whole = count - (count & 15)
  if (size === 2) for (; item < whole; item += 16) split2(source + 2 * item, planes + item, stride)
  else if (size === 4) for (; item < whole; item += 16) split4(source + 4 * item, planes + item, stride)
  else if (size === 8) for (; item < whole; item += 16) split8(source + 8 * item, planes + item, stride)
  for (let byte: usize = 0; byte < size; byte++) {
    const plane = planes + byte * stride
    let from = source + item * size + byte
    for (let i = item; i < count; i++, from += size) store<u8>(plane + i, load<u8>(from))
  }
}

function split2(from: usize, planes: usize, stride: usize): void {
  const a = v128.load(from)
  const b = v128.load(from, 16)
  v128.store(planes, even(a, b))
  v128.store(planes + stride, odd(a, b))
}

function split4(from: usize, planes: usize, stride: usize): void {
  const a = v128.load(from)
  const b = v128.load(from, 16)
  const c = v128.load(from, 32)
  const d = v128.load(from, 48)
  const evens = even(a, b)
  const evensAfter = even(c, d)
  v128.store(planes, even(evens, evensAfter))
  v128.store(planes + 2 * stride, odd(evens, evensAfter))
  const odds = odd(a, b)
  const oddsAfter = odd(c, d)
  v128.store(planes + stride, even(odds, oddsAfter))
  v128.store(planes + 3 * stride, odd(odds, oddsAfter))
}

function split8(from: usize, planes: usize, stride: usize): void {
  const a = v128.load(from)
  const b = v128.load(from, 16)
  const c = v128.load(from, 32)
  const d = v128.load(from, 48)
  const e = v128.load(from, 64)
  const f = v128.load(from, 80)
  const g = v128.load(from, 96)
  const h = v128.load(from, 112)
  split8Half(even(a, b), even(c, d), even(e, f), even(g, h), planes, stride)
  split8Half(odd(a, b), odd(c, d), odd(e, f), odd(g, h), planes + stride, stride)
}

/** Every other byte of 16 items: planes two apart. */
function split8Half(ab: v128, cd: v128, ef: v128, gh: v128, planes: usize, stride: usize): void {
  const evens = even(ab, cd)
  const evensAfter = even(ef, gh)
  v128.store(planes, even(evens, evensAfter))
  v128.store(planes + 4 * stride, odd(evens, evensAfter))
  const odds = odd(ab, cd)
  const oddsAfter = odd(ef, gh)
  v128.store(planes + 2 * stride, even(odds, oddsAfter))
  v128.store(planes + 6 * stride, odd(odds, oddsAfter))
}

function low8(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
}

function high8(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
}

function low16(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
}

function high16(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
}

function low32(a: v128, b: v128): v128 {
  return v128.shuffle<u32>(a, b, 0, 4, 1, 5)
}

function high32(a: v128, b: v128): v128 {
  return v128.shuffle<u32>(a, b, 2, 6, 3, 7)
}

function even(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
}

function odd(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
}

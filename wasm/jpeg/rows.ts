// Rows of the picture: chroma at full resolution, colours, samples side by side.
import { partAt, picture } from './part'
import { rowOf } from './upsample'

/**
 * Writes rows, from `first` on. `green` is 65536 times what the blue difference takes away of green: then the first three components are
 * YCbCr, and become RGB.
 */
export function writeRows(to: usize, first: i32, count: i32, green: i32): void {
  const width = picture.width
  const bytes = (width * picture.components) << picture.deep
  for (let y = first; y < first + count; y++, to += bytes) {
    for (let place = 0; place < picture.components; place++) {
      const part = partAt(place)
      part.shown = rowOf(part, y)
    }
    if (picture.components === 1) memory.copy(to, partAt(0).shown, bytes)
    else if (picture.components === 3 && !picture.deep) writeTriples(to, green)
    else if (picture.deep) writeAny<u16>(to, green)
    else writeAny<u8>(to, green)
  }
}

/** 16 pixels at a time: what goes beyond the end of the row is written over by the next one, or never looked at. */
function writeTriples(to: usize, green: i32): void {
  const row0 = partAt(0).shown
  const row1 = partAt(1).shown
  const row2 = partAt(2).shown
  const width = usize(picture.width)
  const factors = i32x4.splat((18734 << 16) | (green & 0xffff))
  for (let x: usize = 0; x < width; x += 16, to += 48) {
    let a = v128.load(row0 + x)
    let b = v128.load(row1 + x)
    let c = v128.load(row2 + x)
    if (green !== 0) {
      const centre = i16x8.splat(128)
      const y0 = i16x8.extend_low_i8x16_u(a)
      const y1 = i16x8.extend_high_i8x16_u(a)
      const blue0 = i16x8.sub(i16x8.extend_low_i8x16_u(b), centre)
      const blue1 = i16x8.sub(i16x8.extend_high_i8x16_u(b), centre)
      const red0 = i16x8.sub(i16x8.extend_low_i8x16_u(c), centre)
      const red1 = i16x8.sub(i16x8.extend_high_i8x16_u(c), centre)
      a = i8x16.narrow_i16x8_u(redOf(y0, red0), redOf(y1, red1))
      b = i8x16.narrow_i16x8_u(greenOf(y0, blue0, red0, factors), greenOf(y1, blue1, red1, factors))
      c = i8x16.narrow_i16x8_u(blueOf(y0, blue0), blueOf(y1, blue1))
    }
    storeTriples(to, a, b, c)
  }
}

// ITU-R BT.601 in full range (JFIF), rounded as libjpeg does. Factors of 65536ths are whole numbers and what is left of them.

/** y + 1.402 red: the product, halved, rounds as 26345 / 2 does, for each of the 256 values. */
function redOf(y: v128, red: v128): v128 {
  return i16x8.add(i16x8.add(y, red), i16x8.q15mulr_sat_s(red, i16x8.splat(13173)))
}

/** y + 1.772 blue */
function blueOf(y: v128, blue: v128): v128 {
  return i16x8.add(i16x8.add(y, i16x8.add(blue, blue)), i16x8.q15mulr_sat_s(blue, i16x8.splat(-7471)))
}

/** y - 0.344 blue - 0.714 red */
function greenOf(y: v128, blue: v128, red: v128, factors: v128): v128 {
  const half = i32x4.splat(1 << 15)
  const low = i32x4.add(i32x4.dot_i16x8_s(i16x8.shuffle(blue, red, 0, 8, 1, 9, 2, 10, 3, 11), factors), half)
  const high = i32x4.add(i32x4.dot_i16x8_s(i16x8.shuffle(blue, red, 4, 12, 5, 13, 6, 14, 7, 15), factors), half)
  const part = i16x8.narrow_i32x4_s(i32x4.shr_s(low, 16), i32x4.shr_s(high, 16))
  return i16x8.add(y, i16x8.sub(part, red))
}

function storeTriples(to: usize, a: v128, b: v128, c: v128): void {
  const ab = i8x16.shuffle(a, b, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5)
  v128.store(to, i8x16.shuffle(ab, c, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15))
  const bc = i8x16.shuffle(b, c, 5, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10)
  v128.store(to, i8x16.shuffle(bc, a, 0, 1, 22, 3, 4, 23, 6, 7, 24, 9, 10, 25, 12, 13, 26, 15), 16)
  const ca = i8x16.shuffle(c, a, 10, 27, 0, 11, 28, 0, 12, 29, 0, 13, 30, 0, 14, 31, 0, 15)
  v128.store(to, i8x16.shuffle(ca, b, 0, 1, 27, 3, 4, 28, 6, 7, 29, 9, 10, 30, 12, 13, 31, 15), 32)
}

/** Pixels of any number of components, one after the other. */
function writeAny<T>(start: usize, green: i32): void {
  const components = picture.components
  const size = sizeof<T>()
  const step = usize(components) * size
  for (let place = 0; place < components; place++) {
    let from = partAt(place).shown
    let to = start + usize(place) * size
    for (let x = 0; x < picture.width; x++, from += size, to += step) store<T>(to, load<T>(from))
  }
  if (green === 0) return
  let at = start
  for (let x = 0; x < picture.width; x++, at += step) toRgb<T>(at, green)
}

function toRgb<T>(at: usize, green: i32): void {
  const size = sizeof<T>()
  const centre = picture.deep ? 2048 : 128
  const half = 1 << 15
  const y = i32(load<T>(at))
  const blue = i32(load<T>(at + size)) - centre
  const red = i32(load<T>(at + 2 * size)) - centre
  store<T>(at, clamped<T>(y + ((91881 * red + half) >> 16)))
  store<T>(at + size, clamped<T>(y + ((green * blue - 46802 * red + half) >> 16)))
  store<T>(at + 2 * size, clamped<T>(y + ((116130 * blue + half) >> 16)))
}

function clamped<T>(value: i32): T {
  return <T>max(0, min(value, picture.deep ? 4095 : 255))
}

// Values in tiles, each with its own least value and number of bits.
import { blob, has, isValid, numberOf } from './blob'
import { DAMAGED } from './result'

const MOST_TILE: i32 = 32

// How a tile is stored.
const RAW: i32 = 0
const STEPS: i32 = 1
const ZERO: i32 = 2

/** Where a tile is, and how many of its pixels hold something. */
@unmanaged
class Tile {
  row: i32 = 0
  rowEnd: i32 = 0
  column: i32 = 0
  columnEnd: i32 = 0
  place: i32 = 0
  pixels: u32 = 0
}

const tile = changetype<Tile>(memory.data(128, 16))

/** Values as they are packed: bits of the lowest first, of one byte after another. */
@unmanaged
class Steps {
  from: usize = 0
  bits: u32 = 0
  /** Values that these are numbers of; 0 where they are the values. */
  choices: usize = 0
}

const steps = changetype<Steps>(memory.data(128, 16))

/** The values that a tile chooses from. */
const CHOICES: usize = memory.data(256 * 4, 16)

export function readTiles<T>(target: usize): i32 {
  if (blob.tile < 1 || blob.tile > MOST_TILE) return DAMAGED
  for (let row = 0; row < blob.rows; row += blob.tile) {
    for (let column = 0; column < blob.columns; column += blob.tile) {
      tile.row = row
      tile.rowEnd = min(row + blob.tile, blob.rows)
      tile.column = column
      tile.columnEnd = min(column + blob.tile, blob.columns)
      tile.pixels = pixelsOf()
      for (let place = 0; place < blob.depth; place++) {
        tile.place = place
        if (!readTile<T>(target)) return DAMAGED
      }
    }
  }
  return 0
}

function pixelsOf(): u32 {
  const columns = tile.columnEnd - tile.column
  if (blob.isWhole) return (tile.rowEnd - tile.row) * columns
  let count: u32 = 0
  for (let row = tile.row; row < tile.rowEnd; row++) {
    const first = row * blob.columns + tile.column
    for (let pixel = first; pixel < first + columns; pixel++) if (isValid(pixel)) count++
  }
  return count
}

function readTile<T>(target: usize): bool {
  if (!has(1)) return false
  const flag = i32(load<u8>(blob.at++))
  if (((flag >> 2) & 15) !== ((tile.column >> 3) & 15)) return false
  const kind = flag & 3
  if (kind === ZERO) return fill<T>(target, 0)
  if (kind === RAW) return readRaw<T>(target)
  const type = typeOfLeast(flag >> 6)
  if (type < 0 || !has(1 << bitsOfSize(type))) return false
  const least = readNumber(type)
  if (kind !== STEPS) return fill<T>(target, least)
  return openSteps() && readSteps<T>(target, least)
}

/** The type of the least value of a tile, which may be a narrower one. */
function typeOfLeast(code: i32): i32 {
  const type = blob.type
  if (code === 0 || type < 2) return type
  if (type === 6) return code === 1 ? 2 : code === 2 ? 1 : -1
  if (type === 7) return 8 - 2 * code
  return type & 1 ? type - 2 * code : type - code
}

function bitsOfSize(type: i32): i32 {
  return type === 7 ? 3 : type === 6 ? 2 : type >> 1
}

function readNumber(type: i32): f64 {
  const at = blob.at
  blob.at += 1 << bitsOfSize(type)
  switch (type) {
    case 0:
      return f64(load<i8>(at))
    case 1:
      return f64(load<u8>(at))
    case 2:
      return f64(load<i16>(at))
    case 3:
      return f64(load<u16>(at))
    case 4:
      return f64(load<i32>(at))
    case 5:
      return f64(load<u32>(at))
    case 6:
      return f64(load<f32>(at))
  }
  return load<f64>(at)
}

function targetOf<T>(target: usize, pixel: i32): usize {
  return target + usize(pixel * blob.depth + tile.place) * sizeof<T>()
}

function fill<T>(target: usize, value: f64): bool {
  const filling = numberOf<T>(value)
  const step = usize(blob.depth) * sizeof<T>()
  for (let row = tile.row; row < tile.rowEnd; row++) {
    let pixel = row * blob.columns + tile.column
    let to = targetOf<T>(target, pixel)
    for (let column = tile.column; column < tile.columnEnd; column++, pixel++, to += step) {
      if (isValid(pixel)) store<T>(to, filling)
    }
  }
  return true
}

function readRaw<T>(target: usize): bool {
  if (!has(tile.pixels * sizeof<T>())) return false
  const step = usize(blob.depth) * sizeof<T>()
  for (let row = tile.row; row < tile.rowEnd; row++) {
    let pixel = row * blob.columns + tile.column
    let to = targetOf<T>(target, pixel)
    for (let column = tile.column; column < tile.columnEnd; column++, pixel++, to += step) {
      if (!isValid(pixel)) continue
      store<T>(to, load<T>(blob.at))
      blob.at += sizeof<T>()
    }
  }
  return true
}

/** The header of packed values: how many there are, which must be those of the tile, and of how many bits. */
function openSteps(): bool {
  if (!has(1)) return false
  const head = u32(load<u8>(blob.at++))
  const size: usize = head >> 6 === 0 ? 4 : 3 - (head >> 6)
  if (size === 0 || !has(size)) return false
  const count = size === 4 ? load<u32>(blob.at) : size === 2 ? u32(load<u16>(blob.at)) : u32(load<u8>(blob.at))
  blob.at += size
  if (count !== tile.pixels) return false
  steps.bits = head & 31
  steps.choices = 0
  if ((head & 32) !== 0 && !readChoices()) return false
  steps.from = blob.at
  return pass(count)
}

/** Values that are fewer than the pixels; the first is zero. */
function readChoices(): bool {
  if (!has(1) || steps.bits === 0) return false
  const count = u32(load<u8>(blob.at++)) - 1
  if (count < 1 || count > 254) return false
  steps.from = blob.at
  if (!pass(count)) return false
  store<u32>(CHOICES, 0)
  for (let place: u32 = 0; place < count; place++)
    store<u32>(CHOICES + ((place + 1) << 2), stepAt(u64(place) * steps.bits))
  // Numbers that are none of these mean nothing: they are zero.
  for (let place = count + 1; place < 256; place++) store<u32>(CHOICES + (place << 2), 0)
  steps.bits = 32 - clz(count)
  steps.choices = CHOICES
  return true
}

/** Goes on behind packed values, if they are there. */
function pass(count: u32): bool {
  const bytes = usize((u64(count) * steps.bits + 7) >> 3)
  if (!has(bytes)) return false
  blob.at += bytes
  return true
}

function stepAt(bit: u64): u32 {
  return u32((load<u64>(steps.from + usize(bit >> 3)) >> (bit & 7)) & ((u64(1) << steps.bits) - 1))
}

function readSteps<T>(target: usize, least: f64): bool {
  const most = blob.mosts === 0 ? blob.most : f64(load<T>(blob.mosts + usize(tile.place) * sizeof<T>()))
  const bits: u64 = steps.bits
  const step = usize(blob.depth) * sizeof<T>()
  const isPlain = blob.isWhole && steps.choices === 0
  const from = steps.from
  const size = blob.step
  const low = (u64(1) << bits) - 1
  let bit: u64 = 0
  for (let row = tile.row; row < tile.rowEnd; row++) {
    const pixel = row * blob.columns + tile.column
    let to = targetOf<T>(target, pixel)
    if (!isPlain) {
      bit = readRow<T>(to, pixel, bit, least, most)
      continue
    }
    const end = to + usize(tile.columnEnd - tile.column) * step
    for (; to < end; to += step, bit += bits) {
      const number = (load<u64>(from + usize(bit >> 3)) >> (bit & 7)) & low
      store<T>(to, numberOf<T>(min(most, least + f64(u32(number)) * size)))
    }
  }
  return true
}

/** A row of pixels of which some hold nothing, or whose values are chosen; returns where the next ones begin. */
function readRow<T>(start: usize, first: i32, from: u64, least: f64, most: f64): u64 {
  const step = usize(blob.depth) * sizeof<T>()
  const end = first + tile.columnEnd - tile.column
  let to = start
  let bit = from
  for (let pixel = first; pixel < end; pixel++, to += step) {
    if (!isValid(pixel)) continue
    let number = stepAt(bit)
    bit += steps.bits
    if (steps.choices !== 0) number = load<u32>(steps.choices + (number << 2))
    store<T>(to, numberOf<T>(min(most, least + f64(number) * blob.step)))
  }
  return bit
}

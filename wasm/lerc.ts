// LERC2 (Esri), versions 3 and 4, but for its Huffman codes. src/codecs/kernels/lerc.ts has looked at the header.
import { blob, has, isValid, numberOf } from './lerc/blob'
import { checksumOf } from './lerc/checksum'
import { readMask } from './lerc/mask'
import { DAMAGED, OTHER, WHOLE } from './lerc/result'
import { readTiles } from './lerc/tiles'

/** From here on the memory is the caller's. */
export const room: usize = __heap_base

/**
 * Decodes the blob at `source` into packed values, with those of a pixel side by side; what holds nothing is zero. `mask` has a byte a
 * pixel: it may be that of the blob before.
 */
export function decodeBlob(source: usize, sourceEnd: usize, target: usize, mask: usize): i32 {
  if (sourceEnd - source < 66) return DAMAGED
  const isOld = load<i32>(source, 6) < 4
  blob.rows = load<i32>(source, 14)
  blob.columns = load<i32>(source, 18)
  blob.depth = isOld ? 1 : load<i32>(source, 22)
  const fields = source + (isOld ? 22 : 26)
  const valid = load<i32>(fields)
  blob.tile = load<i32>(fields, 4)
  const length: usize = load<u32>(fields, 8)
  blob.type = load<i32>(fields, 12)
  blob.step = 2 * load<f64>(fields, 16)
  blob.least = load<f64>(fields, 24)
  blob.most = load<f64>(fields, 32)
  blob.leasts = 0
  blob.mosts = 0
  blob.at = fields + 40
  blob.end = source + length
  blob.mask = mask
  if (length > sourceEnd - source || length < blob.at - source) return DAMAGED
  if (checksumOf(source + 14, blob.end) !== load<u32>(source, 10)) return DAMAGED
  const validity = readMask(valid)
  if (validity < 0) return validity
  blob.isWhole = validity === WHOLE
  const result = valuesOf(target, valid, isOld)
  return result < 0 ? result : validity
}

function valuesOf(target: usize, valid: i32, isOld: bool): i32 {
  switch (blob.type) {
    case 0:
      return readValues<i8>(target, valid, isOld)
    case 1:
      return readValues<u8>(target, valid, isOld)
    case 2:
      return readValues<i16>(target, valid, isOld)
    case 3:
      return readValues<u16>(target, valid, isOld)
    case 4:
      return readValues<i32>(target, valid, isOld)
    case 5:
      return readValues<u32>(target, valid, isOld)
    case 6:
      return readValues<f32>(target, valid, isOld)
    case 7:
      return readValues<f64>(target, valid, isOld)
  }
  return OTHER
}

function readValues<T>(target: usize, valid: i32, isOld: bool): i32 {
  const width = usize(blob.depth) * sizeof<T>()
  if (!blob.isWhole) memory.fill(target, 0, usize(blob.rows * blob.columns) * width)
  if (valid === 0) return 0
  if (blob.least === blob.most) return fillAll<T>(target)
  if (!isOld) {
    if (!has(2 * width)) return DAMAGED
    blob.leasts = blob.at
    blob.mosts = blob.at + width
    blob.at += 2 * width
    if (memory.compare(blob.leasts, blob.mosts, width) === 0) return fillAll<T>(target)
  }
  if (!has(1)) return DAMAGED
  if (load<u8>(blob.at++) !== 0) return readAll<T>(target, usize(valid) * width)
  // Bytes without loss say which way they are coded.
  if (sizeof<T>() === 1 && blob.step === 1) {
    if (!has(1)) return DAMAGED
    if (load<u8>(blob.at++) !== 0) return OTHER
  }
  return readTiles<T>(target)
}

function fillAll<T>(target: usize): i32 {
  let to = target
  const pixels = blob.rows * blob.columns
  for (let pixel = 0; pixel < pixels; pixel++) {
    for (let place = 0; place < blob.depth; place++, to += sizeof<T>()) {
      if (!isValid(pixel)) continue
      const isOne = blob.leasts === 0
      store<T>(to, isOne ? numberOf<T>(blob.least) : load<T>(blob.leasts + usize(place) * sizeof<T>()))
    }
  }
  return 0
}

/** Values as they are, of the pixels that hold something. */
function readAll<T>(target: usize, length: usize): i32 {
  if (!has(length)) return DAMAGED
  if (blob.isWhole) {
    memory.copy(target, blob.at, length)
    return 0
  }
  const width = usize(blob.depth) * sizeof<T>()
  const pixels = blob.rows * blob.columns
  let from = blob.at
  const end = from + length
  for (let pixel = 0; pixel < pixels; pixel++) {
    if (!isValid(pixel)) continue
    // A mask may have more pixels than the header says.
    if (from + width > end) return DAMAGED
    memory.copy(target + usize(pixel) * width, from, width)
    from += width
  }
  return 0
}

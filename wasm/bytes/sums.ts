// Differences of each number to that of the pixel before (TIFF's predictors), summed up 16 bytes at a time.
import { repeats, WIDE } from './copies'

/** Sums up the numbers of `size` bytes in each row, in place; a pixel is one or more of them, a row some pixels. */
export function sumRows(at: usize, end: usize, rowBytes: usize, pixelBytes: usize, size: usize): void {
  for (let row = at; row < end; row += rowBytes) {
    const rowEnd = min(row + rowBytes, end)
    if (size === 1) sumRow<u8>(row, rowEnd, pixelBytes)
    else if (size === 2) sumRow<u16>(row, rowEnd, pixelBytes)
    else if (size === 4) sumRow<u32>(row, rowEnd, pixelBytes)
    else if (size === 8) sumRow<u64>(row, rowEnd, pixelBytes)
  }
}

function sumRow<T>(row: usize, end: usize, pixelBytes: usize): void {
  let at = row + pixelBytes
  if (pixelBytes >= WIDE) {
    for (; at + 16 <= end; at += 16) v128.store(at, v128.add<T>(v128.load(at), v128.load(at - pixelBytes)))
  } else at = sumPixels<T>(row, end, pixelBytes)
  for (; at + sizeof<T>() <= end; at += sizeof<T>()) store<T>(at, load<T>(at) + load<T>(at - pixelBytes))
}

/** As many whole pixels at a time as 16 bytes hold; returns where the rest begins, a pixel into the row at the least. */
function sumPixels<T>(row: usize, end: usize, pixelBytes: usize): usize {
  const step = WIDE - (WIDE % pixelBytes)
  const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  const pixel = i8x16.splat(pixelBytes as i8)
  const twoPixels = v128.add<u8>(pixel, pixel)
  const fourPixels = v128.add<u8>(twoPixels, twoPixels)
  // Lanes before the first are none, and read as zero.
  const after1 = v128.sub<u8>(lanes, pixel)
  const after2 = v128.sub<u8>(lanes, twoPixels)
  const after4 = v128.sub<u8>(lanes, fourPixels)
  const after8 = v128.sub<u8>(after4, fourPixels)
  const inStep = v128.lt<u8>(lanes, i8x16.splat(step as i8))
  const last = v128.add<u8>(repeats(pixelBytes), i8x16.splat((step - pixelBytes) as i8))
  let carried = i8x16.splat(0)
  let at = row
  for (; at + 16 <= end; at += step) {
    const differences = v128.load(at)
    let sums = v128.add<T>(differences, v128.swizzle(differences, after1))
    sums = v128.add<T>(sums, v128.swizzle(sums, after2))
    sums = v128.add<T>(sums, v128.swizzle(sums, after4))
    sums = v128.add<T>(v128.add<T>(sums, v128.swizzle(sums, after8)), carried)
    v128.store(at, v128.bitselect(sums, differences, inStep))
    carried = v128.swizzle(sums, last)
  }
  return max(at, row + pixelBytes)
}

// ITU-T T.81 F.2.1.3: the units of a scan, one block after another.

import { isPast } from './bits'
import { band, ENDED, readBand, readMean, readWhole, refineBand, refineMean } from './blocks'
import { Part, partAt } from './part'
import { transform } from './transform'

/** Which coefficients a scan brings; the order is that of src/codecs/kernels/jpeg-picture.ts. */
const WHOLE: i32 = 0
const MEAN: i32 = 1
const REFINED_MEAN: i32 = 2
const BAND: i32 = 3

/** What is read. */
@unmanaged
class Scan {
  kind: i32 = 0
  /** Places in the frame, four bits each. */
  parts: i32 = 0
  count: i32 = 0
  /** Units in a row. */
  across: i32 = 0
}

const scan = changetype<Scan>(memory.data(64, 16))

export function beginScan(kind: i32, parts: i32, count: i32, across: i32): void {
  scan.kind = kind
  scan.parts = parts
  scan.count = count
  scan.across = across
}

export function setBand(first: i32, last: i32, low: i32): void {
  band.first = first
  band.last = last
  band.low = low
}

/** Reads a number of units, all of a segment; what is wrong with it is negative. */
export function readUnits(from: i32, count: i32): i32 {
  for (let place = 0; place < scan.count; place++) partOf(place).prediction = 0
  let row = from / scan.across
  let column = from % scan.across
  for (; count > 0; count--) {
    // Not block by block: what was read behind the end is zeros.
    if (column === 0 && isPast()) return ENDED
    const problem = scan.count === 1 ? readBlock(partOf(0), row, column) : readUnit(row, column)
    if (problem < 0) return problem
    if (++column === scan.across) {
      column = 0
      row++
    }
  }
  return isPast() ? ENDED : 0
}

function partOf(place: i32): Part {
  return partAt((scan.parts >> (place * 4)) & 3)
}

/** The blocks of all components of an interleaved scan. */
function readUnit(row: i32, column: i32): i32 {
  for (let place = 0; place < scan.count; place++) {
    const part = partOf(place)
    for (let y = 0; y < part.vertical; y++) {
      for (let x = 0; x < part.horizontal; x++) {
        const problem = readBlock(part, row * part.vertical + y, column * part.horizontal + x)
        if (problem < 0) return problem
      }
    }
  }
  return 0
}

function readBlock(part: Part, row: i32, column: i32): i32 {
  if (scan.kind === WHOLE) {
    const block = part.coefficients
    memory.fill(block, 0, 128)
    const count = readWhole(part, block)
    if (count > 0) transform(part, block, row, column, count)
    return count
  }
  const block = blockAt(part, row, column)
  if (scan.kind === MEAN) return readMean(part, block, band.low)
  if (scan.kind === REFINED_MEAN) return refineMean(block)
  return scan.kind === BAND ? readBand(part, block) : refineBand(part, block)
}

function blockAt(part: Part, row: i32, column: i32): usize {
  return part.coefficients + (usize(row * part.blocksAcross + column) << 7)
}

/** The samples of a component whose coefficients have all been read. */
export function transformAll(place: i32): void {
  const part = partAt(place)
  for (let row = 0; row < part.blocksDown; row++) {
    for (let column = 0; column < part.blocksAcross; column++) {
      const block = blockAt(part, row, column)
      transform(part, block, row, column, isFlat(block) ? 1 : 64)
    }
  }
}

/** Whether a block has nothing but its mean. */
function isFlat(block: usize): bool {
  let all = v128.and(v128.load(block), i16x8(0, -1, -1, -1, -1, -1, -1, -1))
  for (let at: usize = 16; at < 128; at += 16) all = v128.or(all, v128.load(block + at))
  return !v128.any_true(all)
}

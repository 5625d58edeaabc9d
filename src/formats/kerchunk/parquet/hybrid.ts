// Apache Parquet, "Encodings": runs and bit packing mixed (RLE), and DELTA_BINARY_PACKED.
import type { Cursor } from '../../../bytes/cursor.ts'
import { varint } from './thrift.ts'

/** `count` numbers of `width` bits; a run never writes more than that, whatever it says. */
export function readHybrid(cursor: Cursor, width: number, count: number): Uint32Array {
  if (width > 32) throw cursor.fail(`numbers of ${width} bits, expected at most 32`)
  const values = new Uint32Array(count)
  for (let at = 0; at < count; ) {
    if (width === 0 && cursor.remaining === 0) break
    const head = varint(cursor)
    const isPacked = head % 2 === 1
    const length = Math.floor(head / 2) * (isPacked ? 8 : 1)
    if (length === 0) throw cursor.fail('a run of no values')
    const end = Math.min(count, at + length)
    if (isPacked) {
      // The last run may be cut off behind the values that count.
      const bytes = cursor.take(Math.min((length / 8) * width, cursor.remaining))
      unpack(bytes, width, values, at, end, cursor)
    } else values.fill(cursor.uint(Math.ceil(width / 8)), at, end)
    at = end
  }
  return values
}

function unpack(bytes: Uint8Array, width: number, values: Uint32Array, from: number, to: number, cursor: Cursor): void {
  if ((to - from) * width > bytes.length * 8) throw cursor.fail('packed values that end too soon')
  let bit = 0
  for (let index = from; index < to; index++, bit += width) {
    let value = 0
    for (let taken = 0; taken < width; ) {
      const place = bit + taken
      const inByte = place % 8
      const take = Math.min(8 - inByte, width - taken)
      value += (((bytes[Math.floor(place / 8)] ?? 0) >> inByte) & ((1 << take) - 1)) * 2 ** taken
      taken += take
    }
    values[index] = value
  }
}

/** DELTA_BINARY_PACKED: at most `most` numbers. */
export function readDeltas(cursor: Cursor, most: number): BigInt64Array {
  const blockSize = varint(cursor)
  const miniblocks = varint(cursor)
  const count = varint(cursor)
  const perMiniblock = blockSize / miniblocks
  if (count > most || blockSize > 2 ** 20 || !Number.isInteger(perMiniblock) || perMiniblock % 8 !== 0) {
    throw cursor.fail(`deltas of ${count} values in blocks of ${blockSize}, expected at most ${most}`)
  }
  const values = new BigInt64Array(count)
  let value = bigZigzag(cursor)
  if (count > 0) values[0] = value
  for (let at = 1; at < count; ) {
    const least = bigZigzag(cursor)
    const widths = cursor.take(miniblocks)
    for (const width of widths) {
      if (at >= count) break
      if (width > 64) throw cursor.fail(`deltas of ${width} bits`)
      const bytes = cursor.take((perMiniblock * width) / 8)
      for (let index = 0; index < perMiniblock && at < count; index++) {
        value = BigInt.asIntN(64, value + least + bitsAt(bytes, index * width, width))
        values[at++] = value
      }
    }
  }
  return values
}

function bitsAt(bytes: Uint8Array, start: number, width: number): bigint {
  let value = 0n
  for (let taken = 0; taken < width; ) {
    const place = start + taken
    const take = Math.min(8 - (place % 8), width - taken)
    const part = ((bytes[Math.floor(place / 8)] ?? 0) >> (place % 8)) & ((1 << take) - 1)
    value |= BigInt(part) << BigInt(taken)
    taken += take
  }
  return value
}

function bigZigzag(cursor: Cursor): bigint {
  let value = 0n
  for (let shift = 0n; ; shift += 7n) {
    const byte = cursor.u8()
    value |= BigInt(byte & 127) << shift
    if (byte < 128) break
    if (shift > 63n) throw cursor.fail('a number of more than ten bytes')
  }
  return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n
}

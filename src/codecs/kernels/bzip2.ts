import { malformed } from '../../errors.ts'
import { Bzip2Bits } from './bzip2-bits.ts'
import { readSymbols } from './bzip2-symbols.ts'
import { Output } from './output.ts'

/** "BZh" */
const SIGNATURE = [0x42, 0x5a, 0x68]
const BLOCK_MAGIC = 0x314159265359
const END_MAGIC = 0x177245385090
const CRC = makeTable()
/** The first run-length coding makes five bytes of four, the worst case. */
const WORST_RUN = 4

/** The content of bzip2 streams, at most `limit` bytes; checksums are verified. */
export function decodeBzip2(bytes: Uint8Array, limit: number): Uint8Array {
  const output = new Output(limit)
  const bits = new Bzip2Bits(bytes)
  const room = new Room(limit)
  do readStream(bits, output, room)
  while (beginsStream(bits.rest()))
  return output.done()
}

/** Where blocks are sorted: one for all of them, since a few bytes make a stream of their own. */
class Room {
  readonly #most: number
  #block = new Uint32Array(0)

  constructor(limit: number) {
    // What makes no more than is expected has no more bytes than this, so that small chunks need no room for the largest block.
    this.#most = limit + Math.ceil(limit / WORST_RUN) + 1
  }

  ofLevel(level: number): Uint32Array {
    const length = Math.min(level * 100_000, this.#most)
    if (this.#block.length < length) this.#block = new Uint32Array(length)
    return this.#block.subarray(0, length)
  }
}

/** What follows a stream and doesn't begin another is ignored, as Python does; one that is cut off after a byte is not. */
function beginsStream(bytes: Uint8Array): boolean {
  return bytes.length > 0 && SIGNATURE.every((byte, at) => at >= bytes.length || bytes[at] === byte)
}

function readStream(bits: Bzip2Bits, output: Output, room: Room): void {
  const level = bits.take(24) === 0x425a68 ? bits.take(8) - 0x30 : 0
  if (level < 1 || level > 9) throw malformed('a bzip2 stream begins with "BZh" and a digit from 1 to 9')
  const block = room.ofLevel(level)
  let combined = 0
  for (;;) {
    const magic = bits.take(24) * 2 ** 24 + bits.take(24)
    const expected = bits.take32()
    if (magic === END_MAGIC) {
      if (expected !== combined) throw malformed('the checksum of a bzip2 stream does not match: the chunk is damaged')
      bits.alignToByte()
      return
    }
    if (magic !== BLOCK_MAGIC) throw malformed('a bzip2 block begins with neither of its two magic numbers')
    const found = readBlock(bits, block, output)
    if (found !== expected) throw malformed('the checksum of a bzip2 block does not match: the chunk is damaged')
    combined = (((combined << 1) | (combined >>> 31)) ^ found) >>> 0
  }
}

/** Reads one block and appends its content; returns the content's checksum. */
function readBlock(bits: Bzip2Bits, block: Uint32Array, output: Output): number {
  if (bits.take(1) === 1) throw malformed('a bzip2 block is randomised, which no writer has done since 1997')
  const origin = bits.take(24)
  const links = block.subarray(0, readSymbols(bits, block))
  if (origin >= links.length) throw malformed('a bzip2 block begins outside itself')
  link(links)
  return unrun(links, origin, output)
}

/** The inverse of the Burrows-Wheeler transform: to each byte, where the next one is is added in the upper bits. */
function link(links: Uint32Array): void {
  const starts = new Uint32Array(257)
  for (let i = 0; i < links.length; i++) {
    const after = ((links[i] ?? 0) & 255) + 1
    starts[after] = (starts[after] ?? 0) + 1
  }
  for (let byte = 0; byte < 256; byte++) starts[byte + 1] = (starts[byte + 1] ?? 0) + (starts[byte] ?? 0)
  for (let i = 0; i < links.length; i++) {
    const byte = (links[i] ?? 0) & 255
    const at = starts[byte] ?? 0
    starts[byte] = at + 1
    links[at] = (links[at] ?? 0) | (i << 8)
  }
}

/** Follows the links and undoes the first run-length coding: after four equal bytes comes a count of more. */
function unrun(links: Uint32Array, origin: number, output: Output): number {
  let { bytes, length } = output
  let crc = 0xffffffff
  let at = (links[origin] ?? 0) >>> 8
  let previous = -1
  let run = 0
  for (let left = links.length; left > 0; left--) {
    const entry = links[at] ?? 0
    const byte = entry & 255
    at = entry >>> 8
    let times = 1
    if (run === 4) {
      times = byte
      run = 0
    } else {
      run = byte === previous ? run + 1 : 1
      previous = byte
    }
    if (length + times > bytes.length) {
      output.length = length
      output.reserve(times)
      bytes = output.bytes
    }
    for (; times > 0; times--) {
      bytes[length++] = previous
      crc = (crc << 8) ^ (CRC[(crc >>> 24) ^ previous] ?? 0)
    }
  }
  output.length = length
  return (crc ^ 0xffffffff) >>> 0
}

/** The CRC-32 polynomial, highest bit first. */
function makeTable(): Int32Array {
  return new Int32Array(256).map((_, byte) => {
    let crc = byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
    return crc
  })
}

import { malformed } from '../../errors.ts'
import type { ByteCodec } from '../codec.ts'
import { BitReader } from '../kernels/bzip2-bits.ts'
import { readSymbols, type Symbols } from '../kernels/bzip2-symbols.ts'
import { Output } from '../kernels/output.ts'

const BLOCK_MAGIC = 0x314159265359
const END_MAGIC = 0x177245385090
const CRC = makeTable()

/** bzip2, one stream or several. */
export const numcodecsBz2: ByteCodec = {
  kind: 'bytes',
  name: 'numcodecs.bz2',
  reach: 'native',
  decode: (bytes, _configuration, context) => decodeBzip2(bytes, context.limit),
}

/** The content of bzip2 streams, at most `limit` bytes; checksums are verified. */
function decodeBzip2(bytes: Uint8Array, limit: number): Uint8Array {
  const output = new Output(limit)
  const bits = new BitReader(bytes)
  do readStream(bits, output)
  while (bits.remainingBytes() >= 4)
  return output.done()
}

function readStream(bits: BitReader, output: Output): void {
  const level = bits.take(24) === 0x425a68 ? bits.take(8) - 0x30 : 0
  if (level < 1 || level > 9) throw malformed('a bzip2 stream begins with "BZh" and a digit from 1 to 9')
  const most = level * 100_000
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
    const found = readBlock(bits, most, output)
    if (found !== expected) throw malformed('the checksum of a bzip2 block does not match: the chunk is damaged')
    combined = (((combined << 1) | (combined >>> 31)) ^ found) >>> 0
  }
}

/** Reads one block and appends its content; returns the content's checksum. */
function readBlock(bits: BitReader, most: number, output: Output): number {
  if (bits.take(1) === 1) throw malformed('a bzip2 block is randomised, which no writer has done since 1997')
  const origin = bits.take(24)
  const symbols = readSymbols(bits, most)
  if (origin >= symbols.length) throw malformed('a bzip2 block begins outside itself')
  return unrun(sorted(symbols), origin, output)
}

/** The inverse of the Burrows-Wheeler transform: each entry holds a byte, and where the next one is. */
function sorted(symbols: Symbols): Uint32Array {
  const { bytes, length } = symbols
  const starts = new Uint32Array(257)
  for (let i = 0; i < length; i++) starts[(bytes[i] ?? 0) + 1] = (starts[(bytes[i] ?? 0) + 1] ?? 0) + 1
  for (let byte = 0; byte < 256; byte++) starts[byte + 1] = (starts[byte + 1] ?? 0) + (starts[byte] ?? 0)
  const links = new Uint32Array(length)
  for (let i = 0; i < length; i++) links[i] = bytes[i] ?? 0
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] ?? 0
    const at = starts[byte] ?? 0
    starts[byte] = at + 1
    links[at] = (links[at] ?? 0) | (i << 8)
  }
  return links
}

/** Follows the links and undoes the first run-length coding: after four equal bytes comes a count of more. */
function unrun(links: Uint32Array, origin: number, output: Output): number {
  let crc = 0xffffffff
  let at = (links[origin] ?? 0) >>> 8
  let previous = -1
  let run = 0
  for (let i = 0; i < links.length; i++) {
    const link = links[at] ?? 0
    const byte = link & 255
    at = link >>> 8
    let times = 1
    if (run === 4) {
      times = byte
      run = 0
    } else {
      run = byte === previous ? run + 1 : 1
      previous = byte
    }
    output.reserve(times)
    for (; times > 0; times--) {
      output.push(previous)
      crc = (crc << 8) ^ (CRC[(crc >>> 24) ^ previous] ?? 0)
    }
  }
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

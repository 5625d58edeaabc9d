import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeLz4 } from '../../../src/codecs/kernels/lz4.ts'
import { bitUnshuffle, shuffle, unshuffle } from '../../../src/codecs/kernels/shuffle.ts'
import { type ByteKernels, byteKernels } from '../../../src/codecs/kernels/wasm/bytes.ts'
import { sumRows } from '../../../src/codecs/tiff/predictor.ts'
import { randoms } from '../../helpers/randoms.ts'
import {
  type Plain,
  plainBitShuffle,
  plainBloscLz,
  plainDifferences,
  plainLz4,
  plainLzf,
  plainPackbits,
  plainShuffle,
} from './plain-decoders.ts'

type Decoder = 'lz4' | 'blosclz' | 'lzf' | 'packbits'
type Below = (bound: number) => number

const PLAIN: Readonly<Record<Decoder, Plain>> = {
  lz4: plainLz4,
  blosclz: plainBloscLz,
  lzf: plainLzf,
  packbits: plainPackbits,
}
const GUARD = 64
const GUARDED = 0xa5

/** What a kernel makes of a stream, in a memory with guards around its regions, which it leaves alone. */
function decoded(name: Decoder, stream: Uint8Array, room: number, enough: number): Uint8Array | undefined {
  const lengths = [GUARD, stream.length, GUARD, room, GUARD] as const
  return byteKernels.use(lengths, (kernels: ByteKernels, memory, _before, source, _between, target, after) => {
    memory.fill(GUARDED, source - GUARD, after + GUARD)
    memory.set(stream, source)
    const ends = [source, source + stream.length, target, target + room] as const
    const written = name === 'packbits' ? kernels.packbits(...ends, enough) : kernels[name](...ends)
    const around = [
      memory.subarray(source - GUARD, source),
      memory.subarray(source + stream.length, target),
      memory.subarray(target + room, after + GUARD),
    ]
    assert.ok(
      around.every((bytes) => bytes.every((byte) => byte === GUARDED)),
      `${name} writes outside its target`,
    )
    assert.deepEqual(memory.slice(source, source + stream.length), stream)
    assert.ok(written <= room)
    return written < 0 ? undefined : memory.slice(target, target + written)
  })
}

/** Some literals, and a piece that begins `distance` back. */
interface Piece {
  readonly literals: number
  readonly distance: number
  readonly length: number
}

/** Short and long ones, near and far. */
function piecesOf(below: Below): Piece[] {
  let end = 0
  return Array.from({ length: 1 + below(40) }, () => {
    const literals = (end === 0 ? 1 : 0) + (below(8) === 0 ? below(400) : below(20))
    const distance = 1 + below(Math.min(below(2) === 0 ? 20 : 9000, end + literals))
    const length = 4 + (below(6) === 0 ? below(700) : below(20))
    end += literals + length
    return { literals, distance, length }
  })
}

type Write = (piece: Piece, random: (count: number) => number[]) => number[]

/** What is too long for one code of literals. */
function inParts(count: number, most: number, random: (count: number) => number[]): number[] {
  const bytes: number[] = []
  for (let left = count; left > 0; left -= most) {
    const part = Math.min(left, most)
    bytes.push(part - 1, ...random(part))
  }
  return bytes
}

function extended(rest: number): number[] {
  return rest < 0 ? [] : [...Array<number>(Math.floor(rest / 255)).fill(255), rest % 255]
}

const WRITE: Readonly<Record<Decoder, Write>> = {
  lz4: ({ literals, distance, length }, random) => [
    (Math.min(literals, 15) << 4) | Math.min(length - 4, 15),
    ...extended(literals - 15),
    ...random(literals),
    distance & 255,
    distance >> 8,
    ...extended(length - 19),
  ],
  blosclz: ({ literals, distance, length }, random) => {
    const isFar = distance > 8191
    const near = isFar ? 8191 : distance - 1
    const far = isFar ? [(distance - 8192) >> 8, (distance - 8192) & 255] : []
    const control = (Math.min(length - 2, 7) << 5) | (near >> 8)
    return [...inParts(literals, 32, random), control, ...extended(length - 9), near & 255, ...far]
  },
  lzf: ({ literals, distance, length }, random) => {
    const far = Math.min(distance, 8192) - 1
    const bytes = inParts(literals, 32, random)
    for (let left = length; left > 0; ) {
      const part = left > 264 ? Math.min(left - 3, 264) : left
      bytes.push((Math.min(part - 2, 7) << 5) | (far >> 8), ...(part < 9 ? [] : [part - 9]), far & 255)
      left -= part
    }
    return bytes
  },
  packbits: ({ literals, length }, random) => [
    ...inParts(literals, 128, random),
    257 - Math.min(length, 128),
    ...random(1),
    ...(length % 5 === 0 ? [128] : []),
  ],
}

function generator(seed: number): Below {
  const numbers = randoms(seed)
  return (bound) => Math.floor((numbers.next().value / 2 ** 32) * bound)
}

function streamOf(name: Decoder, below: Below): Uint8Array {
  const random = (count: number) => Array.from({ length: count }, () => below(256))
  return Uint8Array.from(piecesOf(below).flatMap((piece) => WRITE[name](piece, random)))
}

function assertSame(name: Decoder, stream: Uint8Array, room: number, enough: number): void {
  const expected = PLAIN[name](stream, room, enough)
  const found = decoded(name, stream, room, enough)
  assert.deepEqual(found, expected && Uint8Array.from(expected), `${name}, room for ${room}, ${stream.length} bytes`)
}

const MOST = 2 ** 16

for (const name of Object.keys(PLAIN) as Decoder[]) {
  test(`${name} decodes as a decoder that goes byte by byte, with any room for the content`, () => {
    const below = generator(1)
    for (let round = 0; round < 300; round++) {
      const stream = streamOf(name, below)
      const length = PLAIN[name](stream, MOST, MOST)?.length
      assert.ok(length !== undefined && length > 0)
      for (const room of [length, length + 1, length + 40, length - 1, Math.max(length - 17, 0), 0]) {
        assertSame(name, stream, room, MOST)
      }
      assertSame(name, stream, length, below(length + 1))
    }
  })

  test(`${name} that is cut off or damaged anywhere gives what it says, or nothing, and leaves all else alone`, () => {
    const below = generator(2)
    const short = streamOf(name, below)
    for (let end = 0; end < Math.min(short.length, 400); end++) assertSame(name, short.subarray(0, end), 3000, MOST)
    for (let round = 0; round < 2000; round++) {
      const stream = streamOf(name, below)
      for (let change = below(3); change >= 0; change--)
        stream[below(stream.length)] = below(4) === 0 ? 255 : below(256)
      assertSame(name, stream, below(4) === 0 ? below(200) : 8000, MOST)
    }
  })
}

test('bytes are shuffled and put together again, for items of any size and any number of them', () => {
  const below = generator(3)
  for (const size of [1, 2, 3, 4, 5, 7, 8, 12, 16, 100]) {
    for (const length of [0, 1, 15, 16, 31, 32, 127, 128, 129, 1000, 4099, 40_000]) {
      const bytes = Uint8Array.from({ length }, () => below(256))
      const planes = plainShuffle(bytes, size)
      assert.deepEqual(shuffle(bytes, size), planes, `${length} bytes, items of ${size}`)
      assert.deepEqual(unshuffle(planes, size), bytes, `${length} bytes, items of ${size}`)
    }
  }
  const long = Uint8Array.from({ length: 700_003 }, () => below(256))
  for (const size of [2, 4, 8, 11, 300_000]) assert.deepEqual(unshuffle(shuffle(long, size), size), long)
})

test('bits are put together, for items of any size and any multiple of eight of them', () => {
  const below = generator(4)
  for (const size of [1, 2, 3, 4, 8, 11]) {
    for (const count of [0, 8, 16, 120, 128, 136, 256, 1000]) {
      const bytes = Uint8Array.from({ length: count * size }, () => below(256))
      assert.deepEqual(bitUnshuffle(plainBitShuffle(bytes, size), size), bytes, `${count} items of ${size}`)
    }
  }
})

test('differences are summed up, for numbers of any size and pixels of any number of them', () => {
  const below = generator(5)
  for (const size of [1, 2, 4, 8]) {
    for (const samples of [1, 2, 3, 4, 5, 7, 9, 20]) {
      for (const width of [1, 2, 3, 7, 16, 33]) {
        const rowBytes = width * samples * size
        const bytes = Uint8Array.from({ length: 3 * rowBytes }, () => below(256))
        const found = plainDifferences(bytes, rowBytes, samples * size, size)
        sumRows(found as Uint8Array<ArrayBuffer>, { size, samples, rowBytes })
        assert.deepEqual(found, bytes, `rows of ${width} pixels, ${samples} samples of ${size} bytes`)
      }
    }
  }
})

test('what is decoded has memory of its own, which can be sent to another thread, however long it is', () => {
  const length = 2 ** 26
  const rest = length - 25
  // A literal, a match from one back, five literals: a header and as many bytes of 255 as the match needs.
  const stream = Uint8Array.from([0x1f, 7, 1, 0, ...Array<number>(Math.floor(rest / 255)).fill(255), rest % 255, 0x50])
  const bytes = new Uint8Array(4 + stream.length + 5).fill(9)
  new DataView(bytes.buffer).setUint32(0, length, true)
  bytes.set(stream, 4)
  const content = decodeLz4(bytes, length)
  assert.equal(structuredClone(content, { transfer: [content.buffer as ArrayBuffer] }).length, length)
})

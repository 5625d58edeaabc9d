import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { prepareBitshuffle } from '../../../src/codecs/hdf5/bitshuffle.ts'
import { randoms } from '../../helpers/randoms.ts'
import { plainBitShuffle } from '../kernels/plain-decoders.ts'

type Compression = 'none' | 'lz4' | 'zstd'

const random = randoms(1)
const MOST = Uint8Array.from({ length: 400_000 }, () => random.next().value >> 24)

/** Blocks of so many items, each by itself, the last one shorter; items after the last multiple of 8 as they are. */
function shuffledBlocks(bytes: Uint8Array, size: number, block: number): { blocks: Uint8Array[]; rest: Uint8Array } {
  const end = bytes.length - (bytes.length % (8 * size))
  const blocks: Uint8Array[] = []
  for (let at = 0; at < end; at += block * size) {
    blocks.push(plainBitShuffle(bytes.subarray(at, Math.min(at + block * size, end)), size))
  }
  return { blocks, rest: bytes.subarray(end) }
}

function chunkOf(bytes: Uint8Array, size: number, block: number, compression: Compression): Uint8Array {
  const { blocks, rest } = shuffledBlocks(bytes, size, block)
  if (compression === 'none') return Buffer.concat([...blocks, rest])
  const header = Buffer.alloc(12)
  header.writeBigUInt64BE(BigInt(bytes.length))
  header.writeUInt32BE(block * size, 8)
  const stored = blocks.flatMap((content) => {
    const compressed = compression === 'lz4' ? literals(content) : zstdCompressSync(content)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(compressed.length)
    return [length, compressed]
  })
  return Buffer.concat([header, ...stored, rest])
}

/** An LZ4 block without matches. */
function literals(content: Uint8Array): Uint8Array {
  if (content.length < 15) return Buffer.concat([Uint8Array.of(content.length << 4), content])
  const more = content.length - 15
  return Buffer.concat([Uint8Array.of(0xf0), new Uint8Array(more / 255).fill(255), Uint8Array.of(more % 255), content])
}

for (const compression of ['none', 'lz4', 'zstd'] as const) {
  test(`blocks of any length are put together, compression ${compression}`, () => {
    for (const [size, block] of [
      [1, 8],
      [2, 136],
      [3, 1000],
      [4, 2048],
      [4, 40_000],
      [8, 1024],
      [20_000, 8],
    ] as const) {
      for (const items of [0, 1, 7, 8, 9, 4099, 70_013]) {
        const bytes = MOST.subarray(0, Math.min(items, Math.floor(MOST.length / size)) * size)
        const { decode } = prepareBitshuffle({ elementsize: size, blocksize: block, compression })
        const found = decode(chunkOf(bytes, size, block, compression), { limit: bytes.length })
        assert.ok(Buffer.from(found).equals(bytes), `${items} items of ${size} bytes, blocks of ${block}`)
      }
    }
  })
}

test('blocks that are not as long as they should be, and lengths beyond the limit, are malformed', () => {
  const bytes = MOST.subarray(0, 3 * 8192)
  for (const compression of ['lz4', 'zstd'] as const) {
    const { decode } = prepareBitshuffle({ elementsize: 4, blocksize: 0, compression })
    const stored = chunkOf(bytes, 4, 2048, compression)
    assert.throws(() => decode(stored, { limit: bytes.length - 1 }), { code: 'malformed-source' })
    assert.throws(() => decode(stored.subarray(0, -1), { limit: bytes.length }), { code: 'malformed-source' })
    const longer = Buffer.from(stored)
    longer.writeUInt32BE(8192 + 32, 8)
    assert.throws(() => decode(longer, { limit: bytes.length }), { code: 'malformed-source' })
    const endless = Buffer.from(stored)
    endless.writeUInt32BE(2 ** 32 - 32, 8)
    assert.throws(() => decode(endless, { limit: bytes.length }), { code: 'malformed-source' })
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, zstdCompressSync } from 'node:zlib'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { encodeLzw } from '../../../src/codecs/kernels/lzw-encoder.ts'
import type { StoredCodec } from '../../../src/model/encoding.ts'

const LAYOUT = { shape: [3, 2], dataType: { kind: 'uint', bits: 16 } } as const
const WHOLE = [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]
const DECODED = [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]

interface Options {
  readonly rowsInside?: number
  readonly outer?: readonly StoredCodec[]
  readonly block?: number
}

async function decode(bytes: Iterable<number>, { rowsInside, outer = [], block = 12 }: Options = {}) {
  const inside = rowsInside === undefined ? undefined : [rowsInside, 2]
  const rows = { name: 'vz.tiff-rows', configuration: { endian: 'big', block } }
  const elements = await decodeChunk(Uint8Array.from(bytes), [rows, ...outer], LAYOUT, { limit: 2 ** 20, inside })
  return elements.kind === 'fixed' ? [...elements.bytes] : []
}

test('rows outside of the image may be missing, and read as zero', async () => {
  assert.deepEqual(await decode(WHOLE.slice(0, 8), { rowsInside: 2 }), [...DECODED.slice(0, 8), 0, 0, 0, 0])
})

test('rows inside of the image may not', async () => {
  await assert.rejects(decode(WHOLE.slice(0, 7), { rowsInside: 2 }), /at least 8 are expected/)
  await assert.rejects(decode(WHOLE.slice(0, 11)), /at least 12 are expected/)
})

const LZW = { name: 'imagecodecs_lzw', configuration: {} }
const PACKBITS = { name: 'imagecodecs_packbits', configuration: {} }
const ZLIB = { name: 'numcodecs.zlib', configuration: {} }
const ZSTD = { name: 'zstd', configuration: {} }
const literals = (bytes: readonly number[]) => [bytes.length - 1, ...bytes]

const COMPRESSORS: readonly [string, StoredCodec, (bytes: readonly number[]) => Iterable<number>][] = [
  ['LZW', LZW, (bytes) => encodeLzw(Uint8Array.from(bytes))],
  ['PackBits', PACKBITS, literals],
  ['deflate', ZLIB, (bytes) => deflateSync(Uint8Array.from(bytes))],
  ['Zstandard', ZSTD, (bytes) => zstdCompressSync(Uint8Array.from(bytes))],
]

for (const [name, codec, compress] of COMPRESSORS) {
  test(`${name}: what follows the last row is ignored, in the stream and after it, and what lacks is an error`, async () => {
    const outer = [codec]
    assert.deepEqual(await decode(compress(WHOLE), { outer }), DECODED)
    assert.deepEqual(await decode(compress([...WHOLE, 7, 8, 9]), { outer }), DECODED)
    for (const junk of [[0], [0xab, 0xab, 0xab], new Array<number>(300).fill(0)])
      assert.deepEqual(await decode([...compress(WHOLE), ...junk], { outer }), DECODED)
    await assert.rejects(decode(compress(WHOLE.slice(0, 11)), { outer }), { code: 'malformed-source' })
    await assert.rejects(decode([...compress(WHOLE)].slice(0, 6), { outer }), { code: 'malformed-source' })
  })

  test(`${name}: a last strip may be as long as all others, a bomb may not`, async () => {
    const outer = [codec]
    const long = [...WHOLE, ...new Array<number>(100).fill(0)]
    assert.deepEqual(await decode(compress(long), { outer, block: 4096 }), DECODED)
    if (codec === LZW || codec === PACKBITS) return
    const bomb = compress(new Array<number>(1_000_000).fill(0))
    await assert.rejects(decode(bomb, { outer, block: 4096 }), { code: 'malformed-source' })
  })
}

test('a zlib stream may lack its checksum, but no byte that is needed', async () => {
  const stream = [...deflateSync(Uint8Array.from(WHOLE))]
  assert.deepEqual(await decode(stream.slice(0, -2), { outer: [ZLIB] }), DECODED)
  await assert.rejects(decode(stream.slice(0, -9), { outer: [ZLIB] }), { code: 'malformed-source' })
})

test('the order of bits is undone before what follows is cut off', async () => {
  const mirrored = (byte: number) => Number.parseInt(byte.toString(2).padStart(8, '0').split('').reverse().join(''), 2)
  const stream = [...deflateSync(Uint8Array.from([...WHOLE, 7, 7, 7, 7])), 1, 2].map(mirrored)
  const outer = [ZLIB, { name: 'vz.tiff-fill-order', configuration: {} }]
  assert.deepEqual(await decode(stream, { outer }), DECODED)
})

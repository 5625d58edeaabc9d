import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeChunk } from '../../src/codecs/decode.ts'
import { hdf4RunLength } from '../../src/codecs/hdf4/run-length.ts'
import { hdf4SkippingHuffman } from '../../src/codecs/hdf4/skipping-huffman.ts'
import { hdf4Szip } from '../../src/codecs/hdf4/szip.ts'
import { szip } from '../../src/codecs/hdf5/szip.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import { rawEncoding, type StoredCodec } from '../../src/model/encoding.ts'

const BYTES = { kind: 'uint', bits: 8 } as const

async function decoded(stored: Uint8Array, codec: StoredCodec, length: number): Promise<Uint8Array> {
  const layout = { shape: [length], dataType: BYTES }
  const elements = await decodeChunk(stored, [...rawEncoding('big'), codec], layout, { limit: 2 ** 20 })
  assert.ok(elements.kind === 'fixed')
  return elements.bytes
}

/** Eight pixels a block and a line, none of them compressed: the code for that is all ones, then the pixels. */
const PIXELS = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
const STREAM = Uint8Array.from(streamOf(PIXELS))

function streamOf(pixels: Uint8Array): number[] {
  let bits = '111'
  for (const pixel of pixels) bits += pixel.toString(2).padStart(8, '0')
  return (bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}

describe('codecs of HDF4', () => {
  const settings = { pixelsPerBlock: 8, bitsPerPixel: 8, pixelsPerScanline: 8 }
  const mask = 128 | 4

  test("szip is HDF5's, behind five bytes that say whether it is compressed", async () => {
    const inHdf5 = Uint8Array.from([8, 0, 0, 0, ...STREAM])
    assert.deepEqual(await decoded(inHdf5, szip.stored({ ...settings, mask }), 8), PIXELS)
    const withHeader = hdf4Szip.stored({ ...settings, pixels: 8, mask: mask | 0x10000 })
    assert.deepEqual(await decoded(Uint8Array.from([0, 0, 0, 0, STREAM.length, ...STREAM]), withHeader, 8), PIXELS)
    assert.deepEqual(await decoded(Uint8Array.from([1, 0, 0, 0, 8, ...PIXELS]), withHeader, 8), PIXELS)
    const without = hdf4Szip.stored({ ...settings, pixels: 8, mask })
    assert.deepEqual(await decoded(STREAM, without, 8), PIXELS, 'as HDF 4.2r0 wrote it')
    await assert.rejects(decoded(Uint8Array.from([0, 0, 0, 1, 0]), withHeader, 8), isMalformed)
  })

  test('run lengths and codes that end too early, or give too much, are refused', async () => {
    const runs = hdf4RunLength.stored({})
    assert.deepEqual(await decoded(Uint8Array.of(0x80, 7, 1, 1, 2), runs, 5), Uint8Array.of(7, 7, 7, 1, 2))
    await assert.rejects(decoded(Uint8Array.of(0x80), runs, 3), isMalformed)
    await assert.rejects(decoded(Uint8Array.of(5, 1, 2), runs, 6), isMalformed)
    const huffman = hdf4SkippingHuffman.stored({ skip: 1, length: 4 })
    await assert.rejects(decoded(Uint8Array.of(0, 0), huffman, 4), isMalformed)
    await assert.rejects(
      decoded(Uint8Array.of(0xff), hdf4SkippingHuffman.stored({ skip: 0, length: 4 }), 4),
      isMalformed,
    )
  })
})

function isMalformed(error: unknown): boolean {
  return isVirtualZarrError(error, 'malformed-source')
}

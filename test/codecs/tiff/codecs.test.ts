import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import { prepareEncoding } from '../../../src/codecs/prepare.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/json/json.ts'
import type { DataType } from '../../../src/model/data-type.ts'
import type { StoredCodec } from '../../../src/model/encoding.ts'
import { tiffVectors } from './vectors.ts'

const U8: DataType = { kind: 'uint', bits: 8 }

const vectors = tiffVectors()

test('old LZW streams have the bits of their codes in the other order', async () => {
  // Clear, 1, 2, 258 (1 2), 260 (1 2 1), end: codes of 9 bits, the lowest bit first.
  const codes = [256, 1, 2, 258, 260, 257]
  const bits = codes.flatMap((code) => Array.from({ length: 9 }, (_, bit) => (code >> bit) & 1))
  const stored = new Uint8Array(Math.ceil(bits.length / 8))
  for (const [at, bit] of bits.entries()) stored[at >> 3] = (stored[at >> 3] ?? 0) | (bit << (at & 7))
  assert.deepEqual([stored[0], (stored[1] ?? 0) & 1], [0, 1])
  assert.deepEqual(await decode([bytes(), codec('imagecodecs_lzw')], stored, [7]), [1, 2, 1, 2, 1, 2, 1])
})

test('an LZW code that is not in the table, and a stream that ends early, are refused', async () => {
  const beyond = Uint8Array.of(0x80, 0x40, 0xd0, 0x00)
  await refused([bytes(), codec('imagecodecs_lzw')], beyond, [100], 'malformed-source')
  await refused([bytes(), codec('imagecodecs_lzw')], Uint8Array.of(0x80, 0x00), [100], 'malformed-source')
})

test('NeXT: runs, a literal row, a literal span on white', async () => {
  const stored = Uint8Array.of(0x44, 0xc1, 0x00, 0x1b, 0xe0, 0x40, 0x00, 0x01, 0x00, 0x01, 0x50)
  assert.deepEqual(
    await decode([codec('vz.tiff-next')], stored, [3, 5]),
    [
      [1, 1, 1, 1, 3],
      [0, 1, 2, 3, 3],
      [3, 3, 3, 3, 1],
    ].flat(),
  )
})

test('ThunderScan: raw pixels, runs, differences of two and three bits', async () => {
  const stored = Uint8Array.of(0xc7, 0x02, 0b0101_1011, 0b1000_1111)
  // 7, a run of two, +1, skip, -1, then +1 and -1.
  assert.deepEqual(await decode([codec('vz.tiff-thunderscan')], stored, [1, 7]), [7, 7, 7, 8, 7, 8, 7])
  await refused([codec('vz.tiff-thunderscan')], Uint8Array.of(0xc7, 0x3f), [1, 7], 'malformed-source')
})

test('complex integers become complex floats', async () => {
  const stored = Uint8Array.of(0xff, 0xfe, 0x00, 0x03, 0x80, 0x00, 0x7f, 0xff)
  const encoding = [codec('vz.tiff-complex-int', { bits: 32, endian: 'big' })]
  const values = await decode(encoding, stored, [1, 2], { kind: 'complex', bits: 64 })
  assert.deepEqual([...new Float32Array(Uint8Array.from(values).buffer)], [-2, 3, -32768, 32767])
})

test('floats of 24 bits: zero, one, the smallest, the largest, infinity and not a number', async () => {
  const words = [0x000000, 0x3f0000, 0x000001, 0x7effff, 0xff0000, 0x7f0001]
  const stored = Uint8Array.from(words.flatMap((word) => [word & 255, (word >> 8) & 255, word >> 16]))
  const encoding = [codec('vz.tiff-unpack', { bits: 24, float: true, endian: 'little' })]
  const values = await decode(encoding, stored, [1, 6], { kind: 'float', bits: 32 })
  assert.deepEqual(
    [...new Float32Array(Uint8Array.from(values).buffer)],
    [0, 1, 2 ** -78, 2 ** 63 * (2 - 2 ** -16), Number.NEGATIVE_INFINITY, Number.NaN],
  )
})

test('signed samples of odd sizes keep their sign', async () => {
  const encoding = [codec('vz.tiff-unpack', { bits: 12, signed: true, endian: 'big' })]
  const values = await decode(encoding, Uint8Array.of(0xff, 0xf7, 0xff), [1, 2], { kind: 'int', bits: 16 })
  assert.deepEqual([...new Int16Array(Uint8Array.from(values).buffer)], [-1, 2047])
})

test('LERC of a big-endian file: libtiff swaps bytes before it compresses', async () => {
  const { stored } = vector('lerc with NaN none')
  const little = await decode([codec('vz.tiff-lerc')], stored, [24, 30], { kind: 'float', bits: 32 })
  const big = await decode([codec('vz.tiff-lerc', { endian: 'big' })], stored, [24, 30], { kind: 'float', bits: 32 })
  assert.deepEqual(big.slice(0, 4), little.slice(0, 4).toReversed())
  const masked = 4 * (10 * 30 + 5)
  assert.deepEqual(big.slice(masked, masked + 4), little.slice(masked, masked + 4))
})

test('pictures whose size is not that of the block are refused before they are decoded', async () => {
  for (const name of ['webp', 'png', 'jpeg2000', 'jpegxl', 'lerc', 'jpeg']) {
    const { stored, codecs } = vector(name)
    const type: DataType = name === 'lerc' ? { kind: 'float', bits: 32 } : U8
    await refused(codecs, stored, [16, 16, 3], 'malformed-source', type)
    await refused(codecs, stored, [4000, 45, 3], 'malformed-source', type)
  }
})

test('what is not decoded is refused by name', () => {
  const named: readonly (readonly [StoredCodec, string])[] = [
    [codec('vz.tiff-jpegxl', { samples: 1, bits: 32 }), 'JPEG XL with 1 samples of 32 bits'],
    [codec('vz.tiff-ccitt', { compression: 3, options: 2 }), 'CCITT extensions'],
  ]
  for (const [step, feature] of named) {
    assert.throws(
      () => prepareEncoding([step], { shape: [4, 4], dataType: U8 }),
      (error) => isVirtualZarrError(error, 'unsupported-feature') && error.context.feature === feature,
    )
  }
})

test('kinds of JPEG that are not decoded are refused by name', async () => {
  const { stored, codecs } = vector('jpeg RGB of GDAL')
  const frame = stored.indexOf(0xc0, stored.indexOf(0xff, 2))
  for (const [marker, feature] of [
    [0xc3, 'lossless JPEG'],
    [0xc9, 'arithmetic-coded JPEG'],
    [0xc5, 'hierarchical JPEG'],
  ] as const) {
    const changed = Uint8Array.from(stored)
    changed[frame] = marker
    await assert.rejects(
      async () => await decode(codecs, changed, [35, 45, 3]),
      (error) => isVirtualZarrError(error, 'unsupported-feature') && error.context.feature === feature,
    )
  }
})

function codec(name: string, configuration: JsonObject = {}): StoredCodec {
  return { name, configuration }
}

function bytes(): StoredCodec {
  return codec('bytes', { endian: 'little' })
}

function vector(begin: string) {
  const found = vectors.find(({ id }) => id.startsWith(begin))
  assert.ok(found !== undefined, begin)
  return found
}

async function decode(
  encoding: readonly StoredCodec[],
  stored: Uint8Array,
  shape: readonly number[],
  dataType = U8,
): Promise<number[]> {
  const elements = await decodeChunk(stored, encoding, { shape, dataType }, { limit: 2 ** 20 })
  return elements.kind === 'fixed' ? [...elements.bytes] : []
}

async function refused(
  encoding: readonly StoredCodec[],
  stored: Uint8Array,
  shape: readonly number[],
  code: 'malformed-source' | 'unsupported-feature',
  dataType = U8,
): Promise<void> {
  await assert.rejects(
    async () => await decode(encoding, stored, shape, dataType),
    (error) => isVirtualZarrError(error, code),
  )
}

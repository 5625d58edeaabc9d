import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { bloscHeader } from '../../src/codecs/kernels/blosc-frame.ts'
import type { StoredCodec } from '../../src/model/encoding.ts'
import { codec, decode, INT16, LITTLE, layoutOf, UINT8 } from './codec-of.ts'

const zeros = Buffer.alloc(2 ** 24)
const layout = layoutOf(UINT8, 100)

test('a bomb is refused when it has given what the chunk can hold, not when it is done', async () => {
  const bombs: readonly (readonly [string, Uint8Array])[] = [
    ['gzip', gzipSync(zeros)],
    ['zstd', zstdCompressSync(zeros)],
    ['numcodecs.zlib', deflateSync(zeros)],
    ['numcodecs.bz2', Buffer.from(BZ2_BOMB, 'base64')],
    ['numcodecs.lz4', lz4Bomb()],
  ]
  for (const [name, stored] of bombs) {
    await assert.rejects(decode(stored, [LITTLE, codec(name)], layout), { code: 'malformed-source' }, name)
  }
})

test('a bomb in a bomb is refused at the first', async () => {
  const nested = deflateSync(deflateSync(zeros))
  const encoding = [LITTLE, codec('numcodecs.zlib'), codec('numcodecs.zlib')]
  await assert.rejects(decode(nested, encoding, layout), { code: 'malformed-source' })
})

test('lengths that a header lies about cost no memory', async () => {
  const lies: readonly (readonly [string, Uint8Array])[] = [
    ['numcodecs.lz4', Buffer.from('ffffff7f00', 'hex')],
    ['numcodecs.lzma', Buffer.from(`5d00008000${'ff'.repeat(7)}7f00`, 'hex')],
    ['blosc', bloscHeader({ ...BLOSC, decodedLength: 2 ** 31, blockLength: 1 })],
    ['blosc', bloscHeader({ ...BLOSC, decodedLength: 100, blockLength: 0 })],
    ['blosc', bloscHeader({ ...BLOSC, decodedLength: 100, blockLength: 1 })],
    ['blosc', bloscHeader({ ...BLOSC, decodedLength: 100, blockLength: 100, frameLength: 15 })],
  ]
  for (const [name, stored] of lies) {
    const configuration = name === 'numcodecs.lzma' ? { format: 2 } : {}
    const before = process.memoryUsage().arrayBuffers
    await assert.rejects(
      decode(stored, [LITTLE, codec(name, configuration)], layout),
      { code: 'malformed-source' },
      name,
    )
    assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 22, name)
  }
})

test('text that says more items, or longer ones, than are there is malformed', async () => {
  const items = layoutOf({ kind: 'string' }, 2)
  for (const hex of [
    '',
    '02',
    '02000000',
    '03000000',
    '02000000ffffffff',
    '0200000000000000ffffff7f61',
    '02000000010000000100000061',
  ]) {
    await assert.rejects(
      decode(Buffer.from(hex, 'hex'), [codec('vlen-utf8')], items),
      { code: 'malformed-source' },
      hex,
    )
  }
  const notUtf8 = Buffer.from('0200000001000000ff00000000', 'hex')
  await assert.rejects(decode(notUtf8, [codec('vlen-utf8')], items), { code: 'malformed-source' })
})

test('a damaged checksum is malformed, for every checksum', async () => {
  for (const name of [
    'crc32c',
    'numcodecs.crc32',
    'numcodecs.crc32c',
    'numcodecs.adler32',
    'numcodecs.fletcher32',
    'numcodecs.jenkins_lookup3',
  ]) {
    await assert.rejects(
      decode(Buffer.alloc(104, 1), [LITTLE, codec(name)], layout),
      { code: 'malformed-source' },
      name,
    )
    await assert.rejects(
      decode(Buffer.alloc(3), [LITTLE, codec(name)], layoutOf(UINT8, 0)),
      { code: 'malformed-source' },
      name,
    )
  }
})

test('a chunk that decodes to another length than its shape is malformed', async () => {
  await assert.rejects(decode(Buffer.alloc(3), [LITTLE], layoutOf(INT16, 2)), { code: 'malformed-source' })
  await assert.rejects(decode(deflateSync(Buffer.alloc(99)), [LITTLE, codec('numcodecs.zlib')], layout), {
    code: 'malformed-source',
  })
})

test('a shard whose index points outside it is malformed', async () => {
  const shard = (shape: readonly number[]) =>
    codec('sharding_indexed', {
      chunk_shape: shape,
      codecs: [{ name: 'bytes', configuration: {} }],
      index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    })
  const index = Buffer.alloc(32)
  index.writeBigUInt64LE(2n ** 63n, 0)
  index.writeBigUInt64LE(50n, 8)
  await assert.rejects(decode(index, [shard([50])], layout), { code: 'malformed-source' })
  await assert.rejects(decode(Buffer.alloc(8), [shard([50])], layout), { code: 'malformed-source' })
  await assert.rejects(decode(index, [shard([51])], layout), { code: 'malformed-source' })
  await assert.rejects(decode(index, [shard([0])], layout), { code: 'malformed-source' })
})

test('encodings that make no sense are refused before anything is read', async () => {
  const bad: readonly (readonly StoredCodec[])[] = [
    [],
    [codec('gzip')],
    [LITTLE, LITTLE],
    [LITTLE, codec('transpose', { order: [0] })],
    [codec('transpose', { order: [1] }), LITTLE],
    [codec('bytes', { endian: 'middle' })],
    [LITTLE, codec('numcodecs.shuffle', { elementsize: -1 })],
    [codec('vz.field', { type: { kind: 'structured', fields: [] }, field: 0 }), LITTLE],
  ]
  for (const encoding of bad) {
    await assert.rejects(async () => await decode(Buffer.alloc(100), encoding, layout), { code: 'malformed-source' })
  }
  await assert.rejects(async () => await decode(Buffer.alloc(100), [LITTLE, codec('nope')], layout), {
    code: 'unsupported-feature',
  })
})

const BLOSC = {
  compressor: 'lz4',
  shuffle: 'none',
  memcpy: false,
  unsplit: true,
  itemSize: 1,
  decodedLength: 0,
  blockLength: 0,
  frameLength: 16,
} as const

/** 4 MiB of zeros by bzip2 -9. */
const BZ2_BOMB = 'QlpoOTFBWSZTWVYC4ogAICBIAMAAAAQACCAAMMwFKaYCAbECAeLuSKcKEgrAXFEA'

/** A header that says 100 bytes, and a block of a million. */
function lz4Bomb(): Buffer {
  const block = Buffer.concat([Buffer.from('1f000100', 'hex'), Buffer.alloc(4000, 255), Buffer.from([0])])
  return Buffer.concat([Buffer.from('64000000', 'hex'), block])
}

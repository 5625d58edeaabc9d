import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, zstdCompressSync } from 'node:zlib'
import NumcodecsBlosc from 'numcodecs/blosc'
import NumcodecsLz4 from 'numcodecs/lz4'
import NumcodecsZstd from 'numcodecs/zstd'
import blosc from '../../web/src/codecs/blosc.ts'
import { inflateZlib, inflateZstd } from '../../web/src/codecs/inflate.ts'
import lz4 from '../../web/src/codecs/lz4.ts'
import zstd from '../../web/src/codecs/zstd.ts'

const PLAIN = Uint8Array.from({ length: 100_003 }, (_, at) => (at % 4 === 0 ? at >> 6 : at % 4))

for (const cname of ['blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd'] as const) {
  for (const shuffle of [0, 1, 2] as const) {
    test(`the page reads what numcodecs writes as Blosc of ${cname}, shuffle ${shuffle}`, async () => {
      const encoded = await NumcodecsBlosc.fromConfig({ id: 'blosc', cname, clevel: 5, shuffle, blocksize: 0 }).encode(
        PLAIN,
      )
      assert.deepEqual(blosc.fromConfig().decode(encoded), PLAIN)
    })
  }
}

test('the page reads what numcodecs writes as zstd and as lz4', async () => {
  const zstdBytes = await NumcodecsZstd.fromConfig({ id: 'zstd', level: 3 }).encode(PLAIN)
  assert.deepEqual(zstd.fromConfig().decode(zstdBytes), PLAIN)
  const lz4Bytes = await NumcodecsLz4.fromConfig({ id: 'lz4', acceleration: 1 }).encode(PLAIN)
  assert.deepEqual(lz4.fromConfig().decode(lz4Bytes), PLAIN)
})

test('the page inflates as Node does', () => {
  assert.deepEqual(new Uint8Array(inflateZlib(deflateSync(PLAIN), PLAIN.length)), PLAIN)
  assert.deepEqual(inflateZstd(zstdCompressSync(PLAIN), PLAIN.length), PLAIN)
})

test('what is damaged is refused', () => {
  assert.throws(() => blosc.fromConfig().decode(new Uint8Array(20)), /Blosc/)
  assert.throws(() => zstd.fromConfig().decode(new Uint8Array(20)))
})

test('decoded bytes are alone in their buffer, which other codecs read from its start', async () => {
  const random = Uint8Array.from({ length: 4096 }, (_, at) => Math.imul(at + 7, 2_654_435_761) >>> 13)
  const stored = await NumcodecsBlosc.fromConfig({
    id: 'blosc',
    cname: 'lz4',
    clevel: 0,
    shuffle: 0,
    blocksize: 0,
  }).encode(random)
  for (const decoded of [blosc.fromConfig().decode(stored), zstd.fromConfig().decode(zstdCompressSync(random))]) {
    assert.deepEqual(decoded, random)
    assert.equal(decoded.buffer.byteLength, random.length)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { inflateGzip, inflateZlib, inflateZstd } from '../../../src/codecs/kernels/inflate.ts'

const LIMIT = 2 ** 28

test('memory is taken for what a stream may hold, not for what is allowed', () => {
  const text = Buffer.from('station 17, water level, provisional')
  const inflated = [
    inflateZlib(deflateSync(text), LIMIT),
    inflateGzip(gzipSync(text), LIMIT),
    inflateZstd(zstdCompressSync(text), LIMIT),
  ]
  for (const content of inflated) {
    assert.deepEqual(Buffer.from(content), text)
    assert.ok(content.buffer.byteLength < 2 ** 18, `${content.buffer.byteLength} bytes are held`)
  }
})

test('what grows most is whole, in one piece or several', () => {
  for (const length of [0, 1, 1000, 2 ** 20, 2 ** 23 + 1]) {
    const zeros = Buffer.alloc(length)
    assert.ok(zeros.equals(inflateZlib(deflateSync(zeros, { level: 9 }), LIMIT)), `zlib, ${length}`)
    assert.ok(zeros.equals(inflateZstd(zstdCompressSync(zeros), LIMIT)), `zstd, ${length}`)
  }
})

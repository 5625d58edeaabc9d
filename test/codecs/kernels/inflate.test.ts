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

test('V2-5: all frames of zstd are inflated, and nothing of what lies between or behind them', () => {
  const frames = [1, 2, 3].map((value) => Buffer.alloc(5000, value))
  const skipped = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9])
  const stored = frames.map((content) => zstdCompressSync(content))
  const whole = Buffer.concat(frames)
  assert.ok(whole.equals(inflateZstd(Buffer.concat(stored), whole.length)))
  assert.ok(whole.equals(inflateZstd(Buffer.concat(stored.flatMap((frame) => [skipped, frame])), LIMIT)))
  assert.ok(whole.equals(inflateZstd(Buffer.concat([...stored, Buffer.from('behind')]), LIMIT)))
  const cut = Buffer.concat(stored).subarray(0, -3)
  assert.throws(() => inflateZstd(cut, LIMIT), /is damaged/)
  assert.throws(() => inflateZstd(Buffer.concat(stored), whole.length - 1), /inflates to more than/)
})

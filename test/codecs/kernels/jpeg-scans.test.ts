import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJpeg, readJpegTables } from '../../../src/codecs/kernels/jpeg.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { progressiveJpeg } from '../../hostile/chunk-bombs.ts'

const NO_TABLES = readJpegTables(Uint8Array.of(0xff, 0xd8, 0xff, 0xd9))

function decode(picture: Uint8Array) {
  return decodeJpeg(picture, NO_TABLES, { plan: () => ({ rows: 1, toRgb: false }), chroma: 'repeated' })
}

test('scans of a progressive picture are bounded by their number', () => {
  const began = processorMilliseconds()
  assert.throws(() => decode(progressiveJpeg(512, 10_000)), { code: 'limit-exceeded', message: /more than 200 scans/ })
  assert.ok(processorMilliseconds() - began < 10_000)
})

test('and by the blocks that they pass, all together', () => {
  // 369,664 blocks of 64 coefficients: 47 MB.
  assert.throws(() => decode(progressiveJpeg(4864, 190)), {
    code: 'limit-exceeded',
    message: /more than 67108864 blocks/,
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJpegXl } from '../../../src/codecs/kernels/jpegxl.ts'
import { tiffVectors } from '../tiff/vectors.ts'

test('damaged pictures take nothing from those that come after them', async () => {
  const stored = tiffVectors().find(({ id }) => id === 'jpegxl (35, 45) {}')?.stored ?? new Uint8Array(0)
  const whole = await decodeJpegXl(stored)
  assert.ok(whole.length > 100)
  for (let time = 0; time < 40; time++) {
    const cut = stored.subarray(0, 20 + ((time * 7) % (stored.length - 20)))
    await assert.rejects(async () => await decodeJpegXl(cut), { code: 'malformed-source' })
  }
  assert.deepEqual(await decodeJpegXl(stored), whole)
})

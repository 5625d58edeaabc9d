import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { deflateRaw } from '../../../src/codecs/hdf5/deflate-raw.ts'
import { peel } from '../../../src/codecs/pipeline.ts'
import { prepareEncoding } from '../../../src/codecs/prepare.ts'
import { findCodec } from '../../../src/codecs/registry.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { LITTLE, layoutOf, UINT8 } from '../codec-of.ts'

const content = new Uint8Array(1000).map((_, index) => index % 7)
const inflate = (bytes: Uint8Array, size: number, limit = 1000) =>
  peel(prepareEncoding([LITTLE, deflateRaw.stored({ size })], layoutOf(UINT8, 1000)), bytes, 0, limit)

test('a deflated zip member inflates to its content, and only this server decodes it', () => {
  assert.equal(findCodec('vz.deflate-raw'), deflateRaw)
  assert.equal(deflateRaw.reach, 'internal')
  const decoded = inflate(deflateRawSync(content), 1000)
  assert.deepEqual(Buffer.from(decoded), Buffer.from(content))
})

test('a member that inflates to more than announced, or is damaged, is malformed', () => {
  const stored = deflateRawSync(content)
  for (const [bytes, size] of [
    [stored, 999],
    [stored.subarray(0, -3), 1000],
    [new Uint8Array([255]), 1000],
  ] as const) {
    assert.throws(
      () => inflate(bytes, size),
      (error) => isVirtualZarrError(error, 'malformed-source'),
    )
  }
  assert.throws(
    () => inflate(stored, 5000, 10),
    (error) => isVirtualZarrError(error),
  )
})

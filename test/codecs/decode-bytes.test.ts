import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { deflateRaw } from '../../src/codecs/hdf5/deflate-raw.ts'
import { peel } from '../../src/codecs/pipeline.ts'
import { prepareEncoding } from '../../src/codecs/prepare.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import type { Encoding } from '../../src/model/encoding.ts'
import { codec, LITTLE, layoutOf, UINT8 } from './codec-of.ts'

const ZLIB_IN_A_ZIP: Encoding = [LITTLE, codec('numcodecs.zlib', { level: 1 }), deflateRaw.stored({ size: 100 })]

function undo(stored: Uint8Array, length: number): Uint8Array {
  return peel(prepareEncoding(ZLIB_IN_A_ZIP, layoutOf(UINT8, 4)), stored, 0, length)
}

test('what is compressed twice may be longer in between than in the end', () => {
  const content = Uint8Array.of(7, 0, 1, 2)
  const stored = deflateRawSync(deflateSync(content))
  assert.deepEqual(Buffer.from(undo(stored, content.length)), Buffer.from(content))
})

test('codecs that are kept are left as they are', () => {
  const content = deflateSync(Uint8Array.of(1, 2, 3, 4))
  const pipeline = prepareEncoding(ZLIB_IN_A_ZIP, layoutOf(UINT8, 4))
  assert.deepEqual(Buffer.from(peel(pipeline, deflateRawSync(content), 1, 100)), content)
})

test('the end result is never longer than expected', () => {
  const stored = deflateRawSync(deflateSync(new Uint8Array(5)))
  assert.throws(
    () => undo(stored, 4),
    (error) => isVirtualZarrError(error, 'malformed-source'),
  )
})

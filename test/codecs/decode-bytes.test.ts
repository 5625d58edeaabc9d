import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { decodeBytes } from '../../src/codecs/decode.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import type { Encoding } from '../../src/model/encoding.ts'

const ZLIB_IN_A_ZIP: Encoding = [
  { name: 'numcodecs.zlib', configuration: { level: 1 } },
  { name: 'vz.deflate-raw', configuration: { size: 100 } },
]

test('what is compressed twice may be longer in between than in the end', () => {
  const content = Uint8Array.of(7, 0, 1, 2)
  const stored = deflateRawSync(deflateSync(content))
  assert.deepEqual(Buffer.from(decodeBytes(stored, ZLIB_IN_A_ZIP, content.length)), Buffer.from(content))
})

test('the end result is never longer than expected', () => {
  const stored = deflateRawSync(deflateSync(new Uint8Array(5)))
  assert.throws(
    () => decodeBytes(stored, ZLIB_IN_A_ZIP, 4),
    (error) => isVirtualZarrError(error, 'malformed-source'),
  )
})

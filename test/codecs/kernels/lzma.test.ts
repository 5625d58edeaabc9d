import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeLzma2 } from '../../../src/codecs/kernels/lzma2.ts'
import { Output } from '../../../src/codecs/kernels/output.ts'
import { decodeXz } from '../../../src/codecs/kernels/xz.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'

const CONTENT = Buffer.from(Array.from({ length: 180 }, (_, i) => (i % 60) ** 2 % 251))
// Made of it by Python's lzma, which wraps liblzma.
const XZ = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ACzAEddAAAAUrgPwluI8BxehUIjyG75an6Opz3ivq6DHQVpAc5lBbOQi1e9WUTlMwz5iWZeIQxu6PKmfWoEMKQNulmTEZktiSGfYAgAAADxy5A9rnVf1gABY7QBAAAAmGDOELHEZ/sCAAAAAARZWg==',
  'base64',
)
const LZMA2 = Buffer.from(
  '4ACzAEddAAAAUrgPwluI8BxehUIjyG75an6Opz3ivq6DHQVpAc5lBbOQi1e9WUTlMwz5iWZeIQxu6PKmfWoEMKQNulmTEZktiSGfYAgAAA==',
  'base64',
)

describe('DM-12: xz and LZMA2', () => {
  it('reads streams one after another, with padding between', () => {
    const decoded = decodeXz(Buffer.concat([XZ, new Uint8Array(8), XZ]), { limit: 1000 })
    assert.deepEqual(Buffer.from(decoded), Buffer.concat([CONTENT, CONTENT]))
  })

  it('refuses a stream that is cut off anywhere, and one whose content is longer than expected', () => {
    for (let length = 0; length < XZ.length; length++) {
      assert.throws(() => decodeXz(XZ.subarray(0, length), { limit: 1000 }), isMalformed, `${length} bytes`)
    }
    assert.throws(() => decodeXz(XZ, { limit: CONTENT.length - 1 }), isMalformed)
  })

  it('reads raw LZMA2, which has no checksum, and refuses a chunk that is longer than what it holds', () => {
    assert.deepEqual(Buffer.from(raw(LZMA2)), CONTENT)
    const chunk = Buffer.concat([LZMA2.subarray(0, -1), new Uint8Array(2)])
    chunk.writeUInt16BE(chunk.readUInt16BE(3) + 1, 3)
    assert.throws(() => raw(chunk), /longer than what it holds/)
  })

  it('refuses tables of megabytes in a chunk of a few bytes, and a chunk that goes on with properties before a reset', () => {
    const large = Buffer.from(LZMA2)
    large[5] = 9 * 4 + 8
    assert.throws(() => raw(large), /8 \+ 4 literal bits/)
    const reset = Buffer.from([1, 0, 0, 65])
    const goesOn = Buffer.from(LZMA2.subarray(0, 5))
    goesOn[0] = 0x80
    const continued = Buffer.concat([LZMA2.subarray(0, -1), reset, goesOn, LZMA2.subarray(6)])
    assert.throws(() => raw(continued), /no properties yet/)
  })
})

function raw(bytes: Uint8Array): Uint8Array {
  const output = new Output(1000)
  decodeLzma2(bytes, 0, output)
  return output.done()
}

function isMalformed(error: unknown): boolean {
  return isVirtualZarrError(error) && error.code === 'malformed-source'
}

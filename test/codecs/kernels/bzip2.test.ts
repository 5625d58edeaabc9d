import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeBzip2 } from '../../../src/codecs/kernels/bzip2.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'

// Made by Python's bz2, which wraps libbzip2.
const HELLO = stream('QlpoOTFBWSZTWRkxZT0AAACBAAJEoAAhmmgzTQczi7kinChIDJiynoA=')
const XYZ = stream('QlpoMTFBWSZTWfAxF1EAAAAAgABwIAAhmBmEYXckU4UJDwMRdRA=')
const EMPTY = stream('QlpoORdyRThQkAAAAAA=')

describe('DM-12: bzip2', () => {
  it('reads streams one after another, and an empty one as nothing', () => {
    assert.equal(text(decodeBzip2(EMPTY, 10)), '')
    assert.equal(text(decodeBzip2(Buffer.concat([HELLO, XYZ, EMPTY, HELLO]), 1000)), 'helloxyzhello')
  })

  it('refuses a stream that is cut off anywhere, also after another, and never makes less of it', () => {
    for (const before of [EMPTY.subarray(0, 0), HELLO]) {
      const whole = Buffer.concat([before, HELLO])
      for (let length = before.length + 1; length < whole.length; length++) {
        assert.throws(() => decodeBzip2(whole.subarray(0, length), 1000), isMalformed, `${length} bytes`)
      }
    }
    assert.throws(() => decodeBzip2(new Uint8Array(), 1000), isMalformed)
  })

  it('ignores what follows and is no stream, as Python does', () => {
    assert.equal(text(decodeBzip2(Buffer.concat([HELLO, Buffer.from('\0\0\0\0BZh')]), 1000)), 'hello')
  })

  it('notices every flipped bit of a stream', () => {
    for (let bit = 0; bit < HELLO.length * 8; bit++) {
      const bytes = Buffer.from(HELLO)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const decoded = decodedOrRefused(bytes)
      assert.ok(decoded === undefined || decoded === 'hello', `bit ${bit}`)
    }
  })

  it('takes no more memory than a chunk of the expected size needs, however many streams there are', () => {
    const many = Buffer.concat(Array.from({ length: 20_000 }, () => EMPTY))
    const start = processorMilliseconds()
    assert.equal(decodeBzip2(many, 1000).length, 0)
    assert.ok(processorMilliseconds() - start < 2000)
  })
})

function stream(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function decodedOrRefused(bytes: Uint8Array): string | undefined {
  try {
    return text(decodeBzip2(bytes, 1000))
  } catch (error) {
    assert.ok(isMalformed(error))
    return undefined
  }
}

function isMalformed(error: unknown): boolean {
  return isVirtualZarrError(error) && error.code === 'malformed-source'
}

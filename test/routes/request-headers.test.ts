import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedCoding, heldTags, requestedPart } from '../../routes/request.ts'

test('a document is coded as the client likes best, zstd first among equals', () => {
  assert.equal(acceptedCoding(undefined), 'identity')
  assert.equal(acceptedCoding('gzip, deflate'), 'gzip')
  assert.equal(acceptedCoding('gzip, deflate, br, zstd'), 'zstd')
  assert.equal(acceptedCoding('gzip;q=1.0, br;q=0.5'), 'gzip')
  assert.equal(acceptedCoding('*'), 'zstd')
  assert.equal(acceptedCoding('gzip;q=0, identity'), 'identity')
  assert.equal(acceptedCoding('br;q=0.2, identity;q=0.5'), 'identity')
})

test('GEN-6: a single byte range is bounded, open or a suffix', () => {
  assert.deepEqual(requestedPart('bytes=0-0'), { kind: 'from', offset: 0, length: 1 })
  assert.deepEqual(requestedPart('bytes=5-'), { kind: 'from', offset: 5, length: undefined })
  assert.deepEqual(requestedPart('bytes=-7'), { kind: 'last', length: 7 })
})

test('what is no single byte range asks for the whole', () => {
  for (const header of [undefined, 'bytes=0-1,3-4', 'bytes=5-2', 'items=0-1', 'bytes=-', 'bytes=a-b', 'bytes= 1-2x']) {
    assert.equal(requestedPart(header), undefined, String(header))
  }
})

test('ETags are compared weakly', () => {
  assert.deepEqual(heldTags('W/"a", "b"'), ['"a"', '"b"'])
  assert.deepEqual(heldTags('*'), ['*'])
  assert.equal(heldTags(undefined), undefined)
})

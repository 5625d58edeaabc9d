import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseStoreTarget } from '../../routes/store-url.ts'
import { isVirtualZarrError } from '../../src/errors.ts'

test('the store and its key are split at the first slash, the key decoded', () => {
  assert.deepEqual(parseStoreTarget('/zarr/~aHR0/sea%20level/c/0?x=1'), { segment: '~aHR0', key: 'sea level/c/0' })
  assert.deepEqual(parseStoreTarget('/zarr/sst;codecs=raw/'), { segment: 'sst;codecs=raw', key: '' })
  assert.deepEqual(parseStoreTarget('/zarr/sst'), { segment: 'sst', key: undefined })
})

test('keys that climb, hide a slash or are no text are refused', () => {
  for (const key of ['..', 'a/../b', 'a/%2e%2e/b', './a', 'a%2Fb', 'a%5Cb', 'a%00', '%zz', '%ff']) {
    assert.throws(
      () => parseStoreTarget(`/zarr/sst/${key}`),
      (error) => isVirtualZarrError(error, 'invalid-request'),
      key,
    )
  }
})

test('a key behind one slash too many is the same key: obstore and zarrs write it so, and read absence as fill', () => {
  assert.deepEqual(parseStoreTarget('/zarr/sst//lat/c/0'), { segment: 'sst', key: 'lat/c/0' })
  assert.deepEqual(parseStoreTarget('/zarr/sst//zarr.json'), { segment: 'sst', key: 'zarr.json' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseStoreTarget, refuseSpelledOut } from '../../routes/request.ts'
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

test('BYTES-1: a name that is encoded twice is the same name: object_store encodes so, and reads absence as fill', () => {
  for (const name of ['a<b', 'é', 'e\u0301', '温度 (K)', '😀', 'a~b*', '[x]{y}|^`', 'a&b=c+d', '{a..b}']) {
    const once = encodeURIComponent(name)
    for (const encoded of [name, once, encodeURIComponent(once)]) {
      assert.deepEqual(parseStoreTarget(`/zarr/sst/${encoded}/c/0`), { segment: 'sst', key: `${name}/c/0` }, encoded)
    }
  }
})

test('what climbs, hides a slash or is no text is refused as well when it is encoded twice', () => {
  for (const key of ['%252e%252e', 'a/%252e/b', 'a%252Fb', 'a%255Cb', 'a%2500']) {
    assert.throws(
      () => parseStoreTarget(`/zarr/sst/${key}`),
      (error) => isVirtualZarrError(error, 'invalid-request'),
      key,
    )
  }
  assert.equal(parseStoreTarget('/zarr/sst/100%25/c/0')?.key, '100%/c/0')
  assert.equal(parseStoreTarget('/zarr/sst/%25ff/c/0')?.key, '%ff/c/0')
})

test('a key behind one slash too many is the same key: obstore and zarrs write it so, and read absence as fill', () => {
  assert.deepEqual(parseStoreTarget('/zarr/sst//lat/c/0'), { segment: 'sst', key: 'lat/c/0' })
  assert.deepEqual(parseStoreTarget('/zarr/sst//zarr.json'), { segment: 'sst', key: 'zarr.json' })
})

const refusalOf = (target: string): string => {
  try {
    refuseSpelledOut(target, () => 'http://vz')
  } catch (error) {
    if (isVirtualZarrError(error, 'invalid-request')) return error.message
    throw error
  }
  return ''
}

test("a source's URL that was not encoded is refused with the store's URL", () => {
  const store = (source: string) => `http://vz/zarr/~${Buffer.from(source).toString('base64url')}`
  for (const [target, meant] of [
    ['/zarr/http://h/a.nc/zarr.json', `${store('http://h/a.nc')}/`],
    ['/zarr/HTTPS:/h/a%20b.nc', `${store('https://h/a%20b.nc')}/`],
    ['/zarr/https%3A//h/a.zarr/.zmetadata', `${store('https://h/a.zarr')}/`],
    ['/zarr/http://h/a.nc;codecs=raw;group=g/zarr.json', `${store('http://h/a.nc')};codecs=raw;group=g/`],
    ['/zarr/file:///data/a.nc/', `${store('file:///data/a.nc')}/`],
  ] as const) {
    const message = refusalOf(target)
    assert.ok(message.endsWith(`is ${meant}`), message)
    assert.match(message, /http:\/\/vz\/resolve\?url=/)
  }
})

test('what is encoded, or no URL, is not taken for one that was forgotten', () => {
  for (const target of [
    '/zarr/http%3A%2F%2Fh%2Fa.nc/zarr.json',
    '/zarr/~aHR0cDovL2g/http:/c/0',
    '/zarr/http/a',
    '/zarr/sst/',
  ]) {
    assert.equal(refusalOf(target), '')
  }
})

test('the query of a URL that was not encoded is not shown', () => {
  assert.ok(!refusalOf('/zarr/https://h/a.nc?sig=canary').includes('canary'))
})
